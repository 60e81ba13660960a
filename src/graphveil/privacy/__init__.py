"""The vocabulary of guarantees: pure data and arithmetic, no randomness, no graphs."""
