"""Triangles of mixed strengths: the total is right whatever people picked, and is counted where the noise is least."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import chi2, f, norm

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.replies import PairAnswers
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import simulate
from graphveil.local.triangles import total
from graphveil.local.triangles.order import StrengthOrder
from graphveil.local.triangles.preference import PreferredTriangles
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import Publication

ALPHA = 1e-6
PAIRS = list(combinations(range(4), 2))
COMPLETE = Graph.from_edges(PAIRS)
DIAMOND = Graph.from_edges([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)])
TAILED = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)])
CYCLE = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
PICKS = list(product((0, 1), repeat=4))
NETWORK = power_law_cluster(200, 30, 0.6, seed=4)
MIXED, RUNS = np.arange(200) % 2, 120


def expected_total(protocol: PreferredTriangles, graph: Graph, picks, weights=(1, 1)) -> Fraction:
    """The exact mean of the estimate over every way the six answers can come out; the last noise has the mean 0."""
    lists = Lists.of_graph(graph, picks)
    order = protocol.design.order.publish(4, lists.people, lists.choices)
    response, generous = protocol.response(RoundContext()), ({}, {"size": np.full(4, 9)})
    mean = Fraction(0)
    for answers in product((False, True), repeat=len(PAIRS)):
        probability, matrix = Fraction(1), np.zeros((4, 1), dtype=np.uint8)
        for (j, k), yes in zip(PAIRS, answers, strict=True):
            friends = k in graph.neighbors(j)
            chance = response.friend_probability if friends else response.flip_probability
            probability *= chance if yes else 1 - chance
            matrix[j, 0] |= yes << k
        context = RoundContext(3, (order, Publication(PairBits(4, matrix), np.uint64(0))), generous)
        counts = protocol.corrected_counts(context, lists, protocol.bounds(context, lists.people, generous[1]))
        mean += probability * sum(weights[pick] * int(count) for pick, count in zip(picks, counts, strict=True))
    return mean / (PARTS * response.gain)


@pytest.mark.parametrize("graph", [COMPLETE, DIAMOND, TAILED, CYCLE], ids=["complete", "diamond", "tailed", "cycle"])
def test_the_total_is_exactly_unbiased_whatever_four_people_pick(graph: Graph) -> None:
    protocol = PreferredTriangles(epsilon=4, n_people=4, strengths=("1", "4"))
    assert {expected_total(protocol, graph, picks) for picks in PICKS} == {exact_triangles(graph)}


def test_weights_by_variance_on_the_sum_itself_would_bias_it() -> None:
    protocol = PreferredTriangles(epsilon=4, n_people=4, strengths=("1", "4"))
    inverse_variance = (Fraction(2, 17), Fraction(32, 17))  # 1 and 16 parts, 1 on average
    assert expected_total(protocol, DIAMOND, (0, 1, 0, 1), inverse_variance) != exact_triangles(DIAMOND)


def test_every_triangle_is_counted_by_whoever_picked_most() -> None:
    """Without noise the weak count only the triangles in which everybody is weak."""
    protocol = PreferredTriangles(epsilon=4, n_people=4, strengths=("4", "1"))
    for picks in PICKS:
        lists = Lists.of_graph(COMPLETE, picks)
        counted = protocol.counted_lists(
            RoundContext(3, (protocol.design.order.publish(4, lists.people, lists.choices),)), lists
        )
        for row in range(4):
            friends = counted.indices[counted.indptr[row] : counted.indptr[row + 1]]
            assert all(picks[friend] >= picks[row] for friend in friends)  # of equal or of less epsilon
        assert sum(size * (size - 1) // 2 for size in counted.degrees) == 4


class EqualStrengths(StrengthOrder):
    """An order that does not look at what people picked."""

    def publish(self, n_people, people, values):
        return np.minimum(StrengthOrder.publish(self, n_people, people, values), 1)


class ByHash(PreferredTriangles):
    """Every count as heavy as any other."""

    __slots__ = ()

    def make_design(self):
        design = PreferredTriangles.make_design(self)
        return replace(design, order=EqualStrengths(design.order.epsilons))


def variances(protocol: PreferredTriangles, monkeypatch: pytest.MonkeyPatch) -> tuple[float, float]:
    """Of the total, measured and stated, where answers are sure and not used by themselves: only counts are seen."""
    sure = PairResponse(Fraction(30))
    monkeypatch.setattr(total, "estimate_from_answers", lambda *_: None)
    monkeypatch.setattr(TriangleProtocol, "response", lambda self, context: sure)
    monkeypatch.setattr(PairAnswers, "response", sure)
    outcomes = [simulate(protocol, NETWORK, seed=seed, choices=MIXED) for seed in range(RUNS)]
    totals = [outcome.value for outcome in outcomes]
    assert abs(np.mean(totals) - exact_triangles(NETWORK)) < -norm.ppf(ALPHA / 2) * np.std(totals) / RUNS**0.5
    stated = float(np.mean([outcome.estimate.facts["noise_std"] ** 2 for outcome in outcomes]))
    return float(np.var(totals, ddof=1)), stated


def test_counting_where_the_noise_is_least_beats_equal_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"epsilon": 4, "n_people": 200, "strengths": ("1", "4")}
    (ours, stated), (equal, _) = (
        variances(protocol(**asked), monkeypatch) for protocol in (PreferredTriangles, ByHash)
    )
    assert equal / ours > f.ppf(1 - ALPHA, RUNS - 1, RUNS - 1)
    low, high = chi2.ppf([ALPHA / 2, 1 - ALPHA / 2], RUNS - 1) / (RUNS - 1)
    assert low < ours / stated < high


def test_sums_of_counts_at_all_corners_have_no_other_unbiased_weights() -> None:
    """Transitivity of mixed strengths: two networks, all strong and all weak, already settle both weights."""
    corners = np.array([[3, 2, 1, 0], [0, 1, 2, 3]])  # of triangles with 3, 2, 1, 0 strong corners: who counts them
    weights, _, rank, _ = np.linalg.lstsq(corners.T, np.ones(4), rcond=None)
    assert rank == 2
    assert corners.T @ weights == pytest.approx(np.ones(4))
    assert weights == pytest.approx([1 / 3, 1 / 3])
