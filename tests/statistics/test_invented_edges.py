"""How many published edges are invented: the law behind the bound, and how often the bound holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from graphveil.central.choices.noisy_adjacency import NoisyAdjacency
from graphveil.central.choices.top_m_filter import TopMFilter
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.accuracy import discrete_laplace_quantile
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.statistics.publication.invented_edges import KnownEdges, PublishedPairs, expected_ones

ALPHA = 1e-6  # of a false alarm, for every test
NETWORK = power_law_cluster(120, 4, 0.5, seed=3)
rng = np.random.default_rng(1)
EVERYBODY = np.array(list(combinations(range(30), 2)))
DENSE = Graph.from_edges(EVERYBODY[rng.permutation(len(EVERYBODY))[:300]], n_nodes=30)  # two thirds of all pairs
GRAPHS = {"sparse": NETWORK, "dense": DENSE, "empty": Graph.from_edges([], n_nodes=30)}
QUERIES = {
    "filter": TopMFilter,
    "threshold": NoisyAdjacency,
    "most-likely": lambda epsilon: NoisyAdjacency(epsilon, projection="most-likely"),
}


PAIRS = 190


def chance_outside(edges: int, size: Callable[[int], int], rate: float, failure: float) -> tuple[float, float]:
    """With which probability the true edges lie below and above their bounds, summed over all that can happen."""
    flip, below, above = 1 / (1 + math.exp(rate)), 0.0, 0.0
    of_edges = binom.pmf(range(edges + 1), edges, 1 - flip)
    of_others = binom.pmf(range(PAIRS - edges + 1), PAIRS - edges, flip)
    for ones in range(PAIRS + 1):
        published = PublishedPairs(PAIRS, ones, size(ones), Fraction(rate))
        low, high = published.true_ends((edges, edges), failure)
        among = np.arange(max(0, ones + edges - PAIRS), min(edges, ones) + 1)
        chance = of_edges[among] * of_others[ones - among]
        if size(ones) <= ones:
            drawn, sure = hypergeom(max(1, ones), among, size(ones)), 0
        else:
            drawn, sure = hypergeom(PAIRS - ones, edges - among, size(ones) - ones), among
        below += chance @ drawn.cdf(low - 1 - sure)
        above += chance @ drawn.sf(high - sure)
    return below, above


@pytest.mark.parametrize("rate", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("edges", [0, 5, 40, 150])
@pytest.mark.parametrize("size", [lambda ones: ones, lambda ones: 40, lambda ones: 160], ids=["ones", "40", "160"])
def test_true_edges_leave_their_bounds_as_rarely_as_three_tails_allow(rate, edges, size):
    for failure in (0.2, 0.01):
        assert max(chance_outside(edges, size, rate, failure)) <= 3 * failure
    if edges == 40 and rate < 3:
        assert max(chance_outside(edges, size, rate, 1 - 1e-9)) > 0.1  # the power to see bounds without slack


@pytest.mark.parametrize("rate", [0.5, 2.0])
@pytest.mark.parametrize("size", [20, 60, 170])
def test_the_expected_number_of_true_edges(rate, size):
    """By simulation of the bits, for the number of ones that is to be expected."""
    edges, rng = 60, np.random.default_rng(3)
    flip = 1 / (1 + math.exp(rate))
    true = np.arange(PAIRS) < edges
    found = []
    for _ in range(3000):
        bits = true ^ (rng.random(PAIRS) < flip)
        order = np.argsort(rng.random(PAIRS) - bits)
        found.append(true[order[:size]].sum())
    published = PublishedPairs(PAIRS, expected_ones(edges, PAIRS, Fraction(rate)), size, Fraction(rate))
    assert published.true_edges(edges) == pytest.approx(np.mean(found), abs=0.5)


def test_the_number_of_edges_lies_in_the_range_known_from_the_ones():
    """The exact law of the ones, for a quarter of all pairs being edges."""
    pairs, edges, rate, failure = 400, 100, 1.0, 0.1
    flip = 1 / (1 + math.e)
    ones = np.convolve(binom.pmf(range(edges + 1), edges, 1 - flip), binom.pmf(range(301), pairs - edges, flip))
    ranges = [KnownEdges.from_ones(0, count, pairs, Fraction(1)).within(failure) for count in range(pairs + 1)]
    missed = sum(chance for chance, (low, high) in zip(ones, ranges, strict=True) if not low <= edges <= high)
    assert missed <= failure
    tight = [KnownEdges.from_ones(0, count, pairs, Fraction(rate)).within(0.9999) for count in range(pairs + 1)]
    assert sum(c for c, (low, high) in zip(ones, tight, strict=True) if not low <= edges <= high) > failure  # power


def test_the_number_of_edges_lies_in_the_range_known_from_a_count():
    reach = discrete_laplace_quantile(Fraction(1, 5), 0.9)
    assert KnownEdges.from_count(50, 1000, Fraction(1, 5)).within(0.1) == (50 - reach, 50 + reach)
    assert KnownEdges.from_count(2, 1000, Fraction(1, 5)).within(0.1) == (0, 2 + reach)
    assert KnownEdges.from_count(999, 1000, Fraction(1, 5)).within(0.1) == (999 - reach, 1000)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(4)])
def test_intervals_hold_as_often_as_they_say(query, graph, epsilon):
    true, runs, held = set(map(tuple, graph.edges().tolist())), 60, 0
    for seed in range(runs):
        answer = run(query(epsilon=epsilon), graph, SeededNoise(seed))
        low, high = answer.accuracy.interval(0.5)
        missed = len(answer.value) - len(true.intersection(answer.value)) if answer.value else len(true)
        held += low <= missed <= high
        assert 0 <= low <= answer.accuracy.center <= high <= answer.accuracy.support[1]
    assert held >= binom.ppf(ALPHA, runs, 0.5)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_nothing_is_said_about_shares_where_nothing_is_known(query):
    """At so small an epsilon the noisy number of edges is anything between none and all."""
    for seed in range(12):
        accuracy = run(query(epsilon=Fraction(1, 1000)), NETWORK, SeededNoise(seed)).accuracy
        assert "about" not in accuracy.scope
        assert "times this epsilon" not in accuracy.scope
        low, high = accuracy.interval(0.95)
        assert high == accuracy.support[1]
        assert low <= accuracy.center <= high


def test_what_is_needed_is_told_in_terms_of_the_epsilon_that_was_given():
    """Under k edges at once a query has a k-th of what the user gave, but a multiple stays the same."""
    noted = run(TopMFilter(epsilon=Fraction(2)), NETWORK, SeededNoise(1)).accuracy.scope
    factor = float(noted.split("would need ")[1].split(" times")[0])
    better = run(TopMFilter(epsilon=2 * Fraction(factor)), NETWORK, SeededNoise(1)).accuracy
    assert better.center / better.support[1] == pytest.approx(0.5, abs=0.06)
    nothing = run(NoisyAdjacency(epsilon=Fraction(2)), NETWORK, SeededNoise(1)).accuracy.scope
    factor = float(nothing.split("would need ")[1].split(" times")[0])
    assert run(NoisyAdjacency(epsilon=2 * Fraction(factor) * Fraction(11, 10)), NETWORK, SeededNoise(1)).value
