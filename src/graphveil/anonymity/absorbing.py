"""Let people of crowded degrees absorb what others lack, or have too many of.

Person w may change over from degree d to d + 1 (or d - 1) if more than k people have d and at least k have the other:
then both are still shared by k. Where nobody has the other degree yet, k people of a degree with 2k or more may change
over together. `crowd[d]` counts the members with target d; it is 0 or at least k throughout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.anonymity.joining import may_join
from graphveil.graph.pair_set import add_pair, discard_pair, has_pair
from graphveil.kernels import kernel


@kernel
def absorb(
    table: Any,
    indptr: Any,
    indices: Any,
    wanted: Any,
    targets: Any,
    crowd: Any,
    k: Any,
    members: Any,
    order: Any,
    step: Any,
    apart: Any,
) -> None:
    """Join those who lack edges to members (step 1), or part those with too many from members who are friends (-1).

    `order` lists everybody in random order.
    """
    for u in order:
        if wanted[u] * step <= 0:
            continue
        helpers = _helpers(table, indptr, indices, wanted, members, order, u, step, apart)
        if not (apart and step > 0):  # there, joining one helper may rule out another, and k of them are needed
            _open_degree(table, wanted, targets, crowd, k, helpers, u, step)
        for w in helpers:
            old, new = targets[w], targets[w] + step
            if wanted[u] == 0 or new < 0 or has_pair(table, u, w) == (step > 0):
                continue
            if crowd[old] > k and crowd[new] >= k and (step < 0 or may_join(table, indptr, indices, u, w, apart)):
                _change_over(table, wanted, targets, crowd, u, w, step)


@kernel
def _helpers(
    table: Any, indptr: Any, indices: Any, wanted: Any, members: Any, order: Any, u: Any, step: Any, apart: Any
) -> Any:
    """Members who want nothing themselves and may be joined to u, or parted from u."""
    helpers = np.empty(len(order), dtype=np.int64)
    count = 0
    for w in order:
        if members[w] and wanted[w] == 0:
            fits = may_join(table, indptr, indices, u, w, apart) if step > 0 else has_pair(table, u, w)
            if fits:
                helpers[count] = w
                count += 1
    return helpers[:count]


@kernel
def _open_degree(table: Any, wanted: Any, targets: Any, crowd: Any, k: Any, helpers: Any, u: Any, step: Any) -> None:
    """Have k helpers of the degree with most of them change over to a degree that nobody has."""
    if abs(wanted[u]) < k:
        return
    ready = np.zeros(len(crowd), dtype=np.int64)
    for w in helpers:
        new = targets[w] + step
        if new >= 0 and crowd[new] == 0 and crowd[targets[w]] >= 2 * k:
            ready[targets[w]] += 1
    old = ready.argmax()
    if ready[old] < k:
        return
    missing = k
    for w in helpers:
        if missing > 0 and targets[w] == old:
            _change_over(table, wanted, targets, crowd, u, w, step)
            missing -= 1


@kernel
def _change_over(table: Any, wanted: Any, targets: Any, crowd: Any, u: Any, w: Any, step: Any) -> None:
    if step > 0:
        add_pair(table, u, w)
    else:
        discard_pair(table, u, w)
    wanted[u] -= step
    crowd[targets[w]] -= 1
    targets[w] += step
    crowd[targets[w]] += 1
