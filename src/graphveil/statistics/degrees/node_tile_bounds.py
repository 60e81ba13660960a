"""How many people can have fewer than j neighbours at most, for all levels j at once, from noisy empty boxes.

Rows are sums of the tiles with public weights that bound F(j), the people below a level j
(`statistics.degrees.node_tile_bounds`). The noise of a row is the same sum of the tiles' noises.

Distance: the law of the noise is public, so the quantile of the largest of all rows' noises, each over its deviation,
is found by simulation rather than bounded tile by tile: rows share tiles, and only one side matters. The draws are made
from one public seed, once for all, so the quantile is read off on the safe side: the draw that is taken lies below the
true quantile with a probability of DOUBT at most. Next to it counts need an end for all people, where no tile tells
anything; rows and people each have half of the failure probability.

Shares: F(j) / n is at most p only if the row's sum and p times the number of people agree up to their noises, which
together are measured by sqrt(a^2 + p^2 b^2). What is left of p is Fieller's interval (1954), shorter than the ratio of
two ends that each have to hold. Any a and b will do: a is the deviation of the row, b only PEOPLE_PART of that of the
people, as one noise seldom goes as far as the largest of many.

The quantile depends on the true shares of all levels. But for a probability of BOX no noise is farther out than a
public number, and then each share lies in a known interval, bounded from above by its row and from below by the mean
over the tile before. In every draw the simulation takes from there what makes the noise largest, so its quantile is not
below that for the true shares, whatever the intervals are; BOX is taken off the failure probability.

Tiles have to be chosen in advance, or by noise other than that of the tiles and of the number of people.

Which sums of noisy empty boxes bound the people below a level, and which of them are worth having.

Let F(j) be the people below level j, S_t the sum of F over the levels of tile t (`statistics.degrees.node_tiles`). F
rises. So for a level j that is the i-th of tile t, and the end b of this or the next tile,

    (b - j + 1) F(j)  <=  F(j) + ... + F(b)  <=  S_t [+ S_(t+1)] - (i - 1) m

with m the mean over tile t - 1, which no later level falls below, and 0 in the first tile. Each such row bounds F(j),
and with it all earlier levels, by a sum of the tiles with public weights.

All rows hold, but a bound that has to hold for many rows at once allows more noise for each. Kept are rows that would
bound some level well if F rose by RISE tile deviations / width^2 a level, which is where widths come from: then slack
within a tile and noise weigh about the same. Which rows are kept makes no bound wrong, only shorter or longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.mechanisms.accuracy import discrete_laplace_quantile, discrete_laplace_std
from graphveil.statistics.degrees.monotone_tiles import FloatArray, Integers
from graphveil.statistics.degrees.node_tiles import GapTiles

POSITIONS = 12  # levels of a tile that get rows of their own; what bounds a level bounds those before it
RISE = 4.0
NOISE = 4.7  # deviations that a row allows for
NEARLY = 1.3  # a row is kept whose slack is at most so many times the least at its level


def level_rows(cuts: Integers) -> tuple[Integers, FloatArray]:
    """Levels j, and for each of them the weights of the tiles in bounds on F(j)."""
    count, widths = len(cuts) - 1, np.diff(cuts)
    rise = RISE / widths**2.0
    levels, rows, slacks = [], [], []
    for tile in range(count):
        start, width = int(cuts[tile]), int(widths[tile])
        for before in np.unique(np.linspace(0, width - 1, POSITIONS).astype(int)).tolist():
            for last in range(tile, min(tile + 2, count)):
                length = int(cuts[last + 1]) - start - before
                row = np.zeros(count)
                row[tile : last + 1] = 1
                above = (length - 1) / 2
                if before and tile:
                    row[tile - 1] = -before / int(widths[tile - 1])
                    above += before * (before + int(widths[tile - 1])) / 2 / length
                rows.append(row / length)
                levels.append(start + before + 1)
                slacks.append(rise[tile] * above + NOISE * float(np.linalg.norm(rows[-1])))
    kept = _worth_having(np.array(levels), np.array(slacks), np.repeat(rise, widths))
    return np.array(levels, dtype=np.int64)[kept], np.array(rows)[kept]


def _worth_having(levels: Integers, slacks: FloatArray, rise: FloatArray) -> Integers:
    """Rows that are nearly as good as the best of their level and later, for F with this rise at every level."""
    below = np.cumsum(rise)
    least = np.full(len(rise), np.inf)
    np.minimum.at(least, levels - 1, below[levels - 1] + slacks)
    least = np.minimum.accumulate(least[::-1])[::-1] - below
    return np.flatnonzero(slacks <= NEARLY * least[levels - 1])


DRAWS = 20_000  # 14,000 would do for the widest band, of 0.999; more of them make the safe side narrower
DOUBT = 1e-3
SEED = 1954
LEAST_STD = 1e-9
PEOPLE_PART = 0.5
AT_ONCE = 64  # rows that are simulated together
BOX = 2e-5  # well below what any kept level of confidence may fail by


@dataclass(frozen=True, slots=True)
class PeopleBelow:
    """Noisy tiles, the noisy number of people, and rows that bound F at some levels."""

    tiles: GapTiles
    people: int
    people_rate: Fraction

    def counts_at_most(self, confidences: Sequence[float]) -> list[FloatArray]:
        """For each confidence, upper ends of F(1), ..., F(D) and, last, of the number of people."""
        levels, rows = level_rows(self.tiles.cuts)
        sums, stds = rows @ self.tiles.counts, self._stds(rows)
        failures = [(1 - confidence) / 2 for confidence in confidences]  # of the rows; as much of the people
        nothing = np.zeros(len(rows))
        factors = _quantiles(self._largest(rows, nothing, nothing, stds), [1 - failure for failure in failures])
        beyond = [discrete_laplace_quantile(self.people_rate, 1 - 2 * failure) for failure in failures]  # one-sided
        return [
            self._spread(levels, sums + factor * stds, self.people + more)
            for factor, more in zip(factors, beyond, strict=True)
        ]

    def shares_at_most(self, confidences: Sequence[float]) -> list[FloatArray]:
        """For each confidence, upper ends of F(1) / n, ..., F(D) / n and, last, 1."""
        levels, rows = level_rows(self.tiles.cuts)
        sums, stds = rows @ self.tiles.counts, self._stds(rows)
        step = PEOPLE_PART * max(LEAST_STD, discrete_laplace_std(self.people_rate))
        least, most = self._box(levels, rows)
        steps = np.hypot(stds, least * step)
        factors = _quantiles(self._largest(rows, least, most, steps), [confidence + BOX for confidence in confidences])
        return [self._spread(levels, fieller(sums, stds, self.people, step, factor), 1.0) for factor in factors]

    def _box(self, levels: Integers, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Shares that are below F(j) / n and above, at the level of every row, but for a probability of BOX."""
        cuts, counts, widths = self.tiles.cuts, self.tiles.counts, self.tiles.widths
        tile_noise = discrete_laplace_quantile(self.tiles.rate, 1 - BOX / 2 / len(counts))
        people_noise = discrete_laplace_quantile(self.people_rate, 1 - BOX / 2)
        people = max(0, self.people - people_noise), max(1, self.people + people_noise)
        means = np.maximum.accumulate(np.concatenate(([0.0], (counts - tile_noise) / widths)))  # from the tile after on
        before = np.searchsorted(cuts, levels - 1, side="right") - 1
        sums = rows @ counts + tile_noise * np.abs(rows).sum(axis=1)
        above = sums / people[0] if people[0] else np.ones(len(levels))
        return np.clip(means[before] / people[1], 0.0, 1.0), np.clip(above, 0.0, 1.0)

    def _stds(self, rows: FloatArray) -> FloatArray:
        tile_std = max(LEAST_STD, discrete_laplace_std(self.tiles.rate))
        stds: FloatArray = tile_std * np.sqrt((rows**2).sum(axis=1))
        return stds

    def _largest(self, rows: FloatArray, least: FloatArray, most: FloatArray, steps: FloatArray) -> FloatArray:
        """In each draw the largest noise of a row, less a share of that of the number of people, over its step.

        The share is the one between least and most that makes it largest.
        """
        rng = np.random.default_rng(SEED)
        tiles = _discrete_laplace(rng, self.tiles.rate, (DRAWS, rows.shape[1]))
        people = _discrete_laplace(rng, self.people_rate, (DRAWS,))
        noise = np.column_stack((tiles, np.maximum(people, 0), np.minimum(people, 0)))
        weights = np.column_stack((rows, -least, -most)) / steps[:, None]
        parts = np.array_split(weights, math.ceil(len(weights) / AT_ONCE))
        largest: FloatArray = np.maximum.reduce([(noise @ part.T).max(axis=1) for part in parts])
        return largest

    def _spread(self, levels: Integers, ends: FloatArray, last: float) -> FloatArray:
        """The ends of rows as ends of all levels, each the least of those at its level and later."""
        most = np.full(int(self.tiles.cuts[-1]) + 1, last)
        np.minimum.at(most, levels - 1, np.maximum(0.0, ends))
        falling: FloatArray = np.minimum.accumulate(most[::-1])[::-1]
        return falling


