"""How much one edge, one person or one record can change a statistic: the table every tutorial starts with.

Neighbours under the edge unit are two graphs on the same n people that differ in one edge; under the node unit, a graph
on at most n people and the same graph without one of them. `max_degree` is a public bound that both graphs are
*promised* to keep. Cutting a graph down to it is itself a function of the data and keeps none of these numbers: that
takes a projection with a proved stability.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

from graphveil.errors import ParameterError, unknown_name
from graphveil.privacy.unit import Adjacency, Kind, Unit


class Bounds(NamedTuple):
    """What is public: there are at most n people, none with more than d <= n - 1 friends."""

    n: int
    d: int


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One row of the table: a number computed from public bounds, and why."""

    statistic: str
    unit: Kind
    value: Callable[[Bounds], Fraction | int]
    argument: str


TABLE = (
    Sensitivity("edges", Kind.EDGE, lambda _: 1, "The edge itself is counted once."),
    Sensitivity("edges", Kind.NODE, lambda b: b.d, "A person takes along at most d edges."),
    Sensitivity("max-degree", Kind.EDGE, lambda _: 1, "An edge moves two degrees by 1, so the largest by 0 or 1."),
    Sensitivity("max-degree", Kind.NODE, lambda b: b.d, "It lies in 0..d; a star with d leaves has 0 less its centre."),
    Sensitivity(
        "triangles",
        Kind.EDGE,
        lambda b: b.d - 1,
        "An edge closes a triangle with each common neighbour of its ends; each end has at most d - 1 others.",
    ),
    Sensitivity(
        "triangles",
        Kind.NODE,
        lambda b: comb(b.d, 2),
        "A person is in at most one triangle with each pair of at most d neighbours.",
    ),
    Sensitivity(
        "mean-degree", Kind.EDGE, lambda b: Fraction(2, b.n), "Two degrees move by 1, then n divides their sum."
    ),
    Sensitivity(
        "mean-degree",
        Kind.NODE,
        lambda b: Fraction(2 * b.d, b.d + 1),
        "The k-th person, with e edges, turns 2m / (k - 1) into 2 (m + e) / k, which is 2e / k - 2m / (k (k - 1)) more:"
        " at most 2d / (d + 1), for m = 0 and e = k - 1 = d, and at least -d / (d + 2).",
    ),
)


def graph_sensitivity(statistic: str, unit: Unit | str, *, n_nodes: int, max_degree: int | None = None) -> Fraction:
    """The largest change of a statistic between neighbours; for k edges, k times that for one.

    >>> graph_sensitivity("triangles", "edge", n_nodes=100), graph_sensitivity("triangles", "node", n_nodes=100)
    (Fraction(98, 1), Fraction(4851, 1))
    >>> graph_sensitivity("triangles", "node", n_nodes=100, max_degree=10)
    Fraction(45, 1)
    """
    if n_nodes < 2 or (max_degree is not None and max_degree < 1):
        raise ParameterError(f"sensitivities need 2 people and degrees of 1 or more, not {n_nodes} and {max_degree}")
    unit = Unit.parse(unit)
    degree = n_nodes - 1 if max_degree is None else min(max_degree, n_nodes - 1)
    return Fraction(unit.edges * _row(statistic, unit.kind).value(Bounds(n_nodes, degree)))


def sensitivity_argument(statistic: str, unit: Unit | str) -> str:
    """Why the sensitivity is what it is, in words."""
    return _row(statistic, Unit.parse(unit).kind).argument


def _row(statistic: str, kind: Kind) -> Sensitivity:
    for row in TABLE:
        if (row.statistic, row.unit) == (statistic, kind):
            return row
    raise unknown_name("statistic", statistic, (row.statistic for row in TABLE))


def mean_sensitivity(width: Fraction, adjacency: Adjacency, *, n_records: int | None = None) -> Fraction:
    """The largest change of the mean of records clipped to a range of that width.

    Replacing one of n records moves their sum by the width, the mean by width / n. One record more moves the mean by
    (x - mean) / (n + 1): half the width for a second record at the other end. No smaller number covers every size, and
    one computed from the private size gives that size away; `ClippedMean` needs neither.
    """
    if adjacency is Adjacency.ADD_REMOVE:
        return width / 2
    if n_records is None or n_records < 1:
        raise ParameterError(f"the mean under replace-one needs the public number of records, not {n_records}")
    return width / n_records
