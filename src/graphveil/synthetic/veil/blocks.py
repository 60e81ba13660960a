"""Where a graph starts: people with very many friends, each with a group of people around, and small dense blocks.

Heads are the people of largest degree. Each gets a group in proportion to its degree, as many heads as it takes for
groups of that size to hold everybody, and has most of its friends there. Blocks (as in Seshadhri, Kolda, Pinar 2012,
BTER): the others, in the order of log degree plus a little noise, are cut into blocks about as large as their degree
asks for, and each block falls into one group. All of it is drawn from public numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

ORDER_NOISE = 0.4
SMALLEST_BLOCK = 2
TRIES = 8
SKIP = 0.2  # how often a group is joined to the second before it instead of the last
HEAD_ROOM = 1.15  # size of a group over the degree of its head, who shall find all friends there
ROOM = 3  # blocks prefer groups so many times as large: beyond their block, people need others to meet


@dataclass(frozen=True, slots=True)
class Blocks:
    """`members` block by block from `starts`; head number g heads group g."""

    members: Integers
    starts: Integers
    group: Integers
    heads: Integers

    def wishes(self, degrees: Integers, density: Floats) -> Floats:
        """How many friends everybody wants in their own block, whose density shall be as given for each person."""
        sizes = np.diff(self.starts)
        within = np.zeros(len(degrees))
        within[self.members] = np.minimum(degrees[self.members] - 1, np.repeat(sizes, sizes) - 1)
        return within * density

    def meeting_places(self, stay: float, rng: np.random.Generator) -> tuple[Integers, Integers]:
        """Where everybody meets people beyond their block, and then, if places are left: -1 stands for anywhere.

        Groups form a long random tree, each but the first joined to one of the two before it; a border is its edge. A
        share `stay` of people meet others of their group, then at one of its borders. Of the others, who roam, a share
        `stay` go to a border straight away and the rest meet anybody.
        """
        n, n_groups = len(self.group), len(self.heads)
        row = rng.permutation(n_groups)
        back = 1 + (rng.random(max(0, n_groups - 1)) < SKIP)
        before = np.maximum(0, np.arange(1, n_groups) - back)
        ends = np.concatenate((row[1:], row[before]))  # border i joins these two, entry i - 1 of either half
        border = np.tile(np.arange(1, n_groups), 2)[np.argsort(ends, kind="stable")]
        first = np.searchsorted(np.sort(ends), np.arange(n_groups + 1))
        count = np.diff(first)[self.group]
        pick = first[self.group] + (rng.random(n) * count).astype(np.int64)
        at_border = n_groups + border[np.minimum(pick, len(border) - 1)] if len(border) else self.group
        mood = rng.random(n)
        outside = np.where(mood < stay + (1 - stay) * stay, at_border, -1)
        return np.where(mood < stay, self.group, outside), outside


def plan_blocks(degrees: Integers, clustering: Floats, rng: np.random.Generator) -> Blocks:
    """Heads, groups and blocks for people with these degrees in falling order."""
    n = len(degrees)
    n_heads = max(1, min(n, 1 + int(np.searchsorted(HEAD_ROOM * np.cumsum(degrees), n))))
    heads = np.arange(n_heads)
    members = n_heads + np.flatnonzero(degrees[n_heads:] > 0)
    noise = ORDER_NOISE * (1 - clustering[members])
    key = np.log(degrees[members]) + noise * rng.standard_normal(len(members))
    members = members[np.argsort(key)]
    starts = _cut(np.log(np.maximum(1, degrees[members] - 1)))
    sizes = np.diff(starts)
    group = np.zeros(n, dtype=np.int64)
    group[heads] = heads
    room = np.maximum(1, np.rint(degrees[heads] * (n / max(1, degrees[heads].sum())))).astype(np.int64)
    group[members] = np.repeat(_assign(sizes, room, rng), sizes)
    return Blocks(members, starts, group, heads)


def _cut(log_degrees: Floats) -> Integers:
    """Consecutive blocks of one person more than the geometric mean of their degrees."""
    total = np.concatenate(([0.0], np.cumsum(log_degrees)))
    n = len(log_degrees)
    starts = [0]
    while starts[-1] < n:
        first = starts[-1]
        size = 20
        for _ in range(3):
            last = min(n, first + size)
            size = max(SMALLEST_BLOCK, round(1 + float(np.exp((total[last] - total[first]) / (last - first)))))
        starts.append(min(n, first + size))
    return np.array(starts, dtype=np.int64)


def _assign(sizes: Integers, room: Integers, rng: np.random.Generator) -> Integers:
    """A group for each block, large blocks first, by chance among groups that have room for it."""
    left = room.copy()
    chances = np.cumsum(room) / room.sum()
    group = np.zeros(len(sizes), dtype=np.int64)
    for block in np.argsort(-sizes, kind="stable"):
        tries = np.searchsorted(chances, rng.random(TRIES))
        fits = (left[tries] >= sizes[block]) & (room[tries] >= ROOM * sizes[block])
        group[block] = tries[np.argmax(fits if fits.any() else left[tries])]
        left[group[block]] -= sizes[block]
    return group
