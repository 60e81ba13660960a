"""k-automorphism and k-seed equivalence: graphs that look the same from the places of k people."""
