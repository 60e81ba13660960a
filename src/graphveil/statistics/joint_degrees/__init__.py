"""Noisy counts of edges by the degrees of their ends, with proofs."""
