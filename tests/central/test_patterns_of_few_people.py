"""Counts of patterns among 1 to 6 people: no error, and no interval beyond what so few people can have."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest

from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES
from graphveil.release.draw import run

MOST = {  # among n people
    "edges": lambda n: math.comb(n, 2),
    "2-stars": lambda n: n * math.comb(n - 1, 2),
    "3-stars": lambda n: n * math.comb(n - 1, 3),
    "k-stars": lambda n: n * math.comb(n - 1, 4),
    "triangles": lambda n: math.comb(n, 3),
    "4-cycles": lambda n: 3 * math.comb(n, 4),
    "4-cliques": lambda n: math.comb(n, 4),
    "5-cliques": lambda n: math.comb(n, 5),
}
ROWS = [row for row in QUERIES if row.query in MOST]


def tiny_graphs(n: int) -> list[Graph]:
    pairs = ([], combinations(range(n), 2), ((0, leaf) for leaf in range(1, n)))
    return [Graph.from_edges(list(each), n_nodes=n) for each in pairs]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} of {row.unit}")
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(4)])
def test_intervals_of_tiny_graphs_are_possible(row, epsilon: Fraction) -> None:
    for n in (5, 6) if row.query == "k-stars" else (1, 2, 3, 6):  # fewer people have no 4-stars
        for seed, graph in enumerate(tiny_graphs(n)):
            answer = run(query := row.build(epsilon), graph, SeededNoise(seed))
            low, high = answer.accuracy.interval(0.95)
            assert 0 <= low <= answer.value <= high
            assert row.unit == "node" or high <= MOST[row.query](n)
            assert query.forecast(PublicFacts.of(graph, query.unit)).bands
