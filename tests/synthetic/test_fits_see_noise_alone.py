"""A fit says nothing about a graph but what its measurements gave: with these made constant, all graphs fit alike.

This is why an audit of the measurements is an audit of the synthesizer.
"""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.choices import Choices
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.noisy_numbers import NoisyInteger, NoisyVector, OnLadder
from graphveil.mechanisms.old_measurement import Measured, StepByStep
from graphveil.papers.peers.dgg import DegreeBlocks
from graphveil.registry import SYNTHESIZERS, find_synthesizer
from graphveil.statistics.publication.noisy_pairs import LargestPairs, NearestGraph
from graphveil.synthetic.synthesizer import Fit, Synthesizer

PEOPLE = 40
GRAPHS = [
    Graph.from_edges([], n_nodes=PEOPLE),
    power_law_cluster(PEOPLE, 3, 0.5, seed=1),
    Graph.from_edges([(u, v) for u in range(PEOPLE) for v in range(u) if (u + v) % 3]),
]
PAGES: dict[str, Synthesizer] = {
    f"{method.name}, epsilon {epsilon}": method.build(Fraction(epsilon))
    for method in SYNTHESIZERS
    if not method.refuted
    for epsilon in (1, 20)
} | {f"veil, {way}": find_synthesizer("veil").build(Fraction(1), {"way": way}) for way in ("measured", "response")}


@pytest.fixture
def constant_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes depend on the public size of a measurement alone."""
    published = Graph.from_edges([(u, u + 1) for u in range(PEOPLE - 1)], n_nodes=PEOPLE)

    def same_tiles(self: StepByStep, noise: object) -> Any:
        step: Any = self.step
        degrees, *public = step.args
        return step.func(np.full(len(degrees), 3), *public, SeededNoise(1), **step.keywords)

    outcomes = {
        NoisyInteger: lambda self, noise: 40,
        NoisyVector: lambda self, noise: np.arange(len(self.exact))[::-1] // 3,
        OnLadder: lambda self, noise: 40,
        StepByStep: same_tiles,
        LargestPairs: lambda self, noise: (published, published.n_edges),
        NearestGraph: lambda self, noise: (published, published.n_edges),
        Choices: lambda self, noise: np.arange(len(self.scores)) % self.scores.shape[1],
    }
    for measurement, outcome in outcomes.items():
        monkeypatch.setattr(measurement, "draw", outcome)


def fits(page: Synthesizer) -> list[bytes]:
    return [pickle.dumps(page.fit(graph, SeededNoise(2))) for graph in GRAPHS]


@pytest.mark.usefixtures("constant_measurements")
@pytest.mark.parametrize("name", PAGES)
def test_fits_are_the_same_whatever_the_graph_was(name: str) -> None:
    assert isinstance(PAGES[name], Measured)
    first, *others = fits(PAGES[name])
    assert all(other == first for other in others)


@pytest.mark.usefixtures("constant_measurements")
def test_a_fit_that_looks_once_more_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = DegreeBlocks.fit

    def fit(self: DegreeBlocks, graph: Graph, noise: SeededNoise) -> Fit:
        fitted = honest(self, graph, noise)
        return replace(fitted, targets=fitted.targets | {"largest": int(graph.degrees.max(initial=0))})

    monkeypatch.setattr(DegreeBlocks, "fit", fit)
    first, *others = fits(DegreeBlocks(epsilon=Fraction(1)))
    assert any(other != first for other in others)


@pytest.mark.parametrize("name", PAGES)
def test_measurements_are_drawn_in_as_many_columns_every_time(name: str) -> None:
    """An audit compares outcomes column by column, from calls of different sizes."""
    page: Any = PAGES[name]
    *before, _ = page.measurements(GRAPHS[1])  # what the last one needs more in some runs is padded
    for measurement in before:
        assert np.shape(measurement.draws(SeededNoise(1), 2))[1:] == np.shape(measurement.draws(SeededNoise(2), 9))[1:]
