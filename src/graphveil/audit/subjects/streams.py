"""Whole streams ready to be audited: every noisy block of all periods, on histories that differ in one friendship."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.mechanisms.measurement import Measurements
from graphveil.privacy.unit import EDGE
from graphveil.release.over_time.answers import whole_stream
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.pairs import PairTable
from graphveil.release.over_time.spec import TREE, StreamQuery, StreamSpec

History = Sequence[Sequence[tuple[int, int]]]  # the edges of every period
NONE = (0, 0)  # in a list of arrivals: a period in which nobody meets


def counts_over_time(history: History, query: StreamQuery, changes: int) -> list[int]:
    """The exact count after every period."""
    pairs, values = PairTable.empty(), []
    for step, edges in enumerate(history, start=1):
        pairs = pairs.step(np.array(edges, dtype=np.int64).reshape(-1, 2), step, changes)
        values.append(COUNTS[query.name].exact(pairs, 0, query.options))
    return values


def growing(arrivals: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """A history in which one friendship arrives in each period, or none."""
    return [[pair for pair in arrivals[: step + 1] if pair != NONE] for step in range(len(arrivals))]


def one_less(arrivals: Sequence[tuple[int, int]], place: int) -> Pair:
    """A growing history, and the same without one of its friendships."""
    other = [NONE if i == place else pair for i, pair in enumerate(arrivals)]
    return Pair(growing(arrivals), growing(other), f"friendship {arrivals[place]} seen in period {place + 1} or never")


def stream_of(query: StreamQuery, changes: int) -> StreamSpec:
    """Terms of a stream with this query alone."""
    return StreamSpec("audit", "audit", EDGE, per_friendship=False, changes=changes, horizon=20, queries=(query,))


def _stream(name: str, *, changes: int, radix: tuple[int, ...], **options: Any) -> Build:
    def build(epsilon: Fraction) -> Mechanism:
        query = StreamQuery(name, epsilon, TREE, radix, options)

        def measurements(history: History) -> Measurements:
            return whole_stream(stream_of(query, changes), query, counts_over_time(history, query, changes))

        return measured(measurements)

    return build


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
)
