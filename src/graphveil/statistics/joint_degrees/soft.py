"""Joint degrees in soft bins: how many edges join people of degree about 2^k and about 2^l.

A degree d between the knots 2^k and 2^(k+1) counts as (2^(k+1) - d) / 2^k of knot k and (d - 2^k) / 2^k of knot k + 1;
degrees above the last knot count for it alone. An edge adds the products of its two ends' shares to the cells (k, l),
k <= l; all cells together hold each edge once.

Sensitivity: below 9 in L1, for every graph and without a bound on degrees. One more edge between people of degrees a
and b moves the share of each of the first one's a other edges: from a to a + 1 two knots change by 1 / 2^k each, with
a < 2^(k+1), so by less than 4 in total, and the other end's shares sum to 1. The same for b's edges, and the new edge
adds 1. (From degree 0 nothing moves; above the last knot less.)

Cell (k, l) is a multiple of 2^-(k+l), so the cells are released as integers, 2^(k+l) times as large and of weight
2^-(k+l): with discrete Laplace noise of rate epsilon / (9 2^(k+l)). Nothing continuous remains. Knots end at 2^15,
so that these integers stay small.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector

SENSITIVITY = 9
LAST_EXPONENT = 15


@dataclass(frozen=True, slots=True)
class SoftJointDegrees:
    """Noisy cells (k, l), k <= l in row order: row i of `cells` names the knots' exponents, `counts` their edges."""

    cells: Integers
    counts: Floats
    epsilon: Fraction

    @property
    def knots(self) -> tuple[int, ...]:
        """The degrees 1, 2, 4, … at which soft bins are centred."""
        return tuple(1 << exponent for exponent in range(int(self.cells[-1, 0]) + 1))


def last_exponent(n_people: int) -> int:
    """The knots reach the largest degree that n people can have, or 2^15."""
    return min(LAST_EXPONENT, max(0, n_people - 2).bit_length())


def soft_cells(n_people: int) -> Integers:
    """The cells (k, l), k <= l, in row order."""
    return np.stack(np.triu_indices(last_exponent(n_people) + 1), axis=1)


def count_soft_cells(graph: Graph) -> tuple[Integers, Integers]:
    """(cells, integers): the cells (k, l) and 2^(k+l) times the edges in each."""
    cells = soft_cells(graph.n_nodes)
    size = int(cells[-1, 0]) + 1
    table = graph.sum_over_edges(partial(_sum_shares, size=size))
    return cells, table[cells[:, 0], cells[:, 1]]


def _sum_shares(degrees: Integers, size: int) -> Integers:
    """2^(k+l) times the part that edges with these degrees at their ends have in the cell of the knots k and l."""
    table = np.zeros((size, size), dtype=np.int64)
    ends = [_shares(degrees[:, side], size - 1) for side in (0, 1)]
    for knot_u, share_u in ends[0]:
        for knot_v, share_v in ends[1]:
            np.add.at(table, (np.minimum(knot_u, knot_v), np.maximum(knot_u, knot_v)), share_u * share_v)
    return table


def _shares(degrees: Integers, last: int) -> list[tuple[Integers, Integers]]:
    """Two (knot, share) pairs per degree; the share of knot k is given in units of 2^-k."""
    capped = np.minimum(degrees, 1 << last)
    knot = np.frexp(capped.astype(np.float64))[1].astype(np.int64) - 1  # floor of the binary logarithm, exact
    start = np.left_shift(1, knot)
    upper = np.minimum(knot + 1, last)
    return [(knot, 2 * start - capped), (upper, 2 * (capped - start))]


def soft_joint_measurement(graph: Graph, epsilon: Fraction) -> NoisyVector:
    """The integers of all cells with noise that costs epsilon for one edge; `read_soft_joint` makes edges of them."""
    cells, integers = count_soft_cells(graph)
    halves = np.array([Fraction(1, 1 << exponent) for exponent in range(2 * LAST_EXPONENT + 1)], dtype=object)
    units = halves[cells.sum(axis=1)]
    return NoisyVector(
        what="edges by the degrees of their two ends",
        exact=integers,
        sensitivity=SENSITIVITY,
        epsilon=epsilon,
        weights=units,
        units=units,
    )


def read_soft_joint(outcome: Integers, n_people: int, epsilon: Fraction) -> SoftJointDegrees:
    """The cells in edges, from the outcome of their measurement."""
    cells = soft_cells(n_people)
    return SoftJointDegrees(cells, outcome / 2.0 ** cells.sum(axis=1), epsilon)


def cell_rate(epsilon: Fraction, exponent: int) -> Fraction:
    """Rate of the integer noise of a cell with k + l = exponent."""
    return epsilon / (SENSITIVITY << exponent)


def cell_quantiles(measured: SoftJointDegrees, failure: float) -> Floats:
    """Per cell what the noise stays within, in edges, for all cells at once but for a probability of `failure`."""
    confidence = 1 - failure / len(measured.cells)
    exponents = measured.cells.sum(axis=1).tolist()
    return np.array([discrete_laplace_quantile(cell_rate(measured.epsilon, e), confidence) / 2.0**e for e in exponents])


def cell_std(epsilon: Fraction) -> float:
    """Standard deviation of a cell in edges; it hardly depends on the cell, and is largest for the finest grid."""
    exponent = 2 * LAST_EXPONENT
    return discrete_laplace_std(cell_rate(epsilon, exponent)) / 2.0**exponent
