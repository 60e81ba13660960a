"""k-automorphism and k-seed equivalence."""
