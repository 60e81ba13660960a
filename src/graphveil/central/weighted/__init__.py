"""Queries about graphs whose edges have weights."""
