"""What one edge costs in the methods of others: brute force over all graphs of five people."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

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


BITS = [1 << bit for bit in range(len(PAIRS))]


@cache
def every_graph() -> list[Graph]:
    """Entry `mask` has pair i as an edge where bit i is set."""
    masks = range(1 << len(PAIRS))
    chosen = [[pair for bit, pair in zip(BITS, PAIRS, strict=True) if mask & bit] for mask in masks]
    return [Graph.from_edges(edges, n_nodes=PEOPLE) for edges in chosen]


def changes(statistic: Callable[[Graph], np.ndarray]) -> Iterator[np.ndarray]:
    """By how much a statistic changes with one edge more, for every graph and every such edge."""
    values = [np.asarray(statistic(graph)) for graph in every_graph()]
    return (values[mask | bit] - values[mask] for mask in range(len(values)) for bit in BITS if not mask & bit)


def test_degrees_change_by_two() -> None:
    assert max(np.abs(change).sum() for change in changes(lambda graph: graph.degrees)) == dgg.SENSITIVITY
    assert max(np.abs(change).sum() for change in changes(lambda graph: np.sort(graph.degrees))) == dp_1k.SENSITIVITY


@pytest.mark.parametrize("communities", PARTITIONS[::7], ids=str)
def test_an_edge_raises_one_score_of_each_end(communities: np.ndarray) -> None:
    for change in changes(lambda graph: edges_into(graph, communities, 0, PEOPLE)):
        assert change.min() == 0  # so the choice needs no factor 2
        assert change.max() == 1
        assert (change.sum(axis=1) <= 1).all()
        assert change.sum() == 2


@pytest.mark.parametrize("communities", PARTITIONS[::7], ids=str)
def test_an_edge_lies_within_or_between_and_costs_one_share(communities: np.ndarray) -> None:
    inner, across = (
        [np.abs(change).sum() for change in changes(lambda graph, part=part: count_edges(graph, communities)[part])]
        for part in (0, 1)
    )
    assert all(within / 2 + between == 1 for within, between in zip(inner, across, strict=True))


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
