"""Protocols that collect the number of triangles."""
