"""Degrees as a Young diagram, measured in tiles.

Sort the degrees from large to small and draw d boxes in the row of each: box (i, j) is there if rank i has a degree
of at least j. One more edge adds two boxes: raising one degree from a to a + 1 adds the box at level a + 1 of the
first rank that holds a. Cut the plane into disjoint tiles and count the boxes in each: the counts change by 2 in
total, whatever the tiles. So discrete Laplace noise of rate epsilon / 2 on every count is epsilon-private for an
edge, and tiles may be chosen one after the other from the noisy counts so far, since a new box lies in at most one
tile.

Level tiles span all ranks; they hold the heights C(j) = #{v: d_v >= j}. Rank tiles span all levels above a corner;
they hold the degrees beyond it. Both are falling sequences. One rank per tile and no levels is Hay et al. (2009);
levels up to the noisy diagonal and ranks above it need about 2 h numbers instead of n, where h people have h
neighbours or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure
from graphveil.statistics.degrees.monotone_bounds import bound_falling
from graphveil.statistics.degrees.monotone_tiles import (
    FallingTiles,
    TileRuns,
    TileSums,
    WidthRule,
    fit_falling,
    walk_tiles,
)

SENSITIVITY = 2
POOLING = 4.0
FALL_OVER_NOISE = 30.0
RANK_GROWTH = 0.03


def pooled_width(rate: Fraction) -> WidthRule:
    """How many levels to pool, from the noisy height at a level.

    With h people per degree their own scatter is about sqrt(h), the noise of a pooled tile spread over its w degrees
    is about (2 / rate) / w^2, and both are level at w = sqrt(2 / (rate sqrt(h))) up to a constant, which was set on
    real graphs. h is guessed from the height: a tail that falls like a power has C(j) / j people per degree up to a
    constant. Low levels, where heights fall steeply, are pooled over half the level at most; unless the noise of a
    mean height would be more than a thirtieth of that fall over the tile.
    """

    def width(level: int, height: float) -> int:
        per_degree = max(1.0, height) / max(1, level)
        pooled = POOLING / math.sqrt(SENSITIVITY * float(rate) * math.sqrt(per_degree))
        least = math.sqrt(FALL_OVER_NOISE * math.sqrt(2) / (float(rate) * per_degree))
        return max(1, int(min(pooled, max(level / 2, least))))

    return width


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelTiles:
    """The heights C(1), C(2), ... by level tiles: a measurement.

    The outcome is the list of noisy sums, ending in zeros; `read_levels` makes tiles of it. `sensitivity` says how many
    boxes one change adds or takes away: 2 for an edge, which raises two degrees. `highest` is the public bound of the
    degrees, by default the number of other people.
    """

    degrees: AnyArray
    epsilon: Fraction
    width: WidthRule
    sensitivity: int = SENSITIVITY
    highest: int | None = None

    @property
    def rate(self) -> Fraction:
        """Of the noise of every sum."""
        return laplace_rate(self.epsilon, self.sensitivity)

    @property
    def loss(self) -> Pure:
        """Pure epsilon for all sums together."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What is counted, and the noise."""
        return (
            "counted how many people have at least d neighbours, degrees pooled by a rule that sees noisy counts only; "
            f"all counts change by at most {self.sensitivity} in total and have integer Laplace noise of scale "
            f"{float(1 / self.rate):.4g}"
        )

    def draws(self, noise: Noise, runs: int) -> Integers:
        """Noisy sums, a row a run."""
        sums = _add_noise(self.degrees, self.rate, noise, self.highest)
        return _walk_levels(len(self.degrees), runs, self.width, sums, self.highest).sums


def read_levels(
    outcome: Integers, n_people: int, rate: Fraction, width: WidthRule, highest: int | None = None
) -> FallingTiles:
    """The tiles that noisy sums belong to: the rule is applied to the sums again."""
    found = _walk_levels(n_people, 1, width, lambda tile, *_: outcome[tile : tile + 1], highest)
    return found.only(n_people, _places(n_people, highest), rate)


@dataclass(frozen=True, slots=True)
class YoungDiagram:
    """Level tiles up to a corner, rank tiles for what the first ranks have above it."""

    n_people: int
    levels: FallingTiles
    ranks: FallingTiles

    @property
    def corner(self) -> int:
        """The level where ranks take over."""
        return self.levels.top


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DiagramTiles:
    """All degrees: levels up to where the noisy height meets the level, then the ranks that may reach above.

    The outcome is the list of noisy sums of the levels, one place for each level up to n - 1, then that of the ranks,
    one place for each person; both end in zeros. `read_diagram` makes a diagram of it.
    """

    degrees: AnyArray
    epsilon: Fraction

    @property
    def rate(self) -> Fraction:
        """Of the noise of every sum."""
        return laplace_rate(self.epsilon, SENSITIVITY)

    @property
    def loss(self) -> Pure:
        """Pure epsilon for all sums together."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What is counted, and the noise."""
        return (
            "counted how many people have at least d neighbours for low degrees d, and added up the degrees of the "
            "most connected people for high ones, pooled by a rule that sees noisy counts only; all counts change by "
            f"at most 2 in total and have integer Laplace noise of scale {float(1 / self.rate):.4g}"
        )

    def draws(self, noise: Noise, runs: int) -> Integers:
        """Noisy sums, a row a run."""
        n, falling = len(self.degrees), np.sort(self.degrees)[::-1].astype(np.int64)
        totals = np.concatenate(([0], falling.cumsum()))

        def sums_above(corners: Integers) -> TileSums:
            reached = np.searchsorted(-falling, -corners)  # so many ranks have more than the corner

            def sums_of(_: int, starts: Integers, ends: Integers) -> Integers:
                first, last = np.minimum(starts, reached), np.minimum(ends, reached)
                exact: Integers = totals[last] - totals[first] - corners * (last - first)
                return add_discrete_laplace(noise, exact, self.rate)

            return sums_of

        levels = _walk_levels(n, runs, _diagonal_width(self.rate), _add_noise(self.degrees, self.rate, noise))
        ranks = _walk_ranks(levels, n, self.rate, sums_above(levels.widths.sum(axis=1)))
        return np.hstack((levels.sums, ranks.sums))


