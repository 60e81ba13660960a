"""Every synthesizer: its measurements cost what it claims, and its fit follows from their outcomes alone."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ClaimRefuted
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.algorithm import Algorithm, PublicFacts, measured
from graphveil.mechanisms.measurement import draw, draw_rows, stages_of, total_loss
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import SYNTHESIZERS, find_synthesizer
from graphveil.release.session import Session
from graphveil.synthetic.synthesizer import Synthesizer

PEOPLE = 40
GRAPHS = [
    Graph.from_edges([], n_nodes=PEOPLE),
    power_law_cluster(PEOPLE, 3, 0.5, seed=1),
    Graph.from_edges([(u, v) for u in range(PEOPLE) for v in range(u) if (u + v) % 3]),
]
FACTS = PublicFacts(n_nodes=PEOPLE)
BUILT: dict[str, Synthesizer] = {
    f"{method.name}, epsilon {epsilon}": method.build(Fraction(epsilon))
    for method in SYNTHESIZERS
    if not method.refuted
    for epsilon in (1, 20)
} | {f"veil, {way}": find_synthesizer("veil").build(Fraction(1), {"way": way}) for way in ("measured", "response")}
named = pytest.mark.parametrize("name", BUILT)


@named
@pytest.mark.parametrize("graph", GRAPHS, ids=["empty", "sparse", "dense"])
def test_measurements_cost_epsilon_and_stages_say_so(name: str, graph: Graph) -> None:
    synthesizer = BUILT[name]
    measurements = measured(synthesizer, graph)
    assert total_loss(measurements).epsilon == synthesizer.epsilon
    draw(measurements, SeededNoise(1))
    stages = list(stages_of(measurements))
    assert sum(stage.epsilon for stage in stages) == synthesizer.epsilon
    assert all(len(stage.text) > 20 for stage in stages)


@named
def test_equal_outcomes_give_equal_fits_whatever_graph_was_measured(name: str) -> None:
    synthesizer = BUILT[name]
    outcomes = draw(synthesizer.measure(GRAPHS[1]), SeededNoise(2))
    fits = []
    for graph in GRAPHS:
        synthesizer.measure(graph)
        fits.append(pickle.dumps(synthesizer.conclude(pickle.loads(pickle.dumps(outcomes)), FACTS)))
    assert len(set(fits)) == 1


@named
def test_many_runs_have_as_many_columns_every_time(name: str) -> None:
    """An audit compares outcomes column by column, from calls of different sizes."""
    *before, last = BUILT[name].measure(GRAPHS[1])  # what the last one needs more in some runs is padded
    for measurement in before:
        widths = [draw_rows((measurement,), SeededNoise(runs), runs).shape[1] for runs in (2, 9)]
        assert widths[0] == widths[1]
    assert len(draw_rows((last,), SeededNoise(1), 3)) == 3


@pytest.mark.parametrize("name", [method.name for method in SYNTHESIZERS if method.refuted])
def test_what_is_kept_as_published_is_no_algorithm_and_makes_no_release(name: str) -> None:
    row = find_synthesizer(name)
    assert not isinstance(row.build(Fraction(30)), Algorithm)
    session = Session(GRAPHS[1], unit="edge", budget=1)
    with pytest.raises(ClaimRefuted, match="kept as published"):
        session.synthesize(name, epsilon=1)
    assert session.spent == (0, 0)
    drawn = [row.build(Fraction(30)).draw_graph(GRAPHS[1], SeededNoise(1), seed=5) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0].n_nodes >= PEOPLE


def test_a_release_explains_what_was_measured_and_what_it_cost() -> None:
    people = {u: "left" if u % 2 else "right" for u in range(PEOPLE)}
    session = Session(GRAPHS[1], unit="2-edge", budget=4)
    release = session.synthesize("dk2-soft", epsilon=4, attributes=people)
    assert release.guarantee.epsilon == 4
    text = release.explain()
    assert "synthetic graphs by dk2-soft: how this answer was made\n  1. measured the number of edges" in text
    assert "any number of graphs is drawn from it" in text
    assert "categories of people" in text
    assert "[epsilon 0.4]" in text  # a tenth of 4, for two edges
    assert "protected: whether two given people are connected, and 2 such facts together" in text
    assert np.isclose(float(sum(stage.epsilon for stage in release.release.stages)), 2)
