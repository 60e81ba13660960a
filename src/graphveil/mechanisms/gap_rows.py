"""Which sums of noisy empty boxes bound the people below a level, and which of them are worth having.

Let F(j) be the people below level j, S_t the sum of F over the levels of tile t (`mechanisms.gaps`). F rises. So for a
level j that is the i-th of tile t, and the end b of this or the next tile,

    (b - j + 1) F(j)  <=  F(j) + ... + F(b)  <=  S_t [+ S_(t+1)] - (i - 1) m

with m the mean over tile t - 1, which no later level falls below, and 0 in the first tile. Each such row bounds F(j),
and with it all earlier levels, by a sum of the tiles with public weights.

All rows hold, but a bound that has to hold for many rows at once allows more noise for each. Kept are rows that would
bound some level well if F rose by RISE tile deviations / width^2 a level, which is where widths come from: then slack
within a tile and noise weigh about the same. Which rows are kept makes no bound wrong, only shorter or longer.
"""

from __future__ import annotations

import numpy as np

from graphveil.mechanisms.falling import FloatArray, Integers

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
