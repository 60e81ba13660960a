"""The top-m filter on the whole noisy matrix: by drawing every entry, and as an exact law on three people."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from graphveil.central.choices.top_m_filter import TopMFilter
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import Noise


def mask_of(graph: Graph) -> int:
    """Bit i is set where pair i, in the order of `combinations`, is an edge."""
    pairs = combinations(range(graph.n_nodes), 2)
    return sum(1 << bit for bit, (u, v) in enumerate(pairs) if graph.has_edge(u, v))


def draw_masks(query: TopMFilter, mask: int, n_pairs: int, draws: int, noise: Noise) -> NDArray[np.int64]:
    """Noise on the count and on every entry of the matrix, the largest entries kept, ties in random order."""
    bits = mask >> np.arange(n_pairs) & 1
    sizes = np.clip(bits.sum() + bulk_discrete_laplace(noise, query.count_rate, draws), 0, n_pairs)
    levels = bits + bulk_discrete_laplace(noise, query.matrix_rate, draws * n_pairs).reshape(draws, n_pairs)
    ties = noise.words(draws * n_pairs).reshape(draws, n_pairs)
    order = np.lexsort((ties, -levels), axis=1)
    kept = np.arange(n_pairs) < sizes[:, None]
    masks: NDArray[np.int64] = np.where(kept, 1 << order, 0).sum(axis=1)
    return masks


def exact_law(query: TopMFilter, mask: int) -> NDArray[np.float64]:
    """P(published = S) for all eight S on three people, by summing over all noises of the three entries."""
    reach = int(30 / float(query.matrix_rate)) + 2  # noise beyond it has a probability below 1e-12
    noises = np.arange(-reach, reach + 1)
    weights = np.exp(-float(query.matrix_rate) * np.abs(noises))
    weights /= weights.sum()
    grids = np.meshgrid(*(noises + (mask >> bit & 1) for bit in range(3)), indexing="ij")
    chances = weights[:, None, None] * weights[None, :, None] * weights[None, None, :]
    by_size = count_law(query, mask)
    law = np.empty(8)
    for published in range(8):
        inside = [grids[bit] for bit in range(3) if published >> bit & 1]
        outside = [grids[bit] for bit in range(3) if not published >> bit & 1]
        law[published] = by_size[len(inside)] * (chances * _chosen(inside, outside)).sum()
    return law


def count_law(query: TopMFilter, mask: int) -> NDArray[np.float64]:
    """P(0), ..., P(3) published edges."""
    reach = int(60 / float(query.count_rate))
    noisy = np.arange(-reach, reach + 1)
    weights = np.exp(-float(query.count_rate) * np.abs(noisy))
    sizes = np.clip(mask.bit_count() + noisy, 0, 3)
    law: NDArray[np.float64] = np.bincount(sizes, weights / weights.sum(), minlength=4)
    return law


def _chosen(inside: list[NDArray[np.int64]], outside: list[NDArray[np.int64]]) -> NDArray[np.float64] | float:
    """The probability that those inside are the largest, given all values: ties are broken evenly."""
    if not inside or not outside:
        return 1.0
    last, next_one = np.minimum.reduce(inside), np.maximum.reduce(outside)
    tied_inside = sum((values == last).astype(int) for values in inside)
    tied_outside = sum((values == last).astype(int) for values in outside)
    ways = np.array([[math.comb(a + b, a) for b in range(4)] for a in range(4)])
    return np.where(last >= next_one, 1 / ways[tied_inside, tied_outside], 0.0)
