"""Which pairs of a noisy graph are edges: post-processing of randomised response.

Of the pairs whose noisy bit is 1, a known number is false: every other pair has odds e^-rate to get in. True edges
join people with many friends and with common friends; false ones join anybody. So pairs are sorted into cells by the
product of their ends' degrees and, within these, by how much their common friends weigh (each the less the more
friends it has; Adamic and Adar 2003). How many false pairs a cell expects is told by pairs drawn at random from those
whose bit is 0; what it holds beyond that are edges. With edges weighted by the chance that they are true the weights
are taken again, a few times.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.kernels import kernel

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

PASSES = 3
DEGREE_CELLS = 12
FRIEND_CELLS = 40
SAMPLE = 1_000_000
LEAST = 1e-3


def edge_chances(noisy: Graph, flip: float, rng: np.random.Generator) -> Floats:
    """For each edge of the noisy graph, in the order of `edges()`, the chance that it is one of the true graph."""
    edges = noisy.edges()
    n = noisy.n_nodes
    pairs = math.comb(n, 2)
    others = _pairs_without_edge(noisy, rng)
    if not len(edges) or not len(others):
        return np.ones(len(edges))
    false_each = (pairs - len(edges)) / len(others) * flip / (1 - flip)  # false edges that each sampled pair stands for
    chance = np.full(len(edges), float(np.clip(1 - flip * pairs / len(edges), 0.01, 1)))
    for _ in range(PASSES):
        here, there = (_features(noisy, edges, chance, some) for some in (edges, others))
        chance = _chances_by_cell(here, there, false_each)
    return chance


def _pairs_without_edge(noisy: Graph, rng: np.random.Generator) -> Integers:
    if noisy.n_nodes < 2:
        return np.empty((0, 2), dtype=np.int64)
    ends = np.sort(rng.integers(0, noisy.n_nodes, (SAMPLE, 2)), axis=1)
    ends = ends[ends[:, 0] != ends[:, 1]]
    joined: NDArray[np.bool_] = _are_joined(noisy.indptr, noisy.indices, ends)
    apart: Integers = ends[~joined]
    return apart


def _features(noisy: Graph, edges: Integers, chance: Floats, pairs: Integers) -> tuple[Floats, Floats]:
    """Logarithm of the product of expected degrees, and weight of common friends, of every pair."""
    degree = np.bincount(edges.ravel(), np.repeat(chance, 2), noisy.n_nodes)
    position = np.searchsorted(edges[:, 0] * noisy.n_nodes + edges[:, 1], _keys(noisy))
    friends = _common_weight(noisy.indptr, noisy.indices, chance[position], 1 / np.log(2 + degree), pairs)
    return np.log1p(degree[pairs]).sum(axis=1), friends


def _keys(noisy: Graph) -> Integers:
    """For every entry of the rows, the number of its edge's pair in rising order of edges."""
    owner = np.repeat(np.arange(noisy.n_nodes), noisy.degrees)
    other = noisy.indices.astype(np.int64)
    return np.minimum(owner, other) * noisy.n_nodes + np.maximum(owner, other)


def _chances_by_cell(here: tuple[Floats, Floats], there: tuple[Floats, Floats], false_each: float) -> Floats:
    from scipy.optimize import isotonic_regression

    borders = np.quantile(here[0], np.linspace(0, 1, DEGREE_CELLS + 1)[1:-1])
    row, other_row = np.searchsorted(borders, here[0]), np.searchsorted(borders, there[0])
    chance = np.empty(len(here[0]))
    for cell in range(DEGREE_CELLS):
        mine, others = row == cell, other_row == cell
        if not mine.any():
            continue
        steps = np.unique(np.quantile(here[1][mine], np.linspace(0, 1, FRIEND_CELLS + 1)[1:-1]))
        column = np.searchsorted(steps, here[1][mine], side="right")
        found = np.bincount(column, minlength=len(steps) + 1).astype(np.float64)
        false = false_each * np.bincount(
            np.searchsorted(steps, there[1][others], side="right"), minlength=len(steps) + 1
        )
        true = np.clip(1 - (false + 0.5) / np.maximum(found, 1), 0, 1)
        chance[mine] = isotonic_regression(true, weights=np.maximum(found, 1e-9)).x[column]
    return np.clip(chance, LEAST, 1)


@kernel
def _are_joined(indptr: Any, indices: Any, pairs: Any) -> Any:
    joined = np.zeros(len(pairs), dtype=np.bool_)
    for i in range(len(pairs)):
        low, high = indptr[pairs[i, 0]], indptr[pairs[i, 0] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < pairs[i, 1]:
                low = middle + 1
            else:
                high = middle
        joined[i] = low < end and indices[low] == pairs[i, 1]
    return joined


@kernel
def _common_weight(indptr: Any, indices: Any, weight: Any, discount: Any, pairs: Any) -> Any:
    """Sum over common neighbours of both edges' weights and the node's own, by merging two sorted rows."""
    total = np.zeros(len(pairs))
    for p in range(len(pairs)):
        i, end_i = indptr[pairs[p, 0]], indptr[pairs[p, 0] + 1]
        j, end_j = indptr[pairs[p, 1]], indptr[pairs[p, 1] + 1]
        while i < end_i and j < end_j:
            if indices[i] < indices[j]:
                i += 1
            elif indices[i] > indices[j]:
                j += 1
            else:
                total[p] += weight[i] * weight[j] * discount[indices[i]]
                i += 1
                j += 1
    return total
