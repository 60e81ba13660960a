"""Where a graph starts: groups of people, and small dense blocks of people of like degree in them.

Groups are sized in proportion to the largest degrees, as many as it takes to hold everybody. Blocks (as in Seshadhri,
Kolda, Pinar 2012, BTER): people in the order of log degree plus a little noise are cut into blocks about as large as
their degree and clustering ask for, and each block falls into one group. All of it is drawn from public numbers.

People are numbered by group and block, so that who belongs together lies together in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers, SmallIntegers
from graphveil.kernels import kernel

ORDER_NOISE = 0.4
SMALLEST_BLOCK = 2
TRIES = 8
SKIP = 0.2  # how often a group is joined to the second before it instead of the last
GROUP_ROOM = 1.15  # size of a group over the degree it is sized by
ROOM = 3  # blocks prefer groups so many times as large: beyond their block, people need others to meet


@dataclass(frozen=True, slots=True)
class Blocks:
    """Group g is `first[g]` to `first[g + 1]`, and `starts` are the borders of blocks. The friendless come last."""

    degrees: Integers
    starts: Integers
    first: Integers
    group: SmallIntegers

    def wishes(self, clustering: Floats, density: Floats) -> Floats:
        """How many friends everybody wants in their own block, whose density shall be as given for each person."""
        sizes = np.diff(self.starts)
        within = np.zeros(len(self.degrees))
        here = self.starts[-1]
        own = np.where(self.degrees[:here] > 1, _friends_in_block(self.degrees[:here], clustering[:here]), 0)
        within[:here] = np.minimum(own, np.repeat(sizes - 1, sizes))
        return within * density

    def meeting_places(self, stay: float, rng: np.random.Generator) -> tuple[SmallIntegers, SmallIntegers]:
        """Where everybody meets people beyond their block, and then, if places are left: -1 stands for anywhere.

        Groups form a long random tree, each but the first joined to one of the two before it; a border is its edge. A
        share `stay` of people meet others of their group, then at one of its borders. Of the others, who roam, a share
        `stay` go to a border straight away and the rest meet anybody.
        """
        n, n_groups = len(self.group), len(self.first) - 1
        row = rng.permutation(n_groups)
        back = 1 + (rng.random(max(0, n_groups - 1)) < SKIP)
        before = np.maximum(0, np.arange(1, n_groups) - back)
        ends = np.concatenate((row[1:], row[before]))  # border i joins these two, entry i - 1 of either half
        border = np.tile(np.arange(1, n_groups, dtype=np.int32), 2)[np.argsort(ends, kind="stable")]
        first = np.searchsorted(np.sort(ends), np.arange(n_groups + 1))
        count = np.diff(first)[self.group]
        pick = first[self.group] + (rng.random(n) * count).astype(np.int64)
        at_border = n_groups + border[np.minimum(pick, len(border) - 1)] if len(border) else self.group
        mood = rng.random(n)
        outside = np.where(mood < stay + (1 - stay) * stay, at_border, np.int32(-1))
        return np.where(mood < stay, self.group, outside), outside


def plan_blocks(degrees: Integers, clustering: Floats, rng: np.random.Generator, *, alike: bool) -> Blocks:
    """Groups and blocks for people with these degrees in falling order.

    `alike` puts blocks of like degrees into one group, instead of any.
    """
    n = len(degrees)
    n_groups = max(1, min(n, 1 + int(np.searchsorted(GROUP_ROOM * np.cumsum(degrees), n))))
    members = np.flatnonzero(degrees > 0)
    noise = ORDER_NOISE * (1 - clustering[members]) * rng.standard_normal(len(members))
    members = members[np.argsort(np.where(degrees[members] > 1, np.minimum(0, noise - np.log(degrees[members])), 1))]
    sizes = np.diff(_cut(np.log(_friends_in_block(degrees[members], clustering[members]))))
    room = np.maximum(1, np.rint(degrees[:n_groups] * (n / max(1, degrees[:n_groups].sum())))).astype(np.int64)
    if alike:
        middles = np.cumsum(sizes) - sizes / 2
        group = np.minimum(np.searchsorted(np.cumsum(room), middles), n_groups - 1)
    else:
        group = _assign(rng, np.argsort(-sizes, kind="stable"), sizes, room)
    block = np.argsort(group, kind="stable")
    people = members[_ranges(np.cumsum(sizes) - sizes, sizes, block)]
    friendless = np.setdiff1d(np.arange(n), people)
    per_group = np.bincount(group, sizes, n_groups).astype(np.int64)
    return Blocks(
        degrees=degrees[np.append(people, friendless)],
        starts=np.append(0, np.cumsum(sizes[block])),
        first=np.append(0, np.cumsum(per_group)),
        group=np.append(np.repeat(np.arange(n_groups), per_group), np.zeros(len(friendless))).astype(np.int32),
    )


def _friends_in_block(degrees: Integers, clustering: Floats) -> Floats:
    """How many others a block shall have: all friends but one, unless clustering takes more of them.

    Somebody with d friends, k of them in a complete block, has a clustering of k (k - 1) / (d (d - 1)).
    """
    for_clustering = 0.5 + np.sqrt(0.25 + clustering * degrees * (degrees - 1))
    return np.maximum(1, np.maximum(degrees - 1, for_clustering))


def _ranges(starts: Integers, sizes: Integers, order: Integers) -> Integers:
    """The numbers from each start on, as many as its size, in this order of starts."""
    ends = np.cumsum(sizes[order])
    return np.arange(ends[-1]) + np.repeat(starts[order] - ends + sizes[order], sizes[order])


@kernel
def _cut(log_degrees: Any) -> Any:
    """Borders of consecutive blocks of one person more than the geometric mean of their degrees."""
    n = len(log_degrees)
    total = np.zeros(n + 1)
    for i in range(n):
        total[i + 1] = total[i] + log_degrees[i]
    starts = np.zeros(n // SMALLEST_BLOCK + 2, dtype=np.int64)
    count = 0
    while starts[count] < n:
        first = starts[count]
        size = 20
        for _ in range(3):
            last = min(n, first + size)
            size = max(SMALLEST_BLOCK, round(1 + np.exp((total[last] - total[first]) / (last - first))))
        count += 1
        starts[count] = min(n, first + size)
    return starts[: count + 1]


@kernel
def _assign(rng: Any, order: Any, sizes: Any, room: Any) -> Any:
    """A group for each block, in this order of blocks, by chance among groups that have room for it."""
    left = room.copy()
    chances = np.cumsum(room)
    group = np.zeros(len(sizes), dtype=np.int64)
    for block in order:
        size = sizes[block]
        best, found = -1, False
        for _ in range(TRIES):
            tried = np.searchsorted(chances, rng.random() * chances[-1])
            fits = left[tried] >= size and room[tried] >= ROOM * size
            if not found and (fits or best < 0 or left[tried] > left[best]):
                best, found = tried, fits
        group[block] = best
        left[best] -= size
    return group
