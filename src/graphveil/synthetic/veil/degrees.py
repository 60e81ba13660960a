"""From noisy degrees to whole ones that some simple graph with m edges has; nothing here sees a private graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.generate.degrees import is_graphical

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

ROUNDS = 40
FLATTEN = 0.9


def whole_degrees(degrees: NDArray[np.int64] | Floats, n_edges: int) -> Integers:
    """Falling whole degrees near the given ones, of sum 2 n_edges, realised by some simple graph.

    What is missing or too much is spread in proportion to the degree beyond 1. A sequence that no graph has is drawn
    towards equal degrees step by step, which every graph with at most C(n, 2) edges allows in the end.

    >>> whole_degrees(np.array([9.0, 2.2, 2.1, 1.0, 1.0]), 5).tolist()
    [4, 2, 2, 1, 1]
    """
    n = len(degrees)
    total = 2 * min(n_edges, n * (n - 1) // 2)
    level = np.full(n, total / max(1, n))
    wanted = _with_sum(np.sort(np.asarray(degrees, dtype=np.float64))[::-1], total)
    while True:
        whole = _round_to_sum(wanted, total)
        if is_graphical(whole):
            return whole
        wanted = level + FLATTEN * (wanted - level)


def _with_sum(degrees: Floats, total: int) -> Floats:
    """The same with this sum, each within 0 and n - 1."""
    n = len(degrees)
    degrees = np.clip(degrees, 0, max(0, n - 1))
    for _ in range(ROUNDS):
        missing = total - degrees.sum()
        beyond = np.maximum(degrees - 1, 0) if missing < 0 or (degrees > 1).any() else np.ones(n)
        if abs(missing) < 0.5 or beyond.sum() == 0:
            break
        degrees = np.clip(degrees + missing * beyond / beyond.sum(), 0, max(0, n - 1))
    else:
        degrees = np.full(n, total / max(1, n))
    return degrees


def _round_to_sum(degrees: Floats, total: int) -> Integers:
    """Round so that running sums stay near, then settle the rest one by one from the top."""
    n = len(degrees)
    whole = np.diff(np.rint(np.cumsum(degrees)), prepend=0).astype(np.int64)
    whole = np.sort(np.clip(whole, 0, max(0, n - 1)))[::-1]
    while (missing := total - int(whole.sum())) != 0:
        open_places = np.flatnonzero(whole < n - 1) if missing > 0 else np.flatnonzero(whole > 0)
        whole[open_places[: abs(missing)]] += np.sign(missing)
    return np.sort(whole)[::-1].astype(np.int64)
