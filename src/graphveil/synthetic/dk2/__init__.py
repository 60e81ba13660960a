"""Graphs with noisy joint degrees (2K)."""
