"""Anonymity of the k family: each person looks like at least k - 1 others to a named adversary.

This is not differential privacy. A claim holds for one published graph against one kind of adversary, and is checked
by certifiers that know the graph alone.
"""
