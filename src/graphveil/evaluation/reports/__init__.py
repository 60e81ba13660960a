"""Reports to hand in: one self-contained HTML page in one style for each kind of result."""
