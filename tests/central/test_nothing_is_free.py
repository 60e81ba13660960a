"""Everything a page says about a graph must come through its noise.

Each page is run on graphs that differ as much as they may while every noisy number is replaced by the same constant.
If any part of the answer (the value, a band, a derived bound, the words of a stage) still differs, some private fact
went round the noise: a degree bound, a support, a number of bins, a choice of method.
"""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import skewed_graph

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
from graphveil.central.node_transitivity import NodeTransitivity
from graphveil.central.node_triangles import NodeTriangles
from graphveil.central.nodes import NodeCount
from graphveil.central.top_people import TopPeople
from graphveil.central.young_degree_sequence import YoungDegreeSequence
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SeededNoise

ONE = Fraction(1)
EDGE_PAGES = [
    ComponentCount(epsilon=ONE),
    Degeneracy(epsilon=ONE),
    DegreeDistribution(epsilon=ONE),
    DegreeHistogram(epsilon=ONE),
    DegreeSequence(epsilon=ONE),
    YoungDegreeSequence(epsilon=ONE),
    JointDegrees(epsilon=ONE),
    TopPeople(epsilon=ONE, k=3),
]
NODE_PAGES = [
    NodeCount(epsilon=ONE),
    HIndex(epsilon=ONE),
    NodeDegeneracy(epsilon=ONE),
    NodeDegreeDistribution(epsilon=ONE),
    NodeDegreeHistogram(epsilon=ONE),
    NodeDegreeHistogram(epsilon=Fraction(1, 10)),
    NodeDegreeHistogram(epsilon=ONE, max_degree=20),
    NodeEdgeCount(epsilon=ONE),
    NodeTwoStars(epsilon=ONE),
    NodeThreeStars(epsilon=ONE),
    NodeTriangles(epsilon=ONE),
    NodeTriangles(epsilon=ONE, max_degree=20),
    NodeTransitivity(epsilon=ONE),
]


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every noisy number is a constant that depends on nothing but its place."""

    def constant(noise: object, values: object, rate: Fraction) -> object:
        return 40 if np.ndim(values) == 0 else np.arange(40 + np.size(values), 40, -1)

    for name, module in list(sys.modules.items()):
        for drawn in ("add_discrete_laplace", "sample_ladder"):
            if name.startswith("graphveil.") and hasattr(module, drawn):
                monkeypatch.setattr(module, drawn, constant)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("page", EDGE_PAGES, ids=lambda page: type(page).__name__)
def test_with_the_people_public_answers_depend_on_edges_through_noise_alone(page) -> None:
    graphs = [Graph.from_edges([], n_nodes=60), skewed_graph(60, 100, seed=1), skewed_graph(60, 900, seed=2)]
    answers = [page.run(graph, SeededNoise(1)) for graph in graphs]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("page", NODE_PAGES, ids=lambda page: type(page).__name__)
def test_with_the_people_private_answers_depend_on_everything_through_noise_alone(page) -> None:
    graphs = [Graph.from_edges([], n_nodes=0), skewed_graph(60, 100, seed=1), skewed_graph(300, 4000, seed=2)]
    answers = [page.run(graph, SeededNoise(1)) for graph in graphs]
    assert answers[0] == answers[1] == answers[2]
