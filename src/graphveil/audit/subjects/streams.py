"""Whole streams ready to be audited: every noisy block of all periods, on histories that differ in one friendship."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.mechanisms.measurement import Measurement, Measurements
from graphveil.privacy.unit import EDGE, NODE, Kind, Unit
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.opening import StreamTerms
from graphveil.release.over_time.pairs import PairTable
from graphveil.release.over_time.spec import FRESH, NEW, TREE, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import whole_stream

History = Sequence[Sequence[tuple[int, int]]]  # the edges of every period
NAMES = list("abcdefghij")
NONE = (0, 0)  # in a list of arrivals: a period in which nobody meets


def counts_over_time(
    history: History, query: StreamQuery, changes: int, unit: Kind = Kind.EDGE
) -> list[tuple[int, ...]]:
    """The exact parts of a count after every period."""
    pairs, values = PairTable.empty(), []
    for step, edges in enumerate(history, start=1):
        pairs = pairs.step(np.array(edges, dtype=np.int64).reshape(-1, 2), step, changes)
        values.append(COUNTS[unit, query.name].exact(pairs, NAMES, query.options))
    return values


def people_over_time(history: Sequence[Sequence[str]]) -> list[tuple[int]]:
    """How many people were ever named after every period."""
    return [(len({name for names in history[: step + 1] for name in names}),) for step in range(len(history))]


def growing(arrivals: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """A history in which one friendship arrives in each period, or none."""
    return [[pair for pair in arrivals[: step + 1] if pair != NONE] for step in range(len(arrivals))]


def one_less(arrivals: Sequence[tuple[int, int]], place: int) -> Pair:
    """A growing history, and the same without one of its friendships."""
    other = [NONE if i == place else pair for i, pair in enumerate(arrivals)]
    return Pair(growing(arrivals), growing(other), f"friendship {arrivals[place]} seen in period {place + 1} or never")


def stream_of(query: StreamQuery, changes: int, unit: Unit = EDGE) -> StreamSpec:
    """Terms of a stream with this query alone."""
    return StreamSpec("audit", "audit", unit, per_friendship=False, changes=changes, horizon=20, queries=(query,))


def _stream(name: str, *, changes: int, radix: tuple[int, ...], **options: Any) -> Build:
    def build(epsilon: Fraction) -> Mechanism:
        query = StreamQuery(name, epsilon, TREE, radix, options)

        def measurements(history: History) -> Measurements:
            return whole_stream(stream_of(query, changes), query, counts_over_time(history, query, changes))

        return measured(measurements)

    return build


def _people(epsilon: Fraction) -> Mechanism:
    query = StreamQuery("nodes", epsilon, TREE, (2,))
    return measured(lambda history: whole_stream(stream_of(query, 1, NODE), query, people_over_time(history)))


def _person_edges(epsilon: Fraction) -> Mechanism:
    query = StreamQuery("edges", epsilon, TREE, (2,), {"max_degree": 3})

    def measurements(history: History) -> Measurements:
        values = counts_over_time(history, query, 1, Kind.NODE)
        return whole_stream(stream_of(query, 1, NODE), query, values)

    return measured(measurements)


def _several_queries(epsilon: Fraction) -> Mechanism:
    """Every measurement of every query of one stream: two sums over time, and triangles drawn anew each period."""
    shares = {"edges": Fraction(1, 4), "2-stars": Fraction(1, 4), "triangles": Fraction(1, 2)}
    methods = {"edges": TREE, "2-stars": TREE, "triangles": FRESH}
    terms = StreamTerms(shares, "edge", epsilon, 6, ever=True, max_degree=3, methods=methods)

    def measurements(history: History) -> Measurements:
        spec = terms.spec("audit")
        found: list[Measurement] = []
        for query in spec.queries:
            if query.method == TREE:
                found += whole_stream(spec, query, counts_over_time(history, query, spec.changes))
            else:
                counted = prepare_fresh(spec, query).query
                for edges in history:
                    found += counted.measure(Graph.from_edges(np.array(edges).reshape(-1, 2), n_nodes=10))
        return tuple(found)

    return measured(measurements)


def _new_edges(epsilon: Fraction) -> Mechanism:
    """The measurements of every period, about the friendships first seen in it."""
    query = StreamQuery("edges", epsilon, NEW)
    counted = prepare_fresh(stream_of(query, 4), query).query

    def measurements(history: History) -> Measurements:
        pairs = PairTable.empty()
        found: list[Measurement] = []
        for step, edges in enumerate(history, start=1):
            pairs = pairs.step(np.array(edges, dtype=np.int64).reshape(-1, 2), step, 4)
            found += counted.measure(Graph.from_edges(pairs.ends[pairs.since == step], n_nodes=10))
        return tuple(found)

    return measured(measurements)


def _edge_pairs() -> list[Pair]:
    line = [(i, i + 1) for i in range(6)]
    ended: History = [[(0, 1)], [(0, 1)], [], [], [], []]
    lasting: History = [[(0, 1)]] * 6
    return [one_less(line, 0), one_less(line, 3), Pair(lasting, ended, "a friendship ends in period 3 or goes on")]


def _star_pairs() -> list[Pair]:
    """Both ends of the friendship make as many friends later as are counted."""
    return [one_less([(0, 1), *((0, i) for i in range(2, 5)), *((1, i) for i in range(5, 8))], 0)]


def _triangle_pairs() -> list[Pair]:
    """Without the first friendship, a later one of either end is among the first four; all close three triangles."""
    arrivals = [(0, 1), *((person, other) for person in range(4) for other in (4, 5, 6)), (0, 2), (1, 3)]
    return [one_less(arrivals, 0)]


def _new_pairs() -> list[Pair]:
    """A friendship that comes, goes and comes again is new once."""
    back: History = [[(0, 1)], [(0, 1)], [(1, 2)], [(0, 1), (1, 2)], [], [(0, 1)]]
    never: History = [[], [], [(1, 2)], [(1, 2)], [], []]
    return [Pair(back, never, "a friendship that comes, goes and comes again, or never is")]


def _people_pairs() -> list[Pair]:
    """A person who is named in most periods, or in none."""
    others = [[], ["b"], ["b", "c"], ["c"], ["c", "d"], ["d"]]
    there = [[*names, "a"] if step not in (2, 4) else names for step, names in enumerate(others)]
    return [Pair(there, others, "a person named in periods 1, 2, 4 and 6, or never")]


def _person_edge_pairs() -> list[Pair]:
    """A person who makes three friends, or is never there; nobody makes more."""
    others = [NONE, (1, 4), (2, 4), (2, 5), (3, 5), (1, 6)]
    mine = [(0, 1), NONE, (0, 2), NONE, (0, 3), NONE]
    there = [[*before, *now] for before, now in zip(growing(others), growing(mine), strict=True)]
    return [Pair(there, growing(others), "a person with friends from periods 1, 3 and 5, or never")]


def _several_pairs() -> list[Pair]:
    """A friendship that later ones close triangles with, known from the first period on or never."""
    return [one_less([(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)], 0)]


def _band_pairs() -> list[Pair]:
    """Both ends of the friendship make friends later, each of which moves up by one and crosses every cut."""
    later = [(0, 2), (1, 3), (0, 4), (1, 5), (0, 6), (1, 7), (0, 8), (1, 9)]
    return [one_less([(0, 1), *later], 0)]


STREAM_SUBJECTS = (
    Subject(
        "stream-edges",
        SubjectKind.MECHANISM,
        "edges over six periods, by blocks of 2",
        _stream("edges", changes=4, radix=(2,)),
        _edge_pairs,
    ),
    Subject(
        "stream-two-stars",
        SubjectKind.MECHANISM,
        "2-stars over time, degrees above 3 counted linearly",
        _stream("2-stars", changes=1, radix=(3,), max_degree=3),
        _star_pairs,
    ),
    Subject(
        "stream-triangles",
        SubjectKind.MECHANISM,
        "triangles over time of everybody's first 4 friendships",
        _stream("triangles", changes=1, radix=(4,), max_degree=4),
        _triangle_pairs,
    ),
    Subject(
        "stream-degrees",
        SubjectKind.MECHANISM,
        "degree histogram over time, in bands up to 4 friends",
        _stream("degree-histogram", changes=1, radix=(), max_degree=4),
        _band_pairs,
    ),
    Subject(
        "stream-new-edges",
        SubjectKind.MECHANISM,
        "edges first seen in each of six periods, each at the whole epsilon",
        _new_edges,
        _new_pairs,
    ),
    Subject(
        "stream-people",
        SubjectKind.MECHANISM,
        "people ever named over six periods, by blocks of 2",
        _people,
        _people_pairs,
    ),
    Subject(
        "stream-person-edges",
        SubjectKind.MECHANISM,
        "edges of persons over six periods, everybody's first 3, by blocks of 2",
        _person_edges,
        _person_edge_pairs,
    ),
    Subject(
        "stream-of-several",
        SubjectKind.MECHANISM,
        "a whole stream: edges and 2-stars by blocks, triangles drawn anew in each of six periods",
        _several_queries,
        _several_pairs,
    ),
)
