"""The privacy loss of whole pages, computed exactly on all small graphs.

A page is run on two neighbouring graphs while every noisy number is replaced by the same fixed outcome, so that both
runs take the same path and ask for the same numbers. Discrete Laplace noise of rate r gives that outcome with
probabilities whose ratio is at most e^(r |difference of the exact numbers|), so the sum of these exponents is the
loss of the page for this path. It must not pass epsilon; where a sensitivity is attained it must come to all of it,
so that half the noise is seen.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from every_small_graph import edge_neighbours, node_neighbours

from graphveil.central.components import ComponentCount
from graphveil.central.degeneracy import Degeneracy, NodeDegeneracy
from graphveil.central.degree_distribution import DegreeDistribution, NodeDegreeDistribution
from graphveil.central.degree_histogram import DegreeHistogram
from graphveil.central.degree_sequence import DegreeSequence
from graphveil.central.h_index import HIndex
from graphveil.central.joint_degrees import JointDegrees
from graphveil.central.node_degree_histogram import NodeDegreeHistogram
from graphveil.central.node_edges import NodeEdgeCount
from graphveil.central.node_stars import NodeThreeStars, NodeTwoStars
from graphveil.central.nodes import NodeCount
from graphveil.central.top_people import TopPeople
from graphveil.central.young_degree_sequence import YoungDegreeSequence
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SeededNoise

EPSILON = Fraction(7, 10)
OUTCOMES = (0, 2, 40)
EDGE_PAGES: list[tuple[Any, float]] = [  # page, the share of epsilon that some pair of neighbours must use up
    (ComponentCount(epsilon=EPSILON), 1),
    (Degeneracy(epsilon=EPSILON), 1),
    (DegreeSequence(epsilon=EPSILON), 1),
    (YoungDegreeSequence(epsilon=EPSILON), 1),
    (DegreeHistogram(epsilon=EPSILON), 1),
    (DegreeDistribution(epsilon=EPSILON), 1),
    (JointDegrees(epsilon=EPSILON), 0.55),
    (TopPeople(epsilon=EPSILON), 1),
]
NODE_PAGES: list[tuple[Any, float]] = [
    (NodeCount(epsilon=EPSILON), 1),
    (HIndex(epsilon=EPSILON), 1),
    (NodeDegeneracy(epsilon=EPSILON), 1),
    (NodeEdgeCount(epsilon=EPSILON, max_degree=2), 1),
    (NodeEdgeCount(epsilon=EPSILON), 0.1),
    (NodeTwoStars(epsilon=EPSILON, max_degree=2), 1),
    (NodeTwoStars(epsilon=EPSILON), 0.1),
    (NodeThreeStars(epsilon=EPSILON, max_degree=3), 0.9),
    (NodeDegreeHistogram(epsilon=EPSILON, max_degree=2), 1),
    (NodeDegreeHistogram(epsilon=EPSILON, max_degree=3), 1),
    (NodeDegreeHistogram(epsilon=EPSILON), 0.9),
    (NodeDegreeDistribution(epsilon=EPSILON), 0.9),
]


def name(case: Any) -> str:
    return type(case).__name__ if hasattr(case, "epsilon") else ""


class Recorder:
    """Stands in for the noise: notes what was asked, answers with a fixed outcome."""

    def __init__(self, outcome: int) -> None:
        self.outcome = outcome
        self.asked: list[tuple[np.ndarray, Fraction]] = []

    def __call__(self, noise: object, values: Any, rate: Fraction) -> Any:
        self.asked.append((np.atleast_1d(values).astype(np.int64), rate))
        return self.outcome if np.ndim(values) == 0 else np.full(np.shape(values), self.outcome)


def record(page: Any, graph: Graph, outcome: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[np.ndarray, Fraction]]:
    recorder = Recorder(outcome)
    for key, module in list(sys.modules.items()):
        if key.startswith("graphveil.") and hasattr(module, "add_discrete_laplace"):
            monkeypatch.setattr(module, "add_discrete_laplace", recorder)
    page.run(graph, SeededNoise(1))
    return recorder.asked


def largest_loss(page: Any, pairs: list[tuple[Graph, Graph]], monkeypatch: pytest.MonkeyPatch) -> Fraction:
    worst = Fraction(0)
    graphs = {id(graph): graph for pair in pairs for graph in pair}
    for outcome in OUTCOMES:
        asked = {key: record(page, graph, outcome, monkeypatch) for key, graph in graphs.items()}
        for less, more in pairs:
            questions = zip(asked[id(less)], asked[id(more)], strict=True)
            loss = Fraction(0)
            for (one, rate), (other, other_rate) in questions:
                assert rate == other_rate  # the noise itself must not depend on the graph
                loss += rate * int(np.abs(one - other).sum())
            worst = max(worst, loss)
    return worst


@pytest.mark.parametrize(("page", "share"), EDGE_PAGES, ids=name)
def test_one_edge_costs_at_most_epsilon(page: Any, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    loss = largest_loss(page, edge_neighbours(4), monkeypatch)
    assert share * page.epsilon <= loss <= page.epsilon == page.guarantee.epsilon


@pytest.mark.parametrize(("page", "share"), NODE_PAGES, ids=name)
def test_one_person_costs_at_most_epsilon(page: Any, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    loss = largest_loss(page, node_neighbours(4), monkeypatch)
    assert share * page.epsilon <= loss <= page.epsilon == page.guarantee.epsilon
