"""Bounds on what a falling sequence loses from one place to the next, h(j) = g(j) - g(j + 1), from noisy tiles.

Let A_t(j) be the share of the places of tile t that are not beyond j. The mean of g over a tile a minus that over a
later tile b is the sum over j of (A_a(j) - A_b(j)) h(j). All h are at least 0, so this difference bounds each of them
where its weight is positive. Taken are tiles next to each other, best for an h between the two, and tiles with one
between them, best for an h inside that one. Nothing is assumed about how people of a tile spread over its places: all
of them may have the same degree.

Noise. In X_a / w_a - X_b / w_b with the widths w the smaller reciprocal is taken out, which leaves a multiple of
X_a - X_b and one of the noise of the narrower tile. The tail of a difference of two noises is shorter than the sum of
two tails.

Noises are independent of how the tiles were chosen. So each pair gets in advance a share of the failure probability:
most for the first, whose tiles are narrow, and little beyond the number that is common for so many places. Where tile a
is wider than one place, which is settled before its noise is drawn, the share is spent on the upper end alone, as a
lower end but 0 exists only for single places.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.statistics.degrees.monotone_bounds import falling_within, noise_quantile, tile_slack
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

HEIGHT_PART = 0.1  # of the failure probability, for g itself
PAIR_PARTS = {1: 0.6, 2: 0.3}  # for tiles that are so many tiles apart


def bound_drops(tiles: FallingTiles, failure: float) -> tuple[Integers, Integers]:
    """(low, high) around h(j) for j = 0..top, all at once but for a probability of `failure`.

    g(0) is the ceiling, and g(top + 1) counts as 0.
    """
    single = tile_slack(tiles, HEIGHT_PART * failure)
    return _drops(tiles, single, lambda apart: pair_slack(tiles, apart, PAIR_PARTS[apart] * failure, single))


def drops_within(tiles: FallingTiles, slack: Integers) -> tuple[Integers, Integers]:
    """(low, high) around h(j) for j = 0..top, where the noise of each tile stays within its slack."""
    means = slack / tiles.widths
    return _drops(tiles, slack, lambda apart: means[:-apart] + means[apart:])


def _drops(tiles: FallingTiles, single: Integers, pairs: Callable[[int], Floats]) -> tuple[Integers, Integers]:
    """Bounds from those on g, and from the differences of tiles that are so many tiles apart."""
    low, high = (np.concatenate(([tiles.ceiling], ends, [0])) for ends in falling_within(tiles, single))
    least = np.maximum(0, low[:-1] - high[1:]).astype(np.float64)
    most = (high[:-1] - low[1:]).astype(np.float64)
    for apart in PAIR_PARTS:
        if len(tiles.starts) > apart:
            _compare(tiles, apart, pairs(apart), least, most)
    low_ends = np.ceil(least - 1e-9).astype(np.int64)
    return low_ends, np.maximum(low_ends, np.floor(most + 1e-9).astype(np.int64))


def pair_slack(tiles: FallingTiles, apart: int, failure: float, single: Integers) -> Floats:
    """What the noise in the difference of two means stays within; `single` is what that of one sum does."""
    widths = tiles.widths.astype(np.float64)
    first, second = widths[:-apart], widths[apart:]
    shares = _pair_shares(len(first), tiles.places, failure)
    both = noise_quantile(tiles.rate, 2, np.where(first > 1, 2 * shares, shares))
    narrower = np.where(first < second, single[:-apart], single[apart:])
    slack: Floats = both / np.maximum(first, second) + np.abs(1 / first - 1 / second) * narrower
    return slack


def forecast_drop_slack(rate: Fraction, places: int, failure: float) -> float:
    """How far `bound_drops` reaches either way where places are measured one by one."""
    return float(noise_quantile(rate, 2, _pair_shares(1, places, PAIR_PARTS[1] * failure))[0])


def _compare(tiles: FallingTiles, apart: int, slack: Floats, least: Floats, most: Floats) -> None:
    """Tighten the bounds by all pairs of tiles that are so many tiles apart."""
    starts, widths = tiles.starts, tiles.widths
    means = tiles.sums / widths
    drop = means[:-apart] - means[apart:]
    spans = (starts + widths)[apart:] - starts[:-apart] - 1  # places whose weight is positive
    pair = np.repeat(np.arange(len(drop)), spans)
    place = np.arange(len(pair)) + np.repeat(starts[:-apart] + 1 - np.cumsum(spans) + spans, spans)

    def passed(tile: Integers) -> Floats:
        share: Floats = np.clip((place - starts[tile]) / widths[tile], 0, 1)
        return share

    np.minimum.at(most, place, (drop + slack)[pair] / (passed(pair) - passed(pair + apart)))
    if apart == 1:
        single = np.flatnonzero((widths[:-1] == 1) & (widths[1:] == 1))
        between = starts[single] + 1
        least[between] = np.maximum(least[between], (drop - slack)[single])


def _pair_shares(count: int, places: int, failure: float) -> Floats:
    """Shares that together stay below `failure`, however many there are."""
    common = max(20, math.isqrt(2 * places))

    def weights(number: Integers) -> Floats:
        weight: Floats = 1 / (np.minimum(number, common) + 0.2 * common) * (np.maximum(number, common) / common) ** -3.0
        return weight

    beyond = (1 + common / 2) / (1.2 * common)  # at least what all weights from `common` on add up to
    total = float(weights(np.arange(common)).sum()) + beyond
    return weights(np.arange(count)) * (failure / total)
