"""The cheapest degrees in which everybody is one of at least k.

Paper: Liu and Terzi 2008, "Towards identity anonymization on graphs".

Sort the degrees. Some best solution gives one degree to each of several runs of consecutive people, and a run of 2k or
more people can be cut in two without loss, so runs have k to 2k - 1 people. With C(i, j) the cost of one run,

    best(j) = min over i in j - 2k + 1 .. j - k of best(i) + C(i, j)

takes O(nk) steps. If degrees may only rise, a run gets its largest degree; if they may also fall, its (upper) median,
which makes the sum of |new - old| least. Both costs come from sums of prefixes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Integers
from graphveil.kernels import kernel


def anonymous_degrees(degrees: AnyIntegers, k: int, *, only_rise: bool) -> Integers:
    """A degree for every node, shared by at least k, with the least sum of changes; there must be k nodes or none.

    >>> anonymous_degrees(np.array([9, 5, 4, 1, 1]), 2, only_rise=True).tolist()
    [9, 9, 9, 1, 1]
    >>> anonymous_degrees(np.array([9, 5, 4, 1, 1]), 2, only_rise=False).tolist()
    [5, 5, 5, 1, 1]
    """
    order = np.argsort(-degrees, kind="stable")
    targets = np.empty(len(degrees), dtype=np.int64)
    targets[order] = _cheapest_runs(degrees[order].astype(np.int64), k, only_rise)
    return targets


@kernel
def _cheapest_runs(falling: Any, k: Any, only_rise: Any) -> Any:
    n = len(falling)
    sums = np.zeros(n + 1, dtype=np.int64)
    for i in range(n):
        sums[i + 1] = sums[i] + falling[i]
    unreachable = np.int64(2) ** 62
    best = np.full(n + 1, unreachable)
    best[0] = 0
    start_of_run = np.zeros(n + 1, dtype=np.int64)
    for j in range(k, n + 1):
        for i in range(max(0, j - 2 * k + 1), j - k + 1):
            if best[i] == unreachable:
                continue
            if only_rise:
                cost = falling[i] * (j - i) - (sums[j] - sums[i])
            else:
                half = (j - i) // 2
                cost = (sums[i + half] - sums[i]) - (sums[j] - sums[j - half])
            if best[i] + cost < best[j]:
                best[j] = best[i] + cost
                start_of_run[j] = i
    targets = np.empty(n, dtype=np.int64)
    j = n
    while j > 0:
        i = start_of_run[j]
        targets[i:j] = falling[i] if only_rise else falling[i + (j - i - 1) // 2]
        j = i
    return targets
