"""Queries that choose people, edges or partitions under edge privacy."""
