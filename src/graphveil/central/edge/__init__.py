"""Queries under edge privacy; one query a file."""
