"""Sources of randomness and exact samplers."""