def fieller(sums: FloatArray, stds: FloatArray, people: float, people_std: float, factor: float) -> FloatArray:
    """The largest p in [0, 1] with p people - sum <= factor sqrt(std^2 + p^2 people_std^2)."""
    rest = people**2 - (factor * people_std) ** 2
    if people <= 0 or rest <= 0:
        return np.ones(len(sums))
    root = factor * np.sqrt(stds**2 * rest + (people_std * sums) ** 2)
    return np.clip((people * sums + root) / rest, 0.0, 1.0)


def _quantiles(draws: FloatArray, confidences: Sequence[float]) -> list[float]:
    """Safe quantiles: fewer than k draws are above the true one with probability DOUBT at most; the k-th largest."""
    from scipy.special import bdtr

    ordered, fewer = np.sort(draws), np.arange(len(draws))
    ranks = [np.count_nonzero(bdtr(fewer, len(draws), 1 - confidence) <= DOUBT) for confidence in confidences]
    return [max(0.0, float(ordered[-rank])) if rank else math.inf for rank in ranks]  # beyond what DRAWS can tell


def _discrete_laplace(rng: np.random.Generator, rate: Fraction, shape: tuple[int, ...]) -> FloatArray:
    """Noise of this law in floats: it is compared with, never added to data."""
    waits = np.floor(rng.standard_exponential((2, *shape)) / float(rate))  # a geometric law each
    difference: FloatArray = waits[0] - waits[1]
    return difference
