"""k-degree anonymity."""
