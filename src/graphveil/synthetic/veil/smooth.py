"""Smooth degrees from a measured Young diagram: noise makes steps, and steps leave degrees that nobody has.

Heights C(j) and the degrees of the first ranks are both falling and, on a logarithmic scale, all but straight from one
tile to the next. So their logarithms are fitted with a penalty on second differences (Whittaker 1923): where the noise
is small against a height the data win, elsewhere the line does. The first ranks may bend more than later ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.falling import FallingTiles
from graphveil.mechanisms.young import YoungDiagram

Floats = NDArray[np.float64]

HEIGHT_BEND = 0.03  # expected second difference of log heights from tile to tile
RANK_BEND = 0.5  # the same of log degrees, times the rank
PASSES = 6


def smooth_degrees(diagram: YoungDiagram) -> Floats:
    """All degrees in falling order, as real numbers."""
    n, corner = diagram.n_people, diagram.corner
    if n == 0 or len(diagram.levels.sums) == 0:
        return np.zeros(n)
    middles = diagram.levels.starts + (diagram.levels.widths + 1) / 2
    centres, heights = _fit(diagram.levels, np.hypot(HEIGHT_BEND, 1 / middles**2))
    heights = np.minimum(np.minimum.accumulate(heights), n)
    levels = np.arange(1, corner + 1)
    height = np.rint(np.exp(np.interp(levels, np.append(0.0, centres), np.log(np.append(n, heights)))))
    degrees = np.searchsorted(-height, -np.arange(1, n + 1), side="right").astype(np.float64)
    first = min(int(height[-1]), diagram.ranks.top)
    if first > 0:
        bend = RANK_BEND / (diagram.ranks.starts.astype(np.float64) + 1)
        places, excess = _fit(diagram.ranks, bend, offset=corner)
        degrees[:first] = np.maximum(corner, np.interp(np.arange(1, first + 1), places, excess))
    return np.sort(degrees)[::-1]


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
