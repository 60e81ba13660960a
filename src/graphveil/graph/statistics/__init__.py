"""Exact statistics of a graph; nothing here is private."""
