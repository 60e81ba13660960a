"""Noisy adjacency matrices that are published as graphs."""
