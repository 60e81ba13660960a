"""From noisy degrees to whole ones that some simple graph has; nothing here sees a private graph.

`smooth_degrees` reads real degrees off a measured Young diagram. Noise makes steps, and steps leave degrees that nobody
has. Heights C(j) and the degrees of the first ranks are both falling and, on a logarithmic scale, all but straight from
one tile to the next. So their logarithms are fitted with a penalty on second differences (Whittaker 1923): where the
noise is small against a height the data win, elsewhere the line does. The first ranks may bend more than later ones.

`whole_degrees` makes whole numbers of them that belong to a graph with a given number of edges.
"""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.generate.degrees import is_graphical
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.statistics.degrees.edge_tiles import YoungDiagram
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

HEIGHT_BEND = 0.03  # expected second difference of log heights from tile to tile
LOW_BEND = 0.3  # the same, times the level squared, for low levels
RANK_BEND = 0.5  # the same of log degrees, times the rank
PASSES = 6
STANDS_OUT = 4  # standard deviations, which noise alone passes once in 500 times


def smooth_degrees(diagram: YoungDiagram) -> Floats:
    """All degrees in falling order, as real numbers."""
    n, corner = diagram.n_people, diagram.corner
    if n == 0 or len(diagram.levels.sums) == 0:
        return np.zeros(n)
    height = np.rint(_heights(diagram.levels, n))
    degrees = np.searchsorted(-height, -np.arange(1, n + 1), side="right").astype(np.float64)
    first = min(max(int(height[-1]), _stand_out(diagram.ranks)), diagram.ranks.top)
    if first > 0:
        bend = RANK_BEND / (diagram.ranks.starts.astype(np.float64) + 1)
        places, excess = _fit(diagram.ranks, bend, offset=corner)
        degrees[:first] = np.maximum(corner, np.interp(np.arange(1, first + 1), places, excess))
    return np.sort(degrees)[::-1]


def _stand_out(ranks: FallingTiles) -> int:
    """How many first ranks are above the corner by far more than noise: hubs, where the height there says nobody."""
    above = ranks.sums > STANDS_OUT * discrete_laplace_std(ranks.rate)
    return int(ranks.widths[: int(np.argmin(np.append(above, False)))].sum())


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


ROUNDS = 40
FLATTEN = 0.9


def whole_degrees(degrees: Integers | Floats, n_edges: int) -> Integers:
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
        room = degrees < n - 1 if missing > 0 else degrees > 0
        beyond = np.where(room, np.maximum(degrees - 1, 0), 0)
        if beyond.sum() == 0:  # hubs know everybody already, or nobody has more than one friend
            beyond = room.astype(np.float64)
        if abs(missing) < 0.5 or not room.any():
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
