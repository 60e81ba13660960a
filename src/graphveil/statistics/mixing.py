"""How many edges join each two groups of people, and how strongly people keep to their own group.

One edge lies in one cell of the table. Adding or removing it changes that cell by 1 and no other, so the L1 sensitivity
under edge privacy is 1, however many groups there are. The groups must not depend on the edges.

Homophily is Newman's coefficient (2003): with i the share of edges within groups and s the share that would lie there
if the ends of edges met at random, (i - s) / (1 - s).
"""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph

SENSITIVITY = 1  # of all cells together, for one edge
STEPS = 200  # at which the exponent of Chernoff's bound is tried


def mixing_counts(graph: Graph, groups: Integers, n_groups: int) -> Integers:
    """The number of edges between each two groups a <= b, row by row; `groups` has everybody's group.

    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> mixing_counts(path, np.array([0, 0, 1, 1]), 2).tolist()
    [1, 1, 1]
    """
    ends = np.sort(groups[graph.edges()], axis=1)
    table = np.bincount(ends @ np.array([n_groups, 1]), minlength=n_groups * n_groups).reshape(n_groups, n_groups)
    counts: Integers = table[np.triu_indices(n_groups)]
    return counts


def cells_of(n_groups: int) -> list[tuple[int, int]]:
    """The two groups of every cell, in the order of `mixing_counts`."""
    return list(combinations_with_replacement(range(n_groups), 2))


def homophily(cells: Floats | Integers, n_groups: int) -> float:
    """The coefficient of a table; 0 where there is no edge or all ends are of one group, which tells nothing.

    >>> [homophily(np.array(cells), 2) for cells in ([5, 0, 5], [0, 5, 0], [5, 10, 5])]
    [1.0, -1.0, 0.0]
    """
    total = float(cells.sum())
    if total <= 0:
        return 0.0
    at_ends, within = _weights(n_groups)
    chance = float(((at_ends @ cells) ** 2).sum()) / (4 * total**2)
    return _coefficient(float(within @ cells) / total, chance)


def homophily_ends(cells: Floats, rates: Floats, n_groups: int, failure: float) -> tuple[float, float]:
    """Where the coefficient of the exact table lies, but for a probability of `failure`, from noisy cells.

    Every cell has discrete Laplace noise of its own rate. A third of the failure is for the edges I within groups, a
    third for those across, O, and a third for the ends of all groups. The share within, I / (I + O), rises with I and
    falls with O; the coefficient rises with that share and falls with the share s by chance, as the first is at most 1.
    So the ends of all parts give the ends of the whole.
    """
    at_ends, within = _weights(n_groups)
    inside, across = float(within @ cells), float((1 - within) @ cells)
    off_inside = sum_width(rates, within, failure / 3)
    off_across = sum_width(rates, 1 - within, failure / 3)
    ends = at_ends @ cells
    off_ends = np.array([sum_width(rates, weights, failure / 3 / n_groups) for weights in at_ends])
    least, most = inside + across - off_inside - off_across, inside + across + off_inside + off_across
    if least <= 0:
        return -1.0, 1.0
    chance_low = float((np.maximum(0, ends - off_ends) ** 2).sum()) / (4 * most**2)
    chance_high = float((np.maximum(0, ends + off_ends) ** 2).sum()) / (4 * least**2)
    low = _coefficient(_share(inside - off_inside, across + off_across), chance_high, otherwise=-1)
    high = _coefficient(_share(inside + off_inside, across - off_across), chance_low, otherwise=1)
    return max(-1.0, low), min(1.0, high)


def sum_width(rates: Floats, weights: Floats, failure: float) -> float:
    """A distance that a weighted sum of independent discrete Laplace noises passes with at most this probability.

    Chernoff's bound: P(sum >= x) <= E e^(t sum) / e^(t x) for every t, and E e^(t X) = (1 - r)^2 / ((1 - r e^t)(1 - r
    e^-t)) with r = e^-rate, for |t| < rate; both sides of 0 share the failure.

    >>> round(sum_width(np.array([1.0]), np.array([1.0]), 0.05), 1)  # the exact one is 3
    5.8
    """
    used = weights > 0
    if not used.any():
        return 0.0
    rate, weight = rates[used][:, None], weights[used][:, None]
    t = float(np.min(rate / weight)) * np.arange(1, STEPS) / STEPS
    grown = 2 * np.log(-np.expm1(-rate)) - np.log(-np.expm1(weight * t - rate)) - np.log(-np.expm1(-weight * t - rate))
    return float(np.min((grown.sum(axis=0) + math.log(2 / failure)) / t))


def _weights(n_groups: int) -> tuple[Floats, Floats]:
    """How often each cell counts among the ends of each group, a row a group, and whether it lies within one."""
    pairs = np.array(cells_of(n_groups)).reshape(-1, 2)
    at_ends = np.array([(pairs == group).sum(axis=1) for group in range(n_groups)], dtype=np.float64)
    return at_ends.reshape(n_groups, len(pairs)), (pairs[:, 0] == pairs[:, 1]).astype(np.float64)


def _share(part: float, rest: float) -> float:
    part, rest = max(0.0, part), max(0.0, rest)
    return part / (part + rest) if part + rest else 0.0


def _coefficient(share: float, chance: float, otherwise: float = 0.0) -> float:
    return otherwise if chance >= 1 - 1e-12 else (share - chance) / (1 - chance)
