"""Counts that blocks of periods can answer, and what one event moves in all of their changes.

edges      an event moves the number of edges by 1 in one period.
people     of everybody ever named: a person is counted from one period on, so one person moves the changes by 1. This
           is the only count here for the unit node.
2-stars    of the friendships ever seen, with degrees above a public D counted on linearly: d (d - 1) / 2 up to D, and
           D - 1 more for each further friend. A friendship adds min(d, D - 1) at either end, where d is the degree
           without it. That only grows over time, so the changes in all periods have one sign and add up to 2 (D - 1).
triangles  of the friendships that are among the first D of both their ends, in the order of the periods and then of a
           hash of the names. A friendship less moves later ones of its two ends up by one place, so at most one further
           friendship enters for either end. All kept degrees are at most D, so each of the three friendships closes at
           most D - 1 triangles: 3 (D - 1) in all, since the triangles of a kept friendship only grow in number.

Stars and triangles have no such bound where friendships vanish: a friend of a friend who comes and goes moves them
every time. So they are counted among the friendships ever seen, or drawn fresh.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.privacy.unit import Kind
from graphveil.release.over_time.pairs import PairTable

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OverTime:
    """A count of a table of pairs and of how many people were ever named, with what one unit moves in all periods.

    `bounded` says that it needs a public degree bound and friendships that stay.
    """

    exact: Callable[[PairTable, int, Options], int]
    sensitivity: Callable[[Options], int]
    bounded: bool = True
    unit: Kind = Kind.EDGE


def _two_stars(pairs: PairTable, _: int, options: Options) -> int:
    bound = int(options["max_degree"])
    degrees = np.bincount(pairs.ends.ravel()) if len(pairs.codes) else np.zeros(1, dtype=np.int64)
    below = np.minimum(degrees, bound)
    return int((below * (below - 1) // 2 + (bound - 1) * (degrees - below)).sum())


def _triangles(pairs: PairTable, _: int, options: Options) -> int:
    return exact_triangles(Graph.from_edges(pairs.ends[pairs.first_of_both(int(options["max_degree"]))]))


COUNTS: Mapping[str, OverTime] = {
    "edges": OverTime(lambda pairs, _people, _options: pairs.n_present, lambda _: 1, bounded=False),
    "nodes": OverTime(lambda _pairs, people, _options: people, lambda _: 1, bounded=False, unit=Kind.NODE),
    "2-stars": OverTime(_two_stars, lambda options: max(1, 2 * (int(options["max_degree"]) - 1))),
    "triangles": OverTime(_triangles, lambda options: max(1, 3 * (int(options["max_degree"]) - 1))),
}
