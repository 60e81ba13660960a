"""Turn a plan of blocks into a simple graph with exactly the wanted degrees.

Edges within blocks come first, each pair with the chance that its two ends' wishes give (Chung and Lu 2002), as far as
both have places left. The places left over are joined at random, first within groups, then anywhere; the few that
cannot be joined (both ends are friends already) each break some edge xy up into ux and vy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.generate.degrees import configuration
from graphveil.kernels import kernel
from graphveil.synthetic.veil.blocks import Blocks
from graphveil.synthetic.veil.goals import Goals
from graphveil.synthetic.veil.wiring import Wiring, empty_wiring, has_place, insert, join, may_join, sort_rows

Floats = NDArray[np.float64]

HEAD_SWEEPS = 12
GROUP_ROUNDS = 6
ROUNDS = 30
TRIES = 20_000
TRIES_IN_GROUP = 200


def wire(goals: Goals, blocks: Blocks, density: Floats, stay: float, rng: np.random.Generator) -> Wiring:
    """A graph with the wanted degrees; a block has about the `density` given at the degrees of its people.

    `stay` is the share of people whose places beyond blocks are joined within groups.
    """
    degrees, hats = blocks.degrees, goals.hats
    wiring = empty_wiring(degrees)
    order = np.arange(len(degrees), dtype=np.int32)
    affinity = goals.affinity(degrees[blocks.heads])
    _join_heads(rng, wiring, blocks.first, order, affinity, hats.lower, hats.share, stay)
    _join_blocks(rng, wiring, blocks.starts, blocks.wishes(hats.at(density, degrees)))
    left = np.repeat(np.arange(len(degrees), dtype=np.int32), degrees - wiring.filled)
    for place in blocks.meeting_places(stay, rng):
        meets = place[left] >= 0
        left, here = left[~meets], left[meets]
        for _ in range(GROUP_ROUNDS):
            rng.shuffle(here)
            here = _join_at_places(wiring, here, place)
        here = _settle_in_groups(rng, wiring, here[np.argsort(place[here], kind="stable")], place, blocks.first)
        left = np.concatenate((left, here))
    for _ in range(ROUNDS):
        rng.shuffle(left)
        left = _join_in_turn(wiring, left)
    if not _break_up(rng, wiring, left):
        wiring.rows[:] = configuration(degrees, seed=int(rng.integers(2**31))).indices
        wiring.filled[:] = degrees
    sort_rows(wiring)
    return wiring


@kernel
def _join_heads(
    rng: Any, wiring: Any, first: Any, order: Any, affinity: Any, lower: Any, share: Any, stay: Any
) -> None:
    """Join each head to people of its group, in a random order of these, up to its share of friends there.

    Its affinity to people of each knot of degree says whom it meets rather early.
    """
    for group in range(len(first) - 1):
        head, end = first[group], first[group + 1]
        wanted = int(stay * (wiring.indptr[head + 1] - wiring.indptr[head]) + rng.random())
        for sweep in range(HEAD_SWEEPS):
            likely = affinity[group].max() * 0.5**sweep
            for i in range(head + 1, end):
                if wiring.filled[head] >= wanted:
                    break
                j = i + int(rng.random() * (end - i))
                order[i], order[j] = order[j], order[i]
                u = order[i]
                degree = wiring.indptr[u + 1] - wiring.indptr[u]
                knot, part = lower[degree], share[degree]
                liking = part * affinity[group, knot] + (1 - part) * affinity[group, knot + 1]
                if rng.random() * likely < liking and has_place(wiring, u) and may_join(wiring, head, u):
                    join(wiring, head, u)


@kernel
def _join_blocks(rng: Any, wiring: Any, starts: Any, within: Any) -> None:
    for block in range(len(starts) - 1):
        total = within[starts[block] : starts[block + 1]].sum()
        for u in range(starts[block], starts[block + 1]):
            for v in range(u + 1, starts[block + 1]):
                if rng.random() * total < within[u] * within[v] and has_place(wiring, u) and has_place(wiring, v):
                    join(wiring, u, v)


@kernel
def _join_at_places(wiring: Any, left: Any, place: Any) -> Any:
    """Join people of one meeting place two by two as they come; returns who is left."""
    waiting = np.full(place.max() + 1, -1, dtype=np.int32)
    kept = 0
    for u in left:
        here = place[u]
        if waiting[here] < 0:
            waiting[here] = u
        elif may_join(wiring, u, waiting[here]):
            join(wiring, u, waiting[here])
            waiting[here] = -1
        else:
            left[kept] = u
            kept += 1
    for u in waiting:
        if u >= 0:
            left[kept] = u
            kept += 1
    return left[:kept]


@kernel
def _join_in_turn(wiring: Any, left: Any) -> Any:
    """Join each place to the next one; returns those that cannot be joined."""
    kept = 0
    for i in range(0, len(left) - 1, 2):
        u, v = left[i], left[i + 1]
        if may_join(wiring, u, v):
            join(wiring, u, v)
        else:
            left[kept], left[kept + 1] = u, v
            kept += 2
    return left[:kept]


@kernel
def _settle_in_groups(rng: Any, wiring: Any, left: Any, place: Any, first: Any) -> Any:
    """Give each two places left an edge of their group to break up (sorted by place); returns who is left."""
    kept = 0
    i = 0
    while i < len(left):
        u = left[i]
        group = place[u]
        settled = False
        if i + 1 < len(left) and place[left[i + 1]] == group and group < len(first) - 1:
            for _ in range(TRIES_IN_GROUP):
                x = first[group] + int(rng.random() * (first[group + 1] - first[group]))
                if wiring.filled[x]:
                    y = wiring.rows[wiring.indptr[x] + int(rng.random() * wiring.filled[x])]
                    settled = place[y] == group and insert(wiring, x, y, u, left[i + 1])
                if settled:
                    break
        if settled:
            i += 2
        else:
            left[kept] = u
            kept += 1
            i += 1
    return left[:kept]


@kernel
def _break_up(rng: Any, wiring: Any, left: Any) -> Any:
    """The same anywhere; False if no edge is found for some."""
    for i in range(0, len(left) - 1, 2):
        settled = False
        for _ in range(TRIES):
            place = int(rng.random() * len(wiring.rows))
            x, y = wiring.owner[place], wiring.rows[place]
            settled = y >= 0 and insert(wiring, x, y, left[i], left[i + 1])
            if settled:
                break
        if not settled:
            return False
    return True
