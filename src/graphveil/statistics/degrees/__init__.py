"""Degrees measured as sums over tiles, under edge and node privacy."""
