"""Predicting people's classes from noisy counts of the classes among their neighbours; nothing here sees a graph."""
