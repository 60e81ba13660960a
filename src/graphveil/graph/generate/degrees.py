"""Random simple graphs with exactly given degrees.

The configuration model joins half-edges at random; its loops and repeated edges are then repaired by switches: a bad
edge uv and a random edge xy become ux and vy if both are new. No edge is erased, so every degree is exact, and few
edges are touched, so the graph is close to uniform where degrees are small against the number of edges.

Some sequences have so few realisations (a clique, a few hubs joined to everybody) that single repairs get stuck. Then
the graph of Havel 1955 and Hakimi 1962 is built instead, which exists for every graphical sequence, and shuffled by
random switches, ten tries per edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.pairs import add_pair, discard_pair, has_pair, new_pair_set
from graphveil.kernels import kernel

TRIES_PER_REPAIR = 1_000
SWITCHES_PER_EDGE = 10


def is_graphical(degrees: ArrayLike) -> bool:
    """Whether some simple graph has these degrees (Erdős and Gallai 1960).

    >>> is_graphical([2, 2, 2]), is_graphical([3, 1]), is_graphical([2, 1])
    (True, False, False)
    """
    falling = np.sort(np.asarray(degrees, dtype=np.int64))[::-1]
    if len(falling) == 0:
        return True
    if falling[-1] < 0 or falling.sum() % 2:
        return False
    k = np.arange(1, len(falling) + 1)
    # people beyond the first k offer min(k, degree) places each: k up to the last degree above k, then the degrees
    above = np.maximum(np.searchsorted(-falling, -k), k)
    rest = np.concatenate((np.cumsum(falling[::-1])[::-1], [0]))
    return bool((np.cumsum(falling) <= k * (k - 1) + k * (above - k) + rest[above]).all())


def configuration(degrees: ArrayLike, *, seed: int) -> Graph:
    """A random simple graph in which node u has exactly `degrees[u]` neighbours.

    >>> configuration([3, 2, 2, 2, 1], seed=1).degrees.tolist()
    [3, 2, 2, 2, 1]
    """
    wanted = np.asarray(degrees, dtype=np.int64)
    if wanted.ndim != 1 or not is_graphical(wanted):
        raise ParameterError("no simple graph has these degrees; give a list that is_graphical accepts")
    rng = np.random.default_rng(seed)
    edges = rng.permutation(np.repeat(np.arange(len(wanted)), wanted)).reshape(-1, 2)
    if not _repair(rng, edges, new_pair_set(len(edges))):
        edges = _havel_hakimi(wanted, np.argsort(-wanted))
        _shuffle(rng, edges, new_pair_set(len(edges)), SWITCHES_PER_EDGE * len(edges))
    return Graph.from_edges(edges, n_nodes=len(wanted))


@kernel
def _repair(rng: Any, edges: Any, present: Any) -> Any:
    """Switch loops and repeated edges away; False if one resists too many tries."""
    bad = np.zeros(len(edges), dtype=np.bool_)
    for e in range(len(edges)):
        u, v = edges[e]
        bad[e] = u == v or has_pair(present, u, v)
        if not bad[e]:
            add_pair(present, u, v)
    for e in range(len(edges)):
        tries = 0
        while bad[e]:
            if tries == TRIES_PER_REPAIR:
                return False
            tries += 1
            other = int(rng.random() * len(edges))
            if not bad[other] and _switch(edges, present, other, e, rng.random() < 0.5):
                bad[e] = False
    return True


@kernel
def _shuffle(rng: Any, edges: Any, present: Any, tries: Any) -> None:
    """Random switches of a simple graph."""
    for e in range(len(edges)):
        add_pair(present, edges[e, 0], edges[e, 1])
    for _ in range(tries):
        first, second = int(rng.random() * len(edges)), int(rng.random() * len(edges))
        old_u, old_v = edges[second]
        if _switch(edges, present, first, second, rng.random() < 0.5):
            discard_pair(present, old_u, old_v)


@kernel
def _switch(edges: Any, present: Any, good: Any, other: Any, crossed: Any) -> Any:
    """Turn xy and uv into xu and yv (crossed: xv and yu) if both are new; forgets xy, leaves uv to the caller."""
    x, y = edges[good]
    u, v = edges[other]
    if crossed:
        u, v = v, u
    if x == u or y == v or has_pair(present, x, u) or has_pair(present, y, v):
        return False
    discard_pair(present, x, y)
    add_pair(present, x, u)
    add_pair(present, y, v)
    edges[good, 1], edges[other, 0], edges[other, 1] = u, y, v
    return True


@kernel
def _havel_hakimi(degrees: Any, order: Any) -> Any:
    """Join the person with most places left to those with most after them, again and again.

    `order` lists people by falling degree and `left` their free places. Among equals the last are taken, which keeps
    `left` falling; `at_least[x]` is the number of people not yet served with x or more free places.
    """
    left = degrees[order]
    at_least = np.zeros(len(left) + 1, dtype=np.int64)
    for places in left:
        at_least[places] += 1
    for x in range(len(left) - 1, -1, -1):
        at_least[x] += at_least[x + 1]
    edges = np.empty((left.sum() // 2, 2), dtype=np.int64)
    write = 0
    for served in range(len(left)):
        wanted = left[served]
        at_least[: wanted + 1] -= 1
        if wanted == 0:
            continue
        least = left[served + wanted]
        n_above = at_least[least + 1]
        block_end = served + 1 + at_least[least]
        for i in range(wanted):
            position = served + 1 + i if i < n_above else block_end - wanted + i
            edges[write] = order[served], order[position]
            write += 1
            at_least[left[position]] -= 1
            left[position] -= 1
    return edges
