"""Attributes that people tell by randomised response."""
