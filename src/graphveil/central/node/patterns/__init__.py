"""Counts of patterns under node privacy, by linear programs that bound how many patterns a person is part of."""