def read_diagram(outcome: Integers, n_people: int, rate: Fraction) -> YoungDiagram:
    """The diagram that noisy sums belong to: the rules are applied to the sums again."""
    places = max(0, n_people - 1)
    found = _walk_levels(n_people, 1, _diagonal_width(rate), lambda tile, *_: outcome[tile : tile + 1])
    levels = found.only(n_people, places, rate)
    ranks = _walk_ranks(found, n_people, rate, lambda tile, *_: outcome[places + tile : places + tile + 1])
    reach = int(_rank_reach(found, n_people, rate)[0])
    return YoungDiagram(n_people, levels, ranks.only(max(0, places - levels.top), reach, rate))


def _places(n_people: int, highest: int | None) -> int:
    """How many levels there are: up to the public bound of the degrees."""
    return max(0, n_people - 1) if highest is None or not n_people else highest


def _walk_levels(n_people: int, runs: int, width: WidthRule, sums_of: TileSums, highest: int | None = None) -> TileRuns:
    places = _places(n_people, highest)
    return walk_tiles(np.full(runs, places), np.full(runs, n_people), places, width, sums_of)


def _walk_ranks(levels: TileRuns, n_people: int, rate: Fraction, sums_of: TileSums) -> TileRuns:
    ceilings = np.maximum(0, n_people - 1 - levels.widths.sum(axis=1))
    return walk_tiles(_rank_reach(levels, n_people, rate), ceilings, n_people, _rank_width(rate), sums_of)


def _add_noise(degrees: AnyArray, rate: Fraction, noise: Noise, highest: int | None = None) -> TileSums:
    """The sums of heights over levels, with noise."""
    size = _places(len(degrees), highest) + 1
    heights = np.bincount(degrees, minlength=size)[::-1].cumsum()[::-1]  # C(0), C(1), ..., up to the last level
    prefix = np.concatenate(([0], heights[1:].cumsum()))
    return lambda _, starts, ends: add_discrete_laplace(noise, prefix[ends] - prefix[starts], rate)


def _diagonal_width(rate: Fraction) -> WidthRule:
    """Pooled levels, none from where the noisy height meets the level."""
    pooled = pooled_width(rate)
    return lambda level, height: pooled(level, height) if height > level else 0


def _rank_reach(levels: TileRuns, n_people: int, rate: Fraction) -> Integers:
    """How many ranks may reach above the corner, by the noisy height there; a few even where noise made it negative."""
    reach = np.ceil(np.maximum(0, levels.last_means()) + 2 / float(rate))
    return np.clip(reach, 0, n_people).astype(np.int64)


def _rank_width(rate: Fraction) -> WidthRule:
    """Later ranks are more alike."""
    growth = min(0.1, RANK_GROWTH / (SENSITIVITY * float(rate)))
    return lambda rank, _: max(1, int(growth * rank))


def fit_degrees(diagram: YoungDiagram) -> Integers:
    """All n degrees in falling order, whole numbers."""
    n = diagram.n_people
    heights = np.rint(fit_falling(diagram.levels, at_zero=n))
    degrees = _conjugate(heights, n).astype(np.float64)
    above = fit_falling(diagram.ranks)
    degrees[: len(above)] += above
    return np.clip(np.rint(degrees), 0, max(0, n - 1)).astype(np.int64)


def bound_degrees(diagram: YoungDiagram, failure: float) -> tuple[Integers, Integers]:
    """(low, high) around all n sorted degrees at once, but for a probability of `failure`."""
    n = diagram.n_people
    low_heights, high_heights = bound_falling(diagram.levels, failure / 2)
    low_above, high_above = bound_falling(diagram.ranks, failure / 2)
    low, high = _conjugate(low_heights, n), _conjugate(high_heights, n)
    corner = diagram.corner
    measured = len(low_above)
    low[:measured] = np.where(low_above > 0, corner + low_above, low[:measured])
    above = np.full(n, high_above[-1] if measured else max(0, n - 1 - corner))  # later ranks have no more than the last
    above[:measured] = high_above
    return low, np.minimum(np.where(high >= corner, corner + above, high), max(0, n - 1))


def _conjugate(heights: AnyArray, n_people: int) -> Integers:
    """Row lengths 1..n of a diagram from its falling column heights: how many levels each rank reaches."""
    rising = -np.minimum.accumulate(heights) if len(heights) else heights
    return np.searchsorted(rising, -np.arange(1, n_people + 1), side="right").astype(np.int64)
