"""Protocols that collect triangles and clustering of every person."""
