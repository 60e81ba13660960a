"""What one edge costs in the methods of others: brute force over all graphs of five people."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.selection import ReportNoisyMax
from graphveil.papers.peers import dgg, dp_1k
from graphveil.papers.peers.privgraph import count_edges, edges_into

PEOPLE = 5
PAIRS = list(itertools.combinations(range(PEOPLE), 2))
PARTITIONS = [np.array(p) for p in itertools.product(range(3), repeat=PEOPLE) if max(p) == len(set(p)) - 1]


def neighbours() -> Iterator[tuple[Graph, Graph]]:
    """Every graph, and every one with an edge more."""
    for mask in range(1 << len(PAIRS)):
        edges = [pair for bit, pair in enumerate(PAIRS) if mask >> bit & 1]
        before = Graph.from_edges(edges, n_nodes=PEOPLE)
        for pair in PAIRS:
            if pair not in edges:
                yield before, Graph.from_edges([*edges, pair], n_nodes=PEOPLE)


NEIGHBOURS = list(neighbours())


def test_degrees_change_by_two() -> None:
    in_order = max(np.abs(after.degrees - before.degrees).sum() for before, after in NEIGHBOURS)
    falling = max(np.abs(np.sort(after.degrees) - np.sort(before.degrees)).sum() for before, after in NEIGHBOURS)
    assert in_order == dgg.SENSITIVITY
    assert falling == dp_1k.SENSITIVITY


@pytest.mark.parametrize("communities", PARTITIONS[::7], ids=str)
def test_an_edge_raises_one_score_of_each_end(communities: np.ndarray) -> None:
    for before, after in NEIGHBOURS:
        change = edges_into(after, communities, 0, PEOPLE) - edges_into(before, communities, 0, PEOPLE)
        assert change.min() == 0  # so the choice needs no factor 2
        assert change.max() == 1
        assert (change.sum(axis=1) <= 1).all()
        assert change.sum() == 2


@pytest.mark.parametrize("communities", PARTITIONS[::7], ids=str)
def test_an_edge_lies_within_or_between_and_costs_one_share(communities: np.ndarray) -> None:
    for before, after in NEIGHBOURS:
        inner, across = (
            np.abs(a - b).sum()
            for a, b in zip(count_edges(after, communities), count_edges(before, communities), strict=True)
        )
        assert inner / 2 + across == 1


def test_rows_are_chosen_as_one_by_one() -> None:
    choice = ReportNoisyMax(epsilon=Fraction(1, 2), sensitivity=Fraction(1), monotone=True)
    rows = np.array([[0, 3, 1], [5, 5, 0], [2, 0, 9]])
    noise, again = SeededNoise(4), SeededNoise(4)
    together = choice.select_rows(rows, noise)
    assert together.shape == (3,)
    counts = [np.bincount(choice.select_rows(np.tile(row, (20_000, 1)), again), minlength=3) for row in rows]
    singly = [np.bincount(choice.select(row, SeededNoise(9), 20_000), minlength=3) for row in rows]
    for a, b in zip(counts, singly, strict=True):
        assert np.abs(a - b).max() < 6 * np.sqrt(20_000 / 2)  # over six deviations of a difference of counts
