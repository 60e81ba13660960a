"""Bounds on a falling sequence from noisy sums of tiles, for all places at once.

Tiles are chosen by earlier noise, so their number is random. The failure probability is therefore shared out over all
places in advance, in proportion to 1 / (place + 10). Whatever starts at a place uses the share of that place: noise
drawn after a start was chosen does not depend on the choice, so given the past each bound fails with at most its share,
and distinct starts have distinct shares.

Two kinds of bounds on g, each with a part of the failure probability:
- the sum of a tile, by the tail of its noise;
- the sum of 2, 4, 8, ... tiles in a row, by Chernoff's bound on the sum of so many noises. Where the sequence is nearly
  constant, the mean of many places is known far better than any of them.
As the sequence falls, the mean over some places bounds all later ones from above and all earlier ones from below.
What falls from one place to the next is bounded in `drop_bounds`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

WINDOW_PART = 0.25  # of the failure probability, for sums of several tiles
TILTS = np.geomspace(1e-3, 0.99, 80)  # over the rate, for Chernoff's bound
STEPS = 24  # of the logarithm of a share, which is rounded up to one of them


def bound_falling(tiles: FallingTiles, failure: float) -> tuple[Integers, Integers]:
    """(low, high) with low <= g <= high at all places 1..top at once, but for a probability of `failure`."""
    slack = tile_slack(tiles, failure)
    least = np.maximum(tiles.sums - slack, 0)
    most = np.minimum(tiles.sums + slack, tiles.ceiling * tiles.widths)
    at_least, at_most = least / tiles.widths, most / tiles.widths
    _tighten(tiles, WINDOW_PART * failure, at_least, at_most)
    ceilings = np.minimum.accumulate(np.concatenate(([float(tiles.ceiling)], at_most)))  # entry t: up to tile t - 1
    floors = np.maximum.accumulate(np.concatenate(([0.0], at_least[::-1])))[::-1]  # entry t: from tile t on
    tile = np.repeat(np.arange(len(tiles.starts)), tiles.widths)
    before = np.arange(tiles.top) - tiles.starts[tile]  # places of the same tile to the left and to the right
    after = tiles.widths[tile] - 1 - before
    above, below = ceilings[tile + (after == 0)], floors[tile + (before > 0)]
    high = np.minimum(above, (most[tile] - after * floors[tile + 1]) / (before + 1))
    low = np.maximum(below, (least[tile] - before * ceilings[tile]) / (after + 1))
    high, low = np.minimum.accumulate(high), np.maximum.accumulate(low[::-1])[::-1]
    return np.ceil(low - 1e-9).astype(np.int64), np.floor(np.maximum(0, high) + 1e-9).astype(np.int64)


def tile_slack(tiles: FallingTiles, failure: float) -> Integers:
    """What the noise of each tile stays within, as `bound_falling` of the same failure probability takes it."""
    return noise_quantile(tiles.rate, 1, _shares(tiles, (1 - WINDOW_PART) * failure))


def _tighten(tiles: FallingTiles, failure: float, at_least: Floats, at_most: Floats) -> None:
    """Means that are known better from 2, 4, 8, ... tiles in a row: at_least for all before, at_most for all after."""
    count, sums = len(tiles.starts), np.concatenate(([0], tiles.sums.cumsum()))
    scales = max(1, tiles.places.bit_length() - 1)  # no more windows than places fit
    shares = _shares(tiles, failure / scales)
    ends = tiles.starts + tiles.widths
    for scale in range(1, count.bit_length()):
        size = 1 << scale
        first = np.arange(0, count - size + 1, size)
        last = first + size - 1
        slack = _chernoff(tiles, size, shares[first])
        width = ends[last] - tiles.starts[first]
        total = sums[first + size] - sums[first]
        at_least[first] = np.maximum(at_least[first], (total - slack) / width)
        at_most[last] = np.minimum(at_most[last], (total + slack) / width)


def _shares(tiles: FallingTiles, failure: float) -> Floats:
    """The failure probability of whatever starts with each tile."""
    shares = 1 / (np.arange(max(1, tiles.places)) + 10.0)
    scaled: Floats = shares[tiles.starts] * (failure / shares.sum())
    return scaled


def noise_quantile(rate: Fraction, terms: int, shares: Floats) -> Integers:
    """The smallest k with P(|sum of one or two noises| > k) at most the share.

    With r = e^-rate and a = (1 - r) / (1 + r), P(X = j) = a r^|j|, and P(X + Y = j) = a^2 r^|j| (|j| + b) with b = (1 +
    r^2) / (1 - r^2); so P(|X + Y| > k) = 2 a^2 r^(k+1) ((k + 1 + b) / (1 - r) + r / (1 - r)^2).
    """
    x, r = float(rate), math.exp(-float(rate))
    k: Floats = np.maximum(0, np.ceil(np.log(2 / (shares * (1 + r))) / x * (1 + 1e-12)) - 1)
    if terms == 1:
        return _whole(k)
    gap, b = -math.expm1(-x), (1 + r * r) / -math.expm1(-2 * x)
    factor = 2 * (gap / (1 + r)) ** 2 * (1 + 1e-12)

    def passed(k: Floats) -> Floats:
        tail: Floats = factor * np.exp(-x * (k + 1)) * ((k + 1 + b) / gap + r / gap**2)
        return tail

    low, high = k - 1, 2 * (k + math.ceil(1 / x))  # more is passed than by one noise; less than by either of two
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        low, high = np.where(passed(middle) > shares, middle, low), np.where(passed(middle) > shares, high, middle)
    return _whole(high)


def _chernoff(tiles: FallingTiles, terms: int, shares: Floats) -> Integers:
    """A k that |sum of so many noises| passes with at most the share.

    P(|S| >= k) <= 2 M(t)^terms e^(-t k) for every t below the rate, M(t) = (1 - r)^2 / ((1 - r e^t) (1 - r e^-t)).
    """
    x = float(tiles.rate)
    tilts = x * TILTS
    cost = terms * (2 * math.log(-math.expm1(-x)) - np.log1p(-np.exp(tilts - x)) - np.log1p(-np.exp(-tilts - x)))
    logs = np.log(2 / shares)
    grid = np.linspace(logs.min(), logs.max(), STEPS)
    reached = ((cost + grid[:, None]) / tilts).min(axis=1)
    slack = reached[np.minimum(np.searchsorted(grid, logs - 1e-12), STEPS - 1)]
    return _whole(np.ceil(slack * (1 + 1e-9)) - 1)


def _whole(distance: Floats) -> Integers:
    whole: Integers = np.maximum(0, distance).astype(np.int64)
    return whole
