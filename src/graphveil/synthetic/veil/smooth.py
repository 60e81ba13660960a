"""Smooth degrees from a measured Young diagram: noise makes steps, and steps leave degrees that nobody has.

Heights C(j) and the degrees of the first ranks are both falling and, on a logarithmic scale, all but straight from one
tile to the next. So their logarithms are fitted with a penalty on second differences (Whittaker 1923): where the noise
is small against a height the data win, elsewhere the line does. The first ranks may bend more than later ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.statistics.degrees.edge_tiles import YoungDiagram
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

Floats = NDArray[np.float64]

HEIGHT_BEND = 0.03  # expected second difference of log heights from tile to tile
LOW_BEND = 0.3  # the same, times the level squared, for low levels
RANK_BEND = 0.5  # the same of log degrees, times the rank
PASSES = 6


def smooth_degrees(diagram: YoungDiagram) -> Floats:
    """All degrees in falling order, as real numbers."""
    n, corner = diagram.n_people, diagram.corner
    if n == 0 or len(diagram.levels.sums) == 0:
        return np.zeros(n)
    height = np.rint(_heights(diagram.levels, n))
    degrees = np.searchsorted(-height, -np.arange(1, n + 1), side="right").astype(np.float64)
    first = min(int(height[-1]), diagram.ranks.top)
    if first > 0:
        bend = RANK_BEND / (diagram.ranks.starts.astype(np.float64) + 1)
        places, excess = _fit(diagram.ranks, bend, offset=corner)
        degrees[:first] = np.maximum(corner, np.interp(np.arange(1, first + 1), places, excess))
    return np.sort(degrees)[::-1]


def _heights(tiles: FallingTiles, n_people: int) -> Floats:
    """C(1), C(2), ..., falling. Tiles that do not fall are put in one, in their middle, as far as noise allows.

    A line from there to the next leaves no degree out.
    """
    from scipy.optimize import isotonic_regression

    middles = tiles.starts + (tiles.widths + 1) / 2
    centres, fitted = _fit(tiles, np.hypot(HEIGHT_BEND, LOW_BEND / middles**2))
    fitted = np.minimum(fitted, n_people)
    steps, block = np.unique(-isotonic_regression(fitted, increasing=False).x, return_inverse=True)

    def line(places: Floats, heights: Floats) -> Floats:
        levels = np.arange(1, tiles.top + 1)
        drawn: Floats = np.exp(np.interp(levels, np.append(0.0, places), np.log(np.append(n_people, heights))))
        return drawn

    as_fitted = line(centres, np.minimum.accumulate(fitted))
    std = discrete_laplace_std(tiles.rate)
    pooled = line(np.bincount(block, centres) / np.bincount(block), -steps)
    return np.clip(pooled, as_fitted - std, as_fitted + std)


def _fit(tiles: FallingTiles, bend: Floats, offset: float = 0.0) -> tuple[Floats, Floats]:
    """Centres of the tiles and smoothed means there, `offset` added."""
    from scipy.linalg import solve_banded
    from scipy.optimize import isotonic_regression

    widths = tiles.widths.astype(np.float64)
    means = tiles.sums / widths + offset
    std = discrete_laplace_std(tiles.rate) / widths
    log = np.log(np.maximum(isotonic_regression(means, weights=widths**2, increasing=False).x, 0.5))
    if len(log) > 2:
        penalty = _second_differences(bend)
        for _ in range(PASSES):
            value = np.exp(log)
            weight = (value / np.maximum(std, 1e-6)) ** 2
            wanted = log + np.clip((means - value) / value, -1, 1)
            banded = penalty.copy()
            banded[2] += weight
            log = np.clip(solve_banded((2, 2), banded, weight * wanted), -1, 40)
    return tiles.starts + (widths + 1) / 2, np.exp(log)


def _second_differences(bend: Floats) -> Floats:
    """D' W D in banded form, D second differences, W = 1 / bend^2 at their middles."""
    size = len(bend)
    weight = np.zeros(size + 2)
    weight[2:-2] = 1 / bend[1:-1] ** 2  # of the difference around i, at i + 1
    before, here, after = weight[:-2], weight[1:-1], weight[2:]
    banded = np.zeros((5, size))
    banded[2] = before + 4 * here + after
    banded[1, 1:] = banded[3, :-1] = -2 * (here[:-1] + here[1:])
    banded[0, 2:] = banded[4, :-2] = here[1:-1]
    return banded
