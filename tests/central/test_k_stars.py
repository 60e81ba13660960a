"""Stars with any number of leaves: ladders of larger graphs, counts beyond 64 bits, and what is refused.

All graphs of five people are tried in test_ladder_count.py, for two to four leaves.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from every_small_graph import least_successes, skewed_graph

from graphveil.central.edge.k_stars import MOST_MADE, KStars
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.pareto_pairs import star_front
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.statistics.ladder.functions import star_ladder, star_ladder_above
from graphveil.statistics.ladder.ladder import LARGEST, Ladder, SmoothedLadder

ONE = Fraction(1)
HUB = Graph.from_edges([(0, leaf) for leaf in range(1, 150)] + [(i, i + 1) for i in range(1, 149, 2)], n_nodes=160)
BEYOND = 40  # leaves: the hub has more than 2^63 such stars, and an edge can make as many


def random_graph(rng: np.random.Generator, n: int) -> Graph:
    """Some pairs joined, those of the first people more often."""
    share = rng.random()
    edges = [(u, v) for u, v in combinations(range(n), 2) if rng.random() < share ** (1 + u / 3)]
    return Graph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), n_nodes=n)


def with_pair(graph: Graph, pair: tuple[int, int]) -> Graph:
    """The graph with one pair joined if it was not, and parted if it was."""
    edges = {tuple(edge) for edge in graph.edges().tolist()} ^ {pair}
    return Graph.from_edges(np.array(sorted(edges), dtype=np.int64).reshape(-1, 2), n_nodes=graph.n_nodes)


def ladder_of(graph: Graph, k: int) -> Ladder:
    return star_ladder(star_front(graph), graph.n_nodes, k)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 7])
def test_ladders_of_larger_graphs_bound_one_edge_and_their_own_change(k: int) -> None:
    rng, tight = np.random.default_rng(k), False
    for _ in range(12):
        graph = random_graph(rng, 9)
        here = ladder_of(graph, k).first(25)
        for pair in combinations(range(9), 2):
            other = with_pair(graph, pair)
            there, change = ladder_of(other, k).first(25), abs(exact_k_stars(graph, k) - exact_k_stars(other, k))
            assert change <= here[0]
            assert (there[:-1] <= here[1:]).all()
            tight |= change > 0 and change == here[0]
    assert tight


def test_a_ladder_beyond_64_bits_is_the_one_of_exact_arithmetic() -> None:
    n, k = HUB.n_nodes, BEYOND
    front, steps = star_front(HUB), ladder_of(HUB, k).first(400)
    for t in (0, 1, 7, 100, 315, 399):
        most = 0
        for large, small in front:
            raised = min(large + t, n - 2)
            other = min(small + t - (raised - large), n - 2)
            most = max(most, math.comb(raised, k - 1) + math.comb(other, k - 1))
        assert int(steps[t]) == most
    assert int(steps[0]) > LARGEST
    assert np.all(steps <= star_ladder_above(149, n, k).first(400))


def test_smoothing_in_python_is_the_smoothing_of_the_kernel() -> None:
    """A ladder just above 64 bits is the same one 2^40 times lower, but for rounding at every step."""
    low = np.array([1000 * (t + 1) ** 2 for t in range(60)]) << 8
    small = SmoothedLadder(Ladder(low), ONE)
    large = SmoothedLadder(Ladder(low.astype(object) * 2**40), ONE)
    assert int(large.widths(1)[0]) > LARGEST >> 12
    for of_large, of_small in zip(large.reach(60), small.reach(60), strict=True):
        assert int(of_large) == pytest.approx(int(of_small) * 2**40, rel=1e-3)


def misses(query: KStars, graph: Graph, louder: int = 1) -> int:
    """How many of 60 answers have a 95 % interval without the truth."""
    measurements, facts, truth = query.measure(graph), PublicFacts(graph.n_nodes), exact_k_stars(graph, query.k)
    count = 0
    for seed in range(60):
        outcomes = list(draw(measurements, SeededNoise(seed)))
        outcomes[0] = truth + louder * (int(outcomes[0]) - truth)
        low, high = query.conclude(outcomes, facts).accuracy.interval(0.95)
        count += not low <= truth <= high
    return count


@pytest.mark.parametrize("k", [5, BEYOND])
def test_intervals_hold_as_often_as_stated(k: int) -> None:
    """A correct program fails with a probability below 1e-6; noise that is 20 times louder is seen."""
    query = KStars(epsilon=Fraction(20), k=k)
    assert exact_k_stars(HUB, BEYOND) > 2**63
    allowed = 60 - least_successes(60, 0.95)
    assert misses(query, HUB) <= allowed
    assert misses(query, HUB, louder=20) > allowed


def test_a_draw_beyond_64_bits_is_a_whole_number_near_the_count() -> None:
    query, truth = KStars(epsilon=Fraction(10_000), k=BEYOND), exact_k_stars(HUB, BEYOND)
    counted = query.measure(HUB)[0]
    assert isinstance(counted, LadderInteger)
    assert [int(value) for value in counted.draws(SeededNoise(1), 3)] == pytest.approx([truth] * 3, rel=1e-3)
    value = run(query, HUB, SeededNoise(1)).value
    assert isinstance(value, int)
    assert value == pytest.approx(truth, rel=1e-3)


def test_nobody_with_so_many_friends_is_an_answer_near_0() -> None:
    ring = Graph.from_edges([(i, (i + 1) % 60) for i in range(60)])
    answer = run(KStars(epsilon=Fraction(50), k=6), ring, SeededNoise(1))
    assert exact_k_stars(ring, 6) == 0
    assert answer.accuracy.interval(0.95)[0] == 0


def test_one_leaf_is_an_edge_and_is_asked_for_as_such() -> None:
    for k in (0, 1):
        with pytest.raises(ParameterError, match=f"k must be at least 2, not {k}; a star with 1 leaf is an edge"):
            KStars(epsilon=ONE, k=k)


def test_more_leaves_than_there_are_others_are_refused_before_anything_is_spent() -> None:
    KStars(epsilon=ONE, k=39).check_people(40)
    with pytest.raises(ParameterError, match="among 40 people nobody has more than 39 friends: the number of 40-stars"):
        KStars(epsilon=ONE, k=40).check_people(40)


@pytest.mark.parametrize("people", [4_039, 81_306, 10**6])
def test_counts_too_large_for_an_interval_are_refused_and_the_largest_k_is_named(people: int) -> None:
    with pytest.raises(ParameterError, match=r"ask for a k of at most (\d+)") as refused:
        KStars(epsilon=ONE, k=1_000).check_people(people)
    fits = int(str(refused.value).rsplit(maxsplit=1)[1])
    assert math.comb(people - 2, fits - 1) <= MOST_MADE < math.comb(people - 2, fits)
    KStars(epsilon=ONE, k=fits).check_people(people)
    with pytest.raises(ParameterError):
        KStars(epsilon=ONE, k=fits + 1).check_people(people)


def test_the_largest_k_of_a_graph_still_has_a_finite_forecast() -> None:
    for epsilon in (Fraction(1, 100), Fraction(1)):
        accuracy = KStars(epsilon=epsilon, k=38).forecast(PublicFacts(4_000))
        assert all(math.isfinite(end) for end in (accuracy.std, *accuracy.interval(0.999)))


def test_the_loss_is_epsilon_and_a_hub_s_stars_are_found() -> None:
    network = skewed_graph(400, 3000, seed=1, skew=0.7)
    answer = run(KStars(epsilon=Fraction(4), k=5), network, SeededNoise(3))
    assert sum(stage.epsilon for stage in answer.stages) == 4
    assert answer.value == pytest.approx(exact_k_stars(network, 5), rel=0.1)
