"""The privacy loss of whole queries, computed exactly on all small graphs, for every algorithm of the registry.

A query is run on two neighbouring graphs while every noisy number is replaced by the same fixed outcome, so that both
runs take the same path and ask for the same numbers. Discrete Laplace noise of rate r gives that outcome with
probabilities whose ratio is at most e^(r |difference of the exact numbers|); the ratio of two ladder laws is largest at
the end of a rung of one of them. The sum of the exponents bounds the loss of the query for this path. It must not pass
epsilon, and where a sensitivity is attained it comes to nearly all of it, so that half the noise is seen.

Laws of another kind have exact tests of their own: smooth sensitivity in test_average_clustering, selection in
test_people_selection, noisy matrices in tests/laws.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from every_small_graph import edge_neighbours, node_neighbours
from exact_loss import log_law

from graphveil.central.attributes.toy import toy_column
from graphveil.central.query import Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import measured
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES, find_query

EPSILON = Fraction(7, 10)
OUTCOMES = (2, 0, 40)
OTHER_LAWS = {"smooth-sensitivity-triangles", "most-connected", "best-partition", "noisy-adjacency", "top-m-filter"} | {
    "class-rows",  # tests/central/test_class_rows.py
}  # fmt: skip
USED_UP = {  # the share of epsilon that some pair of small neighbours uses up, where that is not all of it
    "joint-degrees": 0.55,
    "ladder-triangles": 0.8,
    "published-ladder-triangles": 0.7,
    "two-stars": 0.8,
    "three-stars": 0.8,
    "transitivity": 0.8,
    "average-clustering": 0.6,
    "clustering-by-degree": 0.5,
    "assortativity": 0.5,
    "node-edge-count": 0.1,
    "node-two-stars": 0.1,
    "node-three-stars": 0.1,
    "node-degree-histogram": 0.9,
    "node-degree-distribution": 0.9,
    "node-triangles": 0.1,
    "bounded-edges": 0.2,  # bounds that are chosen are far above what small graphs have; BOUNDED has smaller ones
    "bounded-two-stars": 0.2,
    "bounded-triangles": 0.2,
    "r2t-edges": 0.01,  # most of it goes to bounds that small graphs do not reach
    "r2t-two-stars": 0.01,
    "r2t-triangles": 0.01,
    "k-stars": 0,  # needs five people; tests/central/test_k_stars.py
    "group-triangles": 0.6,
    "four-cliques": 0.8,
    "five-cliques": 0,  # needs five people; tests/central/test_cliques_and_cycles.py
    "four-cycles": 0.8,
    "transitive-triples": 0.4,  # here every edge points to the later person; tests/central/test_triads.py has all arcs
    "cyclic-triples": 0,
    "mutual-triangles": 0,
    "two-paths": 0.4,
    "node-transitivity": 0.1,
    "weighted-total": 0.1,  # weights of 1 do not use up a cap; see test_weighted
    "strength-histogram": 0.1,
    "node-weighted-total": 0,
    "node-mixing": 0.1,
    "node-homophily": 0.1,
}
BOUNDED = [("node-edge-count", 2, 1), ("node-two-stars", 2, 1), ("node-three-stars", 3, 0.9),
           ("node-degree-histogram", 2, 1), ("node-degree-histogram", 3, 1), ("node-triangles", 2, 0.5),
           ("node-triangles", 3, 0.5), ("node-transitivity", 2, 0.5), ("bounded-edges", 2, 0.6),
           ("bounded-two-stars", 2, 0.6), ("bounded-triangles", 2, 0.5)]  # fmt: skip


class Recorder:
    """Stands in for the noise: notes what was asked, answers with a fixed outcome."""

    def __init__(self, outcome: int) -> None:
        self.outcome = outcome
        self.asked: list[tuple[Any, Any]] = []

    def __call__(self, noise: object, values: Any, law: Any, *_: Any) -> Any:
        self.asked.append((values if np.ndim(values) else int(values), law))
        return self.outcome if np.ndim(values) == 0 else np.full(np.shape(values), self.outcome)


def install(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """A recorder in the place of every noise."""
    recorder = Recorder(OUTCOMES[0])
    for key, module in list(sys.modules.items()):
        for drawn in ("add_discrete_laplace", "sample_ladder"):
            if key.startswith("graphveil.") and hasattr(module, drawn):
                monkeypatch.setattr(module, drawn, recorder)
    return recorder


def record(query: Any, graph: Graph, recorder: Recorder) -> list[tuple[Any, Any]]:
    """What is drawn of a graph; what is concluded from it costs nothing and is left out."""
    recorder.asked = []
    draw(measured(query, graph), SeededNoise(1))
    return recorder.asked


def loss_of_ladders(one: tuple[int, Any], other: tuple[int, Any]) -> float:
    """The largest |ln P - ln P'|, looked for at the ends of the rungs of both laws."""
    reach = {law: law.reach(int(25 / float(law.rate)) + 2) for _, law in (one, other)}
    ends = [middle + sign * (reach[law] + step) for middle, law in (one, other) for sign in (-1, 1) for step in (0, 1)]
    outcomes = np.concatenate(ends)
    return float(np.abs(log_law(one[1], one[0], outcomes) - log_law(other[1], other[0], outcomes)).max())


def loss_of_pair(asked: list[tuple[Any, Any]], others: list[tuple[Any, Any]]) -> float:
    total = 0.0
    for one, other in zip(asked, others, strict=True):
        if not isinstance(one[1], Fraction):
            total += loss_of_ladders(one, other)
            continue
        assert one[1] == other[1]  # the noise itself must not depend on the graph
        total += float(one[1]) * float(np.abs(np.subtract(one[0], other[0])).sum())
    return total


def largest_loss(query: Query, monkeypatch: pytest.MonkeyPatch) -> float:
    pairs = edge_neighbours(4) if query.unit == "edge" else node_neighbours(4)
    graphs = {id(graph): graph for pair in pairs for graph in pair}
    worst = 0.0
    recorder = install(monkeypatch)
    for outcome in OUTCOMES:
        recorder.outcome = outcome
        asked = {key: record(query, graph, recorder) for key, graph in graphs.items()}
        worst = max(worst, *(loss_of_pair(asked[id(less)], asked[id(more)]) for less, more in pairs))
        if any(not isinstance(law, Fraction) for _, law in asked[id(pairs[0][0])]):
            break  # what ladder queries ask for does not depend on outcomes of this size
    return worst


@pytest.mark.parametrize("name", [a.name for a in QUERIES if a.name not in OTHER_LAWS])
def test_one_edge_or_one_person_costs_at_most_epsilon(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = find_query(name)
    given = {"column": toy_column(60, public=row.unit == "edge"), "lower": 0, "upper": 2}
    options = {name: given[name] for name in row.needs}
    query = row.build(EPSILON, options)
    loss = largest_loss(query, monkeypatch) / float(query.epsilon)
    assert USED_UP.get(name, 1) - 1e-9 <= loss <= 1 + 1e-9
    assert query.guarantee.epsilon == query.epsilon == EPSILON


@pytest.mark.parametrize(("name", "bound", "share"), BOUNDED)
def test_with_a_public_bound_too(name: str, bound: int, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    query = find_query(name).build(EPSILON, {"max_degree": bound})
    loss = largest_loss(query, monkeypatch) / float(query.epsilon)
    assert share - 1e-9 <= loss <= 1 + 1e-9
