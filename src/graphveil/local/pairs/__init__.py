"""Noisy graphs: who answers for which pair of people, how, and what can be counted in the answers."""
