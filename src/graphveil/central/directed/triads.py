"""Directed patterns of three people under edge privacy: transitive and cyclic triples, mutual triangles, 2-paths.

Paper      Holland, Leinhardt 1970 for the patterns; smoothed integer ladders, ours
Unit       edge; one directed relationship; the set of people is public
Trust      central
Guarantee  pure epsilon: the count, and a bound for the interval
Estimator  unbiased before it is cut to what n people allow; mean error about I_0 / epsilon
Cost       one exact count and a pass over paths of two arcs

Sensitivity: ladder functions (`statistics.ladder.ladder` says what (a) and (b) ask for). Let L(a, b) be the number of
patterns that an arc from a to b makes, over all ordered pairs of people, whether they are joined or not, and I_0 the
largest. That is (a). One arc elsewhere changes L(a, b) by at most g, and L is at most a public cap, so
I_t = min(I_0 + g t, cap) is a ladder: that is (b).

pattern             L(a, b): people c with                               g   cap        why g
transitive triples  a -> c -> b, a -> c <- b, a <- c -> b, each counted  2   3 (n - 2)  an arc of c is in at most two
cyclic triples      b -> c -> a                                          1   n - 2      an arc of c is in one
mutual triangles    mutual ties with both a and b                        1   n - 2      an arc completes one tie
2-paths             c -> a, or b -> c                                    1   2 (n - 2)  an arc is one or the other

Interval: I_0 changes by at most g with one arc, so I_0 / g, rounded up, has sensitivity 1; its noisy value bounds the
ladder. Patterns are subgraphs: other arcs between the three do not matter. The 16 classes of triples by *all* their
arcs move by 2 (n - 2) with one arc, and are not offered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from graphveil.central.directed.directions import NODE_REASON, DirectedQuery
from graphveil.central.ladder_statistic import LadderBound, LadderCount, LadderStatistic
from graphveil.central.query import PublicFacts
from graphveil.graph.directed import DirectedGraph, oriented
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.triads import (
    exact_cyclic_triples,
    exact_transitive_triples,
    exact_two_paths,
    most_cyclic_triples,
    most_transitive_triples,
    most_two_paths,
)
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.statistics.ladder.functions import rising_ladder, triangle_ladder

INSTEAD = (NODE_REASON, "triangles of the graph without directions")


def most_mutual_triangles(graph: DirectedGraph) -> int:
    """The most people who have mutual ties with both of a pair."""
    return int(triangle_ladder(neighbour_front(graph.mutual), graph.n_nodes).steps[0])


def counted_triads(
    what: str,
    exact: Callable[[DirectedGraph], int],
    most_of_an_arc: Callable[[DirectedGraph], int],
    growth: int,
    others: int,
    most: Callable[[int], int],
    guess: Callable[[PublicFacts], float],
) -> LadderCount:
    """A pattern with the ladder I_0 + growth t, at most others (n - 2)."""

    def cap(n_nodes: int) -> int:
        return others * max(0, n_nodes - 2)

    return LadderCount(
        what=what,
        exact=lambda graph: exact(oriented(graph)),
        ladder=lambda graph: rising_ladder(most_of_an_arc(oriented(graph)), cap(graph.n_nodes), growth),
        most=most,
        bound=LadderBound(
            name="most_of_one_arc" if growth == 1 else f"most_of_one_arc_over_{growth}",
            what=f"most {what.removeprefix('number of ')} that one arc makes"
            + (f", over {growth}" if growth > 1 else ""),
            exact=lambda _, ladder: -(-int(ladder.steps[0]) // growth),
            ladder_above=lambda bound, n_nodes: rising_ladder(growth * bound, cap(n_nodes), growth),
            most=lambda n_nodes: -(-cap(n_nodes) // growth),
            guess=lambda facts: math.ceil(guess(facts) / growth),
        ),
    )


@dataclass(frozen=True, slots=True)
class TransitiveTriples(DirectedQuery, LadderStatistic):
    """How often somebody points at a person and also at whom that person points at.

    >>> graph = DirectedGraph.from_arcs([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> run(TransitiveTriples(epsilon=Fraction(50)), graph, SeededNoise(1)).value
    1
    """

    query = "transitive-triples"
    why_one_unit = INSTEAD
    count = counted_triads(
        "number of transitive triples",
        exact_transitive_triples,
        most_transitive_triples,
        growth=2,
        others=3,
        most=lambda n_nodes: 6 * math.comb(n_nodes, 3),
        guess=lambda facts: 2 * facts.guess_common_neighbors(),
    )


@dataclass(frozen=True, slots=True)
class CyclicTriples(DirectedQuery, LadderStatistic):
    """How many triples of people point at each other in a circle."""

    query = "cyclic-triples"
    why_one_unit = INSTEAD
    count = counted_triads(
        "number of cyclic triples",
        exact_cyclic_triples,
        most_cyclic_triples,
        growth=1,
        others=1,
        most=lambda n_nodes: 2 * math.comb(n_nodes, 3),
        guess=PublicFacts.guess_common_neighbors,
    )


@dataclass(frozen=True, slots=True)
class MutualTriangles(DirectedQuery, LadderStatistic):
    """How many triples of people all point at each other."""

    query = "mutual-triangles"
    why_one_unit = INSTEAD
    count = counted_triads(
        "number of mutual triangles",
        lambda graph: exact_triangles(graph.mutual),
        most_mutual_triangles,
        growth=1,
        others=1,
        most=lambda n_nodes: math.comb(n_nodes, 3),
        guess=PublicFacts.guess_common_neighbors,
    )


@dataclass(frozen=True, slots=True)
class TwoPaths(DirectedQuery, LadderStatistic):
    """How often one person points at a second, who points at a third."""

    query = "2-paths"
    why_one_unit = INSTEAD
    count = counted_triads(
        "number of 2-paths",
        exact_two_paths,
        most_two_paths,
        growth=1,
        others=2,
        most=lambda n_nodes: 6 * math.comb(n_nodes, 3),
        guess=PublicFacts.guess_max_degree,
    )
