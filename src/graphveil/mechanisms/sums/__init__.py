"""Sums over time: numbers that change from step to step, with noise that is drawn once."""
