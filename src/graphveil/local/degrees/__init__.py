"""Protocols that collect the degree distribution."""
