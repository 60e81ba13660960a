"""Queries under node privacy; one query a file."""
