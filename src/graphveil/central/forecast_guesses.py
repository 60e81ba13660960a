"""Guesses for forecasts where the caller gives none: public, documented, and rough.

They follow the five benchmark graphs (4,000 to 81,000 people): the largest degree is about 10 sqrt(n), a pair has at
most two fifths of it as common neighbours, a person has 20 friends on average, a fifth of the pairs of friends are
friends, and people have n (mean degree)^2 pairs of friends between them.
"""

from __future__ import annotations

import math

from graphveil.central.query import PublicFacts


def guess_max_degree(facts: PublicFacts) -> int:
    """The declared bound, or 10 sqrt(n)."""
    most = max(0, facts.n_nodes - 1)
    return min(most, 10 * math.isqrt(facts.n_nodes) if facts.max_degree is None else facts.max_degree)


def guess_common_neighbors(facts: PublicFacts) -> int:
    """`max_common_neighbors`, or two fifths of the largest degree."""
    guess = facts.guesses.get("max_common_neighbors", 0.4 * guess_max_degree(facts))
    return min(max(0, facts.n_nodes - 2), math.ceil(guess))


def guess_edges(facts: PublicFacts) -> float:
    """`edges`, or 10 for every person, if so many people can have them."""
    return max(1.0, facts.guesses.get("edges", min(10.0 * facts.n_nodes, math.comb(facts.n_nodes, 2))))


def guess_two_stars(facts: PublicFacts) -> float:
    """`2-stars`, or n times the squared mean degree."""
    mean_degree = 2 * guess_edges(facts) / max(1, facts.n_nodes)
    return max(1.0, facts.guesses.get("2-stars", facts.n_nodes * mean_degree**2))


def guess_triangles(facts: PublicFacts) -> float:
    """`triangles`, or a fifth of the pairs of friends, each triangle holding three."""
    return facts.guesses.get("triangles", guess_two_stars(facts) / 15)


def guess_three_stars(facts: PublicFacts) -> float:
    """`3-stars`, or 1/20 of the 2-stars times the largest degree."""
    return max(1.0, facts.guesses.get("3-stars", guess_two_stars(facts) * guess_max_degree(facts) / 20))
