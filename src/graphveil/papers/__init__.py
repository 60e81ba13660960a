"""Algorithms as papers publish them, with baselines, figures and verdicts. Nothing outside this package imports it."""
