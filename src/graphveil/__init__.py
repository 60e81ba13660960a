"""graphveil."""
