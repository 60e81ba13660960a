"""Counts whose noise follows their local sensitivity (smoothed ladders)."""
