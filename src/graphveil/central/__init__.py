"""Queries of a graph that one curator holds; one query a file."""
