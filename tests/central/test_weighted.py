"""Queries about weights: what one edge or one person changes, over all small weighted graphs, and what is answered."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from graphveil.central.weighted.node_total import NodeWeightedTotal, kept_total
from graphveil.central.weighted.strength_histogram import StrengthHistogram
from graphveil.central.weighted.total import WeightedTotal
from graphveil.central.weighted.weight_cap import LEAST_CAP, WeightCap, edges_by_weight
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.weighted import WeightedGraph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.release.session import Session

PAIRS = list(combinations(range(4), 2))


def weighted(weights: tuple[int, ...]) -> WeightedGraph:
    """Four people; weight 0 stands for no edge."""
    kept = [(pair, weight) for pair, weight in zip(PAIRS, weights, strict=True) if weight]
    return WeightedGraph.from_ties([pair for pair, _ in kept], [weight for _, weight in kept], n_nodes=4)


GRAPHS = {weights: weighted(weights) for weights in product((0, 1, 3), repeat=6)}


def edge_change(values: dict[tuple[int, ...], np.ndarray]) -> int:
    """By how much, in total, the values change at most when one edge with whatever weight comes or goes."""
    worst = 0
    for weights, value in values.items():
        for place in (i for i, weight in enumerate(weights) if weight):
            without = (*weights[:place], 0, *weights[place + 1 :])
            worst = max(worst, int(np.abs(value - values[without]).sum()))
    return worst


def boxes(numbers: np.ndarray, highest: int = 12) -> np.ndarray:
    return np.array([(numbers >= level).sum() for level in range(1, highest + 1)])


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_an_edge_changes_totals_by_the_cap_and_strengths_by_twice_the_cap(cap):
    totals = {w: np.array([np.minimum(graph.weights, cap).sum()]) for w, graph in GRAPHS.items()}
    assert edge_change(totals) == cap == WeightedTotal(Fraction(1), cap).measure(GRAPHS[(1,) * 6])[0].sensitivity
    strengths = {w: boxes(graph.strengths(cap)) for w, graph in GRAPHS.items()}
    (tiles,) = StrengthHistogram(Fraction(1), max_weight=cap).measure(GRAPHS[(1,) * 6])
    assert edge_change(strengths) == 2 * cap == tiles.sensitivity


def test_an_edge_changes_the_counts_by_weight_by_one():
    assert edge_change({weights: edges_by_weight(graph) for weights, graph in GRAPHS.items()}) == 1


@pytest.mark.parametrize("strength", [1, 2, 3, 4])
def test_a_person_changes_the_kept_weight_by_at_most_the_cap_on_strengths(strength):
    names, changes = np.arange(4), set()
    for graph in GRAPHS.values():
        whole = kept_total(graph, strength)
        for gone in range(4):
            ends = graph.edges()
            left = (ends != gone).all(axis=1)
            moved = ends[left] - (ends[left] > gone)
            rest = WeightedGraph.from_ties(moved, graph.weights[left], n_nodes=3, labels=np.delete(names, gone))
            changes.add(whole - kept_total(rest, strength))
    assert (min(changes), max(changes)) == (0, strength)
    assert NodeWeightedTotal(Fraction(1), strength).measure(GRAPHS[(1,) * 6])[0].sensitivity == strength


def test_a_cap_is_found_from_what_edges_weigh():
    cap = WeightCap(None, Fraction(1))
    light = np.zeros(31)
    light[3] = 500
    assert cap.choose(light) == 32
    light[9] = 500
    assert cap.choose(light) == 2048
    assert cap.choose(np.zeros(31)) == LEAST_CAP
    rng = np.random.default_rng(3)
    ties = rng.integers(0, 400, (4000, 2))
    graph = WeightedGraph.from_ties(ties, rng.integers(1, 60, 4000), n_nodes=400)
    answer = run(WeightedTotal(Fraction(1)), graph, SeededNoise(4))
    assert answer.derived["max_weight"] == 128
    assert abs(answer.value - graph.weights.sum()) < 20 * 128


def test_weights_are_asked_for_and_a_cap_of_0_is_refused():
    session = Session(Graph.from_edges([(0, 1)]), unit="edge", budget=1)
    with pytest.raises(ParameterError, match=r"weighted-total needs weights: read the graph with weighted="):
        session.weighted_total(epsilon=1)
    with pytest.raises(ParameterError, match="max_weight must be a whole number of at least 1, not 0"):
        session.weighted_total(epsilon=1, max_weight=0)
    with pytest.raises(ParameterError, match="groups are answered from plain edges"):
        session.release_by_group("strength-histogram", groups={0: "a"}, epsilon=1)
    assert session.left[0] == 1


def test_strengths_without_noise_to_speak_of_are_exact():
    graph = weighted((1, 3, 1, 0, 0, 1))
    value = run(StrengthHistogram(Fraction(5000), max_weight=3), graph, SeededNoise(1)).value
    np.testing.assert_array_equal(np.trim_zeros(np.rint(value), "b"), np.bincount(graph.strengths()))
    cut = run(StrengthHistogram(Fraction(5000), max_weight=3, max_strength=2), graph, SeededNoise(1)).value
    np.testing.assert_array_equal(np.trim_zeros(np.rint(cut), "b"), np.bincount(np.minimum(graph.strengths(), 2)))
