"""Directed patterns of three people: counts, ladders over all directed graphs of four people, and what is answered."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from graphveil.central.directed.triads import CyclicTriples, MutualTriangles, TransitiveTriples, TwoPaths
from graphveil.central.query import PublicFacts
from graphveil.graph.directed import DirectedGraph
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.statistics.ladder.functions import FAR_AWAY, rising_ladder

KINDS = (TransitiveTriples, CyclicTriples, MutualTriangles, TwoPaths)
ARCS = list(permutations(range(4), 2))
STEPS = 12


def of_code(code: int) -> DirectedGraph:
    return DirectedGraph.from_arcs([arc for i, arc in enumerate(ARCS) if code >> i & 1], n_nodes=4)


def by_listing(graph: DirectedGraph) -> tuple[int, ...]:
    """The four counts, each triple of people looked at by itself."""
    arcs = {tuple(arc) for arc in graph.arcs.tolist()}
    triples = list(permutations(range(graph.n_nodes), 3))
    paths = [(a, b, c) for a, b, c in triples if (a, b) in arcs and (b, c) in arcs]
    return (
        sum((a, c) in arcs for a, _, c in paths),
        sum((c, a) in arcs for a, _, c in paths) // 3,
        sum(all(pair in arcs for pair in permutations(triple, 2)) for triple in triples) // 6,
        len(paths),
    )


def test_counts_are_those_of_listing_every_triple() -> None:
    rng = np.random.default_rng(3)
    for _ in range(15):
        n = int(rng.integers(1, 9))
        graph = DirectedGraph.from_arcs(rng.integers(0, n, (int(rng.integers(0, 40)), 2)), n_nodes=n)
        assert tuple(kind.count.exact(graph) for kind in KINDS) == by_listing(graph)


@pytest.fixture(scope="module")
def graphs() -> list[DirectedGraph]:
    """All 4,096 of four people; the bits of a graph's place say which arcs it has."""
    return [of_code(code) for code in range(2 ** len(ARCS))]


@pytest.mark.parametrize("kind", KINDS)
def test_ladders_bound_one_arc_and_their_own_change(graphs, kind) -> None:
    """(a) and (b) of `statistics.ladder.ladder`, both attained, and a bound under the interval that moves by 1."""
    count = kind.count
    values = np.array([count.exact(graph) for graph in graphs])
    ladders = [count.ladder(graph) for graph in graphs]
    steps = np.array([ladder.first(STEPS) for ladder in ladders])
    bounds = np.array([count.bound.exact(graph, ladder) for graph, ladder in zip(graphs, ladders, strict=True)])
    above = np.array([count.bound.ladder_above(int(bound), 4).first(STEPS) for bound in bounds])
    assert (above >= steps).all()
    tight = [False, False]
    for arc in range(len(ARCS)):
        other = np.arange(len(graphs)) ^ (1 << arc)
        change = np.abs(values[other] - values)
        assert (change <= steps[:, 0]).all()
        assert (steps[other][:, :-1] <= steps[:, 1:]).all()
        assert np.abs(bounds[other] - bounds).max() == 1
        tight[0] |= bool(((change == steps[:, 0]) & (change > 0)).any())
        tight[1] |= bool(
            (steps[other][:, 0] - steps[:, 0] == steps[:, 1] - steps[:, 0])[steps[:, 1] > steps[:, 0]].any()
        )
    assert all(tight)


def test_a_ladder_of_transitive_triples_that_grows_by_one_would_not_do(graphs) -> None:
    first = np.array([TransitiveTriples.count.ladder(graph).steps[0] for graph in graphs])
    assert max(int(np.abs(first[np.arange(4096) ^ (1 << arc)] - first).max()) for arc in range(12)) == 2


def test_whether_a_ladder_ends_does_not_depend_on_the_graph() -> None:
    """A neighbour of a ladder that goes on for ever goes on too, or (b) fails far away."""
    ends = {(ladder := rising_ladder(first, FAR_AWAY + 9)).slope > 0 for first in (0, 8, 9, 10, FAR_AWAY)}
    assert ends == {True}
    assert ladder.first(2).tolist() == [FAR_AWAY, FAR_AWAY + 1]


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_and_both_directions_lose_twice(kind) -> None:
    """60 draws of a 95 % interval: a correct program fails with probability below 1e-6 beyond 16 misses."""
    rng = np.random.default_rng(4)
    graph = DirectedGraph.from_arcs(rng.integers(0, 60, (1500, 2)), n_nodes=60)
    query = kind(epsilon=Fraction(1))
    assert query.guarantee.relationship_epsilon == 2
    measurements, truth = query.measure(graph), kind.count.exact(graph)
    ends = [
        query.conclude(draw(measurements, SeededNoise(seed)), PublicFacts(60)).accuracy.interval(0.95)
        for seed in range(60)
    ]
    assert sum(not low <= truth <= high for low, high in ends) <= 16
