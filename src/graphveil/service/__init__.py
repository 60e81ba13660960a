"""Runs campaigns over HTTP: a collector for operators, clients for the people who are asked."""
