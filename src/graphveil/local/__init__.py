"""Local model: statistics of a graph that nobody holds."""
