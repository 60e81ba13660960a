"""Exact star counts; nothing here is private."""

from __future__ import annotations

from math import comb

import numpy as np

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph


def exact_k_stars(graph: Graph, k: int) -> int:
    """Number of stars with k leaves: the sum of C(degree, k) over all people, as an unbounded integer.

    A 1-star is an edge seen from one of its ends, so each edge counts twice.

    >>> exact_k_stars(Graph.from_edges([(0, 1), (0, 2), (0, 3)]), 2)
    3
    """
    if k < 1:
        raise ParameterError(f"k is {k}; a star has at least 1 leaf")
    return sum(int(people) * comb(degree, k) for degree, people in enumerate(np.bincount(graph.degrees)) if people)
