"""Graphs that a release of degrees cannot tell apart, which is what its intervals have to be long enough for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import skewed_graph

from graphveil.central.node.degree_distribution import NodeDegreeDistribution
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.statistics.degrees.gap_twins import twins
from graphveil.statistics.degrees.node_tiles import count_gaps

BOUND, EPSILON, SEED = 150, Fraction(4), 3


def people_below(graph: Graph) -> np.ndarray:
    return np.bincount(graph.degrees, minlength=BOUND + 1)[:BOUND].cumsum()


def graph_and_twins() -> tuple[Graph, list[Graph], np.ndarray]:
    """A graph, some with the same boxes in every tile, and the tiles, as they are chosen next to this noise."""
    graph, page = skewed_graph(600, 4000, seed=5), NodeDegreeHistogram(epsilon=EPSILON, max_degree=BOUND)
    assert graph.degrees.max() < BOUND
    cuts = page.measure(graph, SeededNoise(SEED)).tiles.cuts
    steps = [np.diff(below, prepend=0, append=graph.n_nodes) for below in twins(people_below(graph), cuts)]
    return graph, [configuration(np.repeat(np.arange(BOUND + 1), step), seed=1) for step in steps], cuts


def test_twins_are_graphs_with_other_degrees_and_the_same_boxes() -> None:
    graph, others, cuts = graph_and_twins()
    assert len(others) == 9
    for twin in others:
        assert np.array_equal(count_gaps(graph.degrees, cuts), count_gaps(twin.degrees, cuts))
        moved = np.abs(np.bincount(graph.degrees, minlength=BOUND) - np.bincount(twin.degrees, minlength=BOUND)).sum()
        assert moved > 0.3 * graph.n_nodes


@pytest.mark.parametrize("page", [NodeDegreeHistogram, NodeDegreeDistribution])
def test_with_the_same_noise_twins_have_the_same_answer_and_the_same_interval(page: type) -> None:
    """So an interval that is fitted to one of them is wrong for others, and ours is not."""
    graph, others, _ = graph_and_twins()
    answers = [run(page(epsilon=EPSILON, max_degree=BOUND), each, SeededNoise(SEED)) for each in (graph, *others)]
    first = answers[0]
    whole = 1 if page is NodeDegreeHistogram else graph.n_nodes
    ends = np.array(first.accuracy.interval(0.95)[1])[:BOUND]
    for each, answer in zip((graph, *others), answers, strict=True):
        assert answer.value == first.value
        assert answer.accuracy == first.accuracy
        assert answer.derived == first.derived
        assert np.all(people_below(each)[: len(ends)] / whole <= ends)


def test_twins_rise_and_keep_every_sum_whatever_the_degrees() -> None:
    rng = np.random.default_rng(1)
    for cuts in (np.array([0, 1, 2, 5, 9, 16]), np.array([0, 16]), np.arange(17)):
        for crowd in (1, 3, 40):
            below = np.bincount(rng.integers(0, 17, crowd), minlength=17)[:16].cumsum()
            for twin in twins(below, cuts):
                assert np.all(np.diff(twin, prepend=0) >= 0)
                assert twin[-1] <= crowd
                assert np.array_equal(np.add.reduceat(twin, cuts[:-1]), np.add.reduceat(below, cuts[:-1]))
