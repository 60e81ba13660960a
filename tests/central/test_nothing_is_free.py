"""Everything a page says about a graph must come through its noise.

Every algorithm of the registry is run on graphs that differ as much as they may, far more than neighbours do, while
every noisy draw is replaced by the same constant. If any part of the answer (the value, a band, a derived bound, the
words of a stage) still differs, some private fact went round the noise: a degree bound, a support, a number of bins, a
choice of method.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from every_small_graph import skewed_graph

from graphveil.central.edge.edges import EdgeCount
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.triangles import NodeTriangles
from graphveil.central.old_page import Page
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.noisy_numbers import HeavyTailed
from graphveil.mechanisms.selection import PermuteAndFlip
from graphveil.registry import QUERIES
from graphveil.release.draw import run
from graphveil.statistics.publication.noisy_pairs import NoisyPairs

ONE = Fraction(1)
PEOPLE = 60
OPTIONS = {"partitions": ((0,) * PEOPLE, tuple(range(PEOPLE)))}
GRAPHS = {
    "edge": [
        Graph.from_edges([], n_nodes=PEOPLE),
        skewed_graph(PEOPLE, 100, seed=1),
        skewed_graph(PEOPLE, 900, seed=2),
    ],
    "node": [Graph.from_edges([], n_nodes=0), skewed_graph(60, 100, seed=1), skewed_graph(300, 4000, seed=2)],
}
PAGES: dict[str, Page] = {
    algorithm.name: algorithm.build(ONE, {name: OPTIONS[name] for name in algorithm.needs}) for algorithm in QUERIES
}
PAGES |= {
    "node-degree-histogram, small epsilon": NodeDegreeHistogram(epsilon=Fraction(1, 10)),
    "node-degree-histogram, public bound": NodeDegreeHistogram(epsilon=ONE, max_degree=20),
    "node-triangles, public bound": NodeTriangles(epsilon=ONE, max_degree=20),
}


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every draw is a constant that depends on nothing but its place and its public parameters."""

    def constant(noise: object, values: object, law: object) -> object:
        return 40 if np.ndim(values) == 0 else np.arange(40 + np.size(values), 40, -1)

    def some_graph(graph: Graph, true_edges: int, size: int, noise: object) -> Graph:
        pairs = [(u, v) for u in range(PEOPLE) for v in range(u)]
        return Graph.from_edges(pairs[:size], n_nodes=PEOPLE)

    instead: dict[str, Any] = {
        "add_discrete_laplace": constant,
        "sample_ladder": constant,
        "respond": lambda graph, rate, noise: NoisyPairs(50, 1000, 40, 300),
        "draw_graph": some_graph,
    }
    for name, module in list(sys.modules.items()):
        for drawn, other in instead.items():
            if name.startswith("graphveil.") and hasattr(module, drawn):
                monkeypatch.setattr(module, drawn, other)
    monkeypatch.setattr(HeavyTailed, "draw", lambda self, noise: 40)
    monkeypatch.setattr(PermuteAndFlip, "select", lambda self, scores, noise: 0)


def answers(page: Page) -> list[Any]:
    return [run(page, graph, SeededNoise(1)) for graph in GRAPHS[page.unit]]


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("name", PAGES)
def test_answers_depend_on_what_is_private_through_noise_alone(name: str) -> None:
    first, *others = answers(PAGES[name])
    assert all(other == first for other in others)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("leak", ["value", "stage", "derived", "support"])
def test_a_private_fact_that_goes_round_the_noise_is_seen(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = EdgeCount.run

    def run(self: EdgeCount, graph: Graph, noise: SeededNoise) -> Any:
        answer = honest(self, graph, noise)
        largest = int(graph.degrees.max(initial=0))
        if leak == "value":
            return replace(answer, value=min(answer.value, graph.n_edges))
        if leak == "stage":
            return replace(answer, stages=(*answer.stages, replace(answer.stages[0], text=f"used degree {largest}")))
        if leak == "derived":
            return replace(answer, derived={"max_degree": largest})
        return replace(answer, accuracy=replace(answer.accuracy, support=(0, largest)))

    monkeypatch.setattr(EdgeCount, "run", run)
    first, *others = answers(EdgeCount(epsilon=ONE))
    assert any(other != first for other in others)
