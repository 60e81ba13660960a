"""Checks of a graph alone: nothing here knows how the graph was made."""
