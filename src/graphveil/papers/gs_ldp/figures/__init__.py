"""Figures 3 to 10 of GS-LDP."""
