"""The other end: what a person's device runs, and what an operator's commands call."""
