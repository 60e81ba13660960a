"""Queries about directed graphs: who points at whom."""
