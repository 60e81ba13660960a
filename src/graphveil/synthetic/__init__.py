"""Synthetic graphs: measure privately, fit, sample."""
