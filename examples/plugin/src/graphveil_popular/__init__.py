"""How many people have many friends, under edge privacy."""
