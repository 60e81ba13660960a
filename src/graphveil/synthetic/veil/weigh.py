"""What a swap of ab and cd to ad and cb changes, and whether the score takes it.

The edges that a swap removes and adds share no triangle: each lost triangle contains one of ab and cd, each new one
one of ad and cb. So the change is counted before anything is written: the friends of a and c are marked, then those of
b and d are read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.kernels import kernel
from graphveil.synthetic.veil.scores import CLUSTERING, JOINT, PRODUCTS, TRIANGLES, add_clustering, move_joint
from graphveil.synthetic.veil.sorted_rows import degree_of


@kernel
def weigh(indptr: Any, rows: Any, lower: Any, share: Any, pair_weight: Any, mark: Any, swap: Any, effect: Any) -> None:
    """By how much a swap changes triangles, the first entry, and clustering by class, the others.

    `mark` holds a 0 for everybody, before and after.
    """
    a, b, c, d = swap
    effect[:] = 0.0
    sums = effect[1:]
    if degree_of(indptr, a) + degree_of(indptr, c) > degree_of(indptr, b) + degree_of(indptr, d):
        a, b, c, d = b, a, d, c  # the same swap
    for place in range(indptr[a], indptr[a + 1]):
        mark[rows[place]] = 1
    for place in range(indptr[c], indptr[c + 1]):
        mark[rows[place]] |= 2
    new_ad, old_cd = _met(indptr, rows, lower, share, pair_weight, sums, mark, d, b, c, 1.0)
    old_ab, new_cb = _met(indptr, rows, lower, share, pair_weight, sums, mark, b, a, d, -1.0)
    for place in range(indptr[a], indptr[a + 1]):
        mark[rows[place]] = 0
    for place in range(indptr[c], indptr[c + 1]):
        mark[rows[place]] = 0
    effect[0] = new_ad - old_ab + new_cb - old_cd
    for u, by in ((a, new_ad - old_ab), (b, new_cb - old_ab), (c, new_cb - old_cd), (d, new_ad - old_cd)):
        if by:
            degree = degree_of(indptr, u)
            add_clustering(lower, share, sums, degree, by * pair_weight[degree])


@kernel
def _met(
    indptr: Any, rows: Any, lower: Any, share: Any, pair_weight: Any, sums: Any, mark: Any, u: Any,
    never: Any, nor: Any, by: Any,
) -> Any:  # fmt: skip
    """How many of u's friends but for two know a, and how many know c; adds the clustering of those who know one."""
    know_a = know_c = np.int64(0)
    for place in range(indptr[u], indptr[u + 1]):
        w = rows[place]
        if mark[w] and w != never and w != nor:
            a, c = np.int64(mark[w] & 1), np.int64(mark[w] >> 1)
            know_a += a
            know_c += c
            if a != c:
                degree = degree_of(indptr, w)
                add_clustering(lower, share, sums, degree, by * (a - c) * pair_weight[degree])
    return know_a, know_c


@kernel
def accept(scores: Any, of_a: Any, of_b: Any, of_c: Any, of_d: Any, effect: Any) -> Any:
    """Whether a swap between people of these degrees does not raise the score; if so, the score counts it as made."""
    lower, share, _, numbers, slack, clustering, joint, weights = scores
    products = np.float64((of_a - of_c) * (of_d - of_b))
    change = weights[TRIANGLES] * _further(numbers[TRIANGLES], effect[0], slack[TRIANGLES])
    change += weights[PRODUCTS] * _further(numbers[PRODUCTS], products, slack[PRODUCTS])
    for k in range(len(clustering)):
        change += weights[CLUSTERING] * (abs(clustering[k] + effect[1 + k]) - abs(clustering[k]))
    if change > 4 * weights[JOINT]:  # each of four edges moves the joint degrees by at most 1
        return False
    moved = move_joint(lower, share, joint, of_a, of_b, -1.0) + move_joint(lower, share, joint, of_c, of_d, -1.0)
    moved += move_joint(lower, share, joint, of_a, of_d, 1.0) + move_joint(lower, share, joint, of_c, of_b, 1.0)
    if change + weights[JOINT] * moved > 0:
        move_joint(lower, share, joint, of_a, of_b, 1.0)
        move_joint(lower, share, joint, of_c, of_d, 1.0)
        move_joint(lower, share, joint, of_a, of_d, -1.0)
        move_joint(lower, share, joint, of_c, of_b, -1.0)
        return False
    numbers[TRIANGLES] += effect[0]
    numbers[PRODUCTS] += products
    clustering += effect[1:]
    return True


@kernel
def _further(gap: Any, by: Any, slack: Any) -> Any:
    """How much further beyond the slack a number gets that is off by `gap` and changes."""
    return max(0.0, abs(gap + by) - slack) - max(0.0, abs(gap) - slack)
