"""Counts that sums over time can answer, and what one event moves in all of their changes.

Every count has one part or several, each a whole number. `moves` bounds the absolute changes of a part over all periods
together; `squared` is the square of what they rise plus the square of what they fall, for Gaussian noise.

edges      an event moves the number of edges by 1 in one period.
k-stars    2-stars and 3-stars of the friendships ever seen, with degrees above a public D counted on linearly: C(d, k)
           up to D, and C(D - 1, k - 1) more for each further friend. A friendship adds C(min(d, D - 1), k - 1) at
           either end, where d is the degree without it. That only grows over time, so the changes in all periods have
           one sign and add up to 2 C(D - 1, k - 1).
triangles  of the friendships that are among the first D of both their ends, in the order of the periods and then of a
           hash of the names. A friendship less moves later ones of its two ends up by one place, so at most one further
           friendship enters for either end. All kept degrees are at most D, so each of the three friendships closes at
           most D - 1 triangles: 3 (D - 1) in all, D - 1 one way and 2 (D - 1) the other, since the triangles of a kept
           friendship only grow in number.
degrees    of the friendships ever seen, in bands: those whose number among the friendships of a person, in the order of
           arrival, lies in (a, b], counted at both ends. That is the sum of min(d, b) - min(d, a) over all people, so
           it tells how many have more than a, ..., b friends on average. A friendship less moves the later ones of
           either end down by one. So a band loses one arrival of an end, gains the one that crosses its upper cut, or
           both, each once: 4 for the two ends, 2 down and 2 up. A histogram would be moved by every later friendship.

For the unit node:

people     of everybody ever named: a person is counted from one period on, so one person moves the changes by 1.
edges      among the first D friendships of both their ends, in the same order. A person less takes D of them away at
           most. Each of their friends moves up by one place, so a friend with more than D friendships brings in one
           more, and other friends none. So a person with l such friends moves the changes by D + l: by D, where nobody
           has more than D friends. The order of the others is the same with and without the person, as it follows
           from their names. 2-stars and triangles would be moved by all that such friends bring in.

Stars, triangles and bands have no such bound where friendships vanish: a friend of a friend who comes and goes moves
them every time. So they are counted among the friendships ever seen, or drawn fresh.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.privacy.unit import Kind
from graphveil.release.over_time.pairs import PairTable

Options = Mapping[str, Any]
Names = Sequence[str]  # of everybody ever named, by number
LAST_DEGREE = 1024  # of a histogram over time, unless a public bound is given; who has more friends counts there
HISTOGRAM = "degree-histogram"


@dataclass(frozen=True, slots=True)
class Part:
    """One whole number of a count: what an event moves, and how it shares the budget.

    `weight` is the inverse of how large its noise is beside that of the other parts.
    """

    moves: int
    squared: int
    weight: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class OverTime:
    """A count of a table of pairs and of everybody ever named, and its parts.

    `stays` says that friendships must stay once seen, `bounded` that it needs a public degree bound, `trusting` that
    people whose friends pass the bound are protected less, so that somebody has to ask for it.
    """

    exact: Callable[[PairTable, Names, Options], tuple[int, ...]]
    parts: Callable[[Options], tuple[Part, ...]]
    stays: bool = True
    bounded: bool = True
    trusting: bool = False


def cuts(options: Options) -> Integers:
    """The cuts between bands of degrees: 0, 1, 2, 4, ..., and the last degree."""
    last = int(options["max_degree"])
    doubled = [1 << power for power in range(last.bit_length()) if 1 << power < last]
    return np.array([0, *doubled, last], dtype=np.int64)


def _degrees(pairs: PairTable) -> Integers:
    return np.bincount(pairs.ends.ravel()) if len(pairs.codes) else np.zeros(1, dtype=np.int64)


def _stars(k: int) -> OverTime:
    def exact(pairs: PairTable, _: Names, options: Options) -> tuple[int]:
        bound = int(options["max_degree"])
        sizes = np.bincount(_degrees(pairs)).tolist()  # how many people have each degree
        at_bound, more = math.comb(bound, k), math.comb(bound - 1, k - 1)
        worth = (math.comb(d, k) if d <= bound else at_bound + more * (d - bound) for d in range(len(sizes)))
        return (sum(size * stars for size, stars in zip(sizes, worth, strict=True)),)

    def parts(options: Options) -> tuple[Part]:
        most = 2 * math.comb(options["max_degree"] - 1, k - 1)
        return _one(most, most**2)

    return OverTime(exact, parts)


def _triangles(pairs: PairTable, people: Names, options: Options) -> tuple[int]:
    return (exact_triangles(Graph.from_edges(pairs.ends[pairs.first_of_both(options["max_degree"], people)])),)


def _first_edges(pairs: PairTable, people: Names, options: Options) -> tuple[int]:
    return (int(np.count_nonzero(pairs.first_of_both(options["max_degree"], people))),)


def _bands(pairs: PairTable, _: Names, options: Options) -> tuple[int, ...]:
    totals = np.minimum(_degrees(pairs)[:, None], cuts(options)).sum(axis=0)
    return tuple(np.diff(totals).tolist())


def _band_parts(options: Options) -> tuple[Part, ...]:
    """Noise in proportion to the root of the width: wide bands hold more, and less is asked of each degree in them."""
    widths = np.diff(cuts(options)).tolist()
    return tuple(Part(4, 8, Fraction(round(1000 / math.sqrt(width)), 1000)) for width in widths)


def _one(moves: int, squared: int) -> tuple[Part]:
    return (Part(max(1, moves), max(1, squared)),)


COUNTS: Mapping[tuple[Kind, str], OverTime] = {
    (Kind.EDGE, "edges"): OverTime(
        lambda pairs, _people, _options: (pairs.n_present,), lambda _: _one(1, 1), stays=False, bounded=False
    ),
    (Kind.EDGE, "2-stars"): _stars(2),
    (Kind.EDGE, "3-stars"): _stars(3),
    (Kind.EDGE, "triangles"): OverTime(
        _triangles, lambda options: _one(3 * (options["max_degree"] - 1), 5 * (options["max_degree"] - 1) ** 2)
    ),
    (Kind.EDGE, HISTOGRAM): OverTime(_bands, _band_parts, bounded=False),
    (Kind.NODE, "nodes"): OverTime(
        lambda _pairs, people, _options: (len(people),), lambda _: _one(1, 1), bounded=False
    ),
    (Kind.NODE, "edges"): OverTime(
        _first_edges, lambda options: _one(options["max_degree"], options["max_degree"] ** 2), trusting=True
    ),
}
