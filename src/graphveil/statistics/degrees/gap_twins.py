"""Degrees that noisy empty boxes cannot tell apart: what no interval may be too short for.

Given the degree bound and the tiles (`statistics.degrees.node_tiles`), graphs with the same boxes in every tile have
the same law of everything that is released. An interval is made of what is released, so it has the same law for all of
them; one that holds for every graph, whatever bound and tiles were drawn, is long enough for each. Twins are used where
intervals are measured and tested, never in a release.
"""

from __future__ import annotations

import numpy as np

from graphveil.statistics.degrees.monotone_tiles import Integers

JUMPS = (0.25, 0.5, 0.75, 1.0)  # at which part of a tile


def twins(below: Integers, cuts: Integers) -> list[Integers]:
    """F(1), ..., F(D) that rise and have the same sum in every tile as the ones given.

    In the first of them F stays level within every tile. In the others it jumps in every second tile, from where the
    tile before ended or up to where the tile after begins. Where a sum is no multiple, F rises by one person.

    >>> [twin.tolist() for twin in twins(np.array([1, 5, 6, 9, 20]), np.array([0, 1, 5]))][:3]
    [[1, 10, 10, 10, 10], [1, 1, 13, 13, 13], [1, 10, 10, 10, 10]]
    """
    spans = list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
    level = np.concatenate([_level(int(below[start:end].sum()), end - start) for start, end in spans])
    found = [level]
    for part in JUMPS:
        for first in (1, 2):
            twin = level.copy()
            for start, end in spans[first::2]:
                early = round(part * (end - start - 1))
                late, total = end - start - early, int(level[start:end].sum())
                most = int(level[end] if end < len(level) else below[-1])
                high = min(most * late, total - int(level[start - 1]) * early)
                twin[start:end] = np.concatenate((_level(total - high, early), _level(high, late)))
            found.append(twin)
    return found


def _level(total: int, size: int) -> Integers:
    """So many whole numbers with this sum that rise by 1 at most."""
    height, rest = divmod(total, max(1, size))
    return height + (np.arange(size) >= size - rest).astype(np.int64)
