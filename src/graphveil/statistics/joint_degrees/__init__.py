"""Joint degrees with noise."""
