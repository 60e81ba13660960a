"""Ladder functions against a search through all graphs on five people."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from exact_loss import all_graphs, assert_ladder_function, brute_local_sensitivity, flips, largest_loss, values_of

from graphveil.central.edge.k_stars import KStars, ThreeStars, TwoStars
from graphveil.central.edge.triangles import LadderTriangles
from graphveil.central.ladder_statistic import LadderStatistic
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.papers.peers.published_ladder import PublishedLadder
from graphveil.statistics.ladder.functions import star_ladder
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

N = 5
GRAPHS = all_graphs(N)
QUERIES: list[LadderStatistic] = [query(epsilon=Fraction(1)) for query in (LadderTriangles, TwoStars, ThreeStars)]
QUERIES += [KStars(epsilon=Fraction(1), k=k) for k in (2, 3, 4)]
# kappa near epsilon / 2 keeps the rungs of such small graphs apart; the default makes all of them equally wide
BUDGETS = [(Fraction(1), Fraction(1, 20)), (Fraction(1), Fraction(1, 2)), (Fraction(5, 2), Fraction(1, 2)),
           (Fraction(4), Fraction(1, 4)), (Fraction(1, 3), Fraction(1, 2))]  # fmt: skip
named = pytest.mark.parametrize("query", QUERIES, ids=lambda query: f"{query.query}: {query.count.what}")


@named
def test_the_ladder_is_local_sensitivity_at_every_distance(query: LadderStatistic) -> None:
    brute = brute_local_sensitivity(values_of(GRAPHS, query.count.exact), N, count=11)
    assert np.array_equal(brute, np.array([query.count.ladder(graph).first(11) for graph in GRAPHS]).T)


@named
def test_the_ladder_meets_both_conditions(query: LadderStatistic) -> None:
    assert_ladder_function(values_of(GRAPHS, query.count.exact), [query.count.ladder(graph) for graph in GRAPHS], N)


@named
@pytest.mark.parametrize(("epsilon", "kappa_share"), BUDGETS)
def test_the_exact_loss_stays_below_epsilon(query: LadderStatistic, epsilon: Fraction, kappa_share: Fraction) -> None:
    laws = [SmoothedLadder(query.count.ladder(graph), epsilon, kappa_share) for graph in GRAPHS]
    loss = largest_loss(values_of(GRAPHS, query.count.exact), laws, N, margin=80)
    assert 0.3 * float(epsilon) < loss <= float(laws[0].rate) + np.log1p(1 / laws[0].q) + 1e-9 < float(epsilon)


@named
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(4)])
def test_the_published_ladder_keeps_its_guarantee(query: LadderStatistic, epsilon: Fraction) -> None:
    laws = [PublishedLadder(query.count.ladder(graph), epsilon) for graph in GRAPHS]
    loss = largest_loss(values_of(GRAPHS, query.count.exact), laws, N, margin=80)
    assert loss <= float(epsilon) + 1e-9


@named
def test_the_number_under_the_interval_has_sensitivity_one_and_bounds_the_ladder(query: LadderStatistic) -> None:
    ladders = [query.count.ladder(graph) for graph in GRAPHS]
    bounds = np.array([query.count.bound.exact(graph, ladder) for graph, ladder in zip(GRAPHS, ladders, strict=True)])
    masks = np.arange(len(GRAPHS))
    assert max(int(np.abs(bounds - bounds[masks ^ flip]).max()) for flip in flips(N)) == 1
    for bound, ladder in zip(bounds, ladders, strict=True):
        assert np.all(ladder.first(30) <= query.count.bound.ladder_above(int(bound), N).first(30))
        assert np.all(ladder.first(30) <= query.count.bound.ladder_above(int(bound) + 1, N).first(30))


def test_half_the_noise_is_caught() -> None:
    query = QUERIES[0]
    laws = [SmoothedLadder(query.count.ladder(graph), Fraction(2)) for graph in GRAPHS]
    assert largest_loss(values_of(GRAPHS, query.count.exact), laws, N, margin=80) > 1


def test_a_pair_s_own_edge_must_be_left_out_of_its_degrees() -> None:
    def naive(graph: Graph) -> Ladder:  # the two largest degrees as they are
        first, second = sorted(graph.degrees.tolist(), reverse=True)[:2]
        return star_ladder(((min(first, N - 2), min(second, N - 2)),), N, 2)

    values = [exact_k_stars(graph, 2) for graph in GRAPHS]
    with pytest.raises(AssertionError):
        assert_ladder_function(values, [naive(graph) for graph in GRAPHS], N)
