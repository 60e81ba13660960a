"""Cliques of four and five and 4-cycles under edge privacy: counts and ladders by brute force over small graphs."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from every_small_graph import edge_neighbours

from graphveil.central.edge.patterns.cliques_and_cycles import (
    FiveCliques,
    FourCliques,
    FourCycles,
    clique_ladder,
    four_cycle_ladder,
)
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.small_patterns import exact_cliques, exact_four_cycles
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise

KINDS = (FourCliques, FiveCliques, FourCycles)


def random_graph(rng: np.random.Generator, n: int) -> Graph:
    share = rng.random()
    edges = [pair for pair in combinations(range(n), 2) if rng.random() < share]
    return Graph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), n_nodes=n)


def with_pair(graph: Graph, u: int, v: int) -> Graph:
    """The graph with one pair joined if it was not, and parted if it was."""
    edges = {tuple(edge) for edge in graph.edges().tolist()} ^ {(u, v)}
    return Graph.from_edges(np.array(sorted(edges), dtype=np.int64).reshape(-1, 2), n_nodes=graph.n_nodes)


def test_counts_are_those_of_listing_every_group() -> None:
    rng = np.random.default_rng(1)
    for _ in range(12):
        graph = random_graph(rng, int(rng.integers(1, 9)))
        joined = {frozenset(edge) for edge in graph.edges().tolist()}

        def complete(group: tuple[int, ...], joined: set[frozenset[int]] = joined) -> bool:
            return all(frozenset(pair) in joined for pair in combinations(group, 2))

        def round_trip(walk: tuple[int, ...], joined: set[frozenset[int]] = joined) -> bool:
            return all(frozenset((walk[i], walk[i - 1])) in joined for i in range(4))

        for size in (4, 5):
            assert exact_cliques(graph, size) == sum(map(complete, combinations(range(graph.n_nodes), size)))
        assert exact_four_cycles(graph) == sum(map(round_trip, permutations(range(graph.n_nodes), 4))) // 8


LADDERS = {
    "4-cliques": (lambda graph: exact_cliques(graph, 4), lambda graph: clique_ladder(graph, 4)),
    "5-cliques": (lambda graph: exact_cliques(graph, 5), lambda graph: clique_ladder(graph, 5)),
    "4-cycles": (exact_four_cycles, four_cycle_ladder),
}


@pytest.mark.parametrize("name", LADDERS)
def test_ladders_bound_one_edge_and_their_own_change(name: str) -> None:
    """(a) and (b) of `statistics.ladder.ladder` on graphs of five people, and on denser ones of seven."""
    count, ladder_of = LADDERS[name]
    rng = np.random.default_rng(2)
    pairs = list(edge_neighbours(5))[::6]
    for _ in range(25):
        graph = random_graph(rng, 7)
        pairs += [(graph, with_pair(graph, 0, 1)), (graph, with_pair(graph, 2, 5))]
    tight_first, tight_next = False, False
    for one, other in pairs:
        steps, steps_of_other = (ladder_of(graph).first(30) for graph in (one, other))
        change = abs(count(one) - count(other))
        assert change <= min(steps[0], steps_of_other[0])
        assert (steps_of_other[:-1] <= steps[1:]).all()
        assert (steps[:-1] <= steps_of_other[1:]).all()
        tight_first |= change > 0 and change == steps[0]
        tight_next |= steps_of_other[0] > steps[0] and steps_of_other[0] == steps[1]
    assert tight_first
    assert tight_next


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_as_often_as_stated(kind: type) -> None:
    """60 draws of a 95 % interval: a correct program fails with probability below 1e-6 beyond 16 misses."""
    graph = Graph.from_edges(list(combinations(range(14), 2)) + [(i, i + 1) for i in range(14, 60)], n_nodes=80)
    query = kind(epsilon=Fraction(1))
    measurements, facts = query.measure(graph), PublicFacts(80)
    misses = 0
    for seed in range(60):
        low, high = query.conclude(draw(measurements, SeededNoise(seed)), facts).accuracy.interval(0.95)
        misses += not low <= kind.counted.exact(graph) <= high
    assert misses <= 16


@pytest.mark.parametrize("kind", KINDS)
def test_more_people_than_64_bits_allow_are_refused_before_anything_is_read(kind: type) -> None:
    with pytest.raises(ParameterError, match="at most 2,000,000 people, not 3,000,000"):
        kind(epsilon=Fraction(1)).check_people(3_000_000)
