"""Counts of patterns of four and five people under edge privacy."""
