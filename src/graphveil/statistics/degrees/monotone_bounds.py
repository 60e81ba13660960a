"""Bounds on a falling sequence from noisy sums of tiles, for all places at once.

Tiles are chosen by earlier noise, so their number is random. The failure probability is therefore shared out over all
places in advance, in proportion to 1 / (place + 10). Whatever starts at a place uses the share of that place: noise
drawn after a start was chosen does not depend on the choice, so given the past each bound fails with at most its share,
and distinct starts have distinct shares.

The sum of a tile is bounded by the tail of its noise. As the sequence falls, the mean over the places of a tile bounds
all later places from above and all earlier ones from below. What the sequence loses from one place to the next is
bounded in `histogram_bounds`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.statistics.degrees.monotone_tiles import FallingTiles


def bound_falling(tiles: FallingTiles, failure: float) -> tuple[Integers, Integers]:
    """(low, high) with low <= g <= high at all places 1..top at once, but for a probability of `failure`."""
    return falling_within(tiles, tile_slack(tiles, failure))


def falling_within(tiles: FallingTiles, slack: Integers) -> tuple[Integers, Integers]:
    """(low, high) around g at all places 1..top, where the noise of each tile stays within its slack."""
    least = np.maximum(tiles.sums - slack, 0)
    most = np.minimum(tiles.sums + slack, tiles.ceiling * tiles.widths)
    at_least, at_most = least / tiles.widths, most / tiles.widths
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
    return noise_quantile(tiles.rate, 1, _shares(tiles, failure))


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


def _whole(distance: Floats) -> Integers:
    whole: Integers = np.maximum(0, distance).astype(np.int64)
    return whole
