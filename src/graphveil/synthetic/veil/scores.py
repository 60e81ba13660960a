"""How far a wiring is from its goals, kept up to date edge by edge.

    score = 3 |T - T*| / T* + 3 sum_k |F_k - F*_k| / sum_k F*_k + trust sum_kl |S_kl - S*_kl| / m + 9 |M - M*| / unit

with T triangles, F_k sums of local clusterings by class of degree, S_kl soft joint degrees and the trust they deserve,
M the sum of degree products, and unit what M changes by if the degree correlation changes by 1.

T and M may be off a little at no cost. Without that slack they come to stand exactly where they shall be, and nearly
every swap that would bring the rest nearer is refused because it moves one of them by a little.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import clustering_of
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.kernels import kernel
from graphveil.synthetic.veil.goals import Goals

TRIANGLES, PRODUCTS, CLUSTERING, JOINT = 0, 1, 2, 3
TRIANGLE_SLACK = 0.002  # relative
CORRELATION_SLACK = 0.002


class Scores(NamedTuple):
    """Tables by degree, then how much more the graph has than it shall have; `numbers` are triangles and products."""

    lower: Integers
    share: Floats
    pair_weight: Floats  # 1 / C(d, 2)
    numbers: Floats
    slack: Floats  # how far off either of these may be at no cost
    clustering: Floats
    joint: Floats
    weights: Floats  # of triangles, products, clustering, joint degrees


def scores_of(graph: Graph, goals: Goals, triangles: Integers | None = None) -> Scores:
    """The scores of a graph, with all edges counted once, and the triangles of everybody unless they are given."""
    scale, degrees = goals.scale, graph.degrees.astype(np.int64)
    triangles = exact_triangles_per_node(graph) if triangles is None else triangles
    degree = np.arange(int(degrees.max(initial=0)) + 1)
    pairs = degree * (degree - 1.0) / 2
    scores = Scores(
        lower=scale.lower[: len(degree)],
        share=scale.share[: len(degree)],
        pair_weight=np.divide(1.0, pairs, out=np.zeros(len(pairs)), where=pairs > 0),
        numbers=np.array([triangles.sum() / 3 - goals.triangles, -goals.products]),
        slack=np.array([TRIANGLE_SLACK * goals.triangles, CORRELATION_SLACK * goals.products_unit]),
        clustering=scale.sums(degrees, clustering_of(triangles, degrees)) - goals.clustering_sums,
        joint=-goals.joint,
        weights=np.array(
            [
                3 / max(1.0, goals.triangles),
                9 / goals.products_unit,
                3 / max(1.0, goals.clustering_sums.sum()),
                goals.joint_trust / max(1, goals.n_edges),
            ]
        ),
    )
    _count_edges(scores, graph.indptr, graph.indices)
    return scores


def misses(scores: Scores) -> Floats:
    """The four terms of the score."""
    gaps: Floats = np.array([*np.abs(scores.numbers), np.abs(scores.clustering).sum(), np.abs(scores.joint).sum()])
    return scores.weights * gaps


@kernel
def _count_edges(scores: Any, indptr: Any, indices: Any) -> None:
    """Add all edges to the joint degrees and the sum of degree products."""
    lower, share, numbers, joint = scores.lower, scores.share, scores.numbers, scores.joint
    for u in range(len(indptr) - 1):
        degree = indptr[u + 1] - indptr[u]
        for place in range(indptr[u], indptr[u + 1]):
            v = indices[place]
            if u < v:
                other = indptr[v + 1] - indptr[v]
                numbers[PRODUCTS] += degree * other
                move_joint(lower, share, joint, degree, other, 1.0)


@kernel
def move_joint(lower: Any, share: Any, joint: Any, degree: Any, other: Any, by: Any) -> Any:
    """Add an edge between two degrees to the joint ones, or take it away (by = -1); returns how their miss changes."""
    change = 0.0
    for i in range(2):
        k = lower[degree] + i
        here = by * (share[degree] if i == 0 else 1 - share[degree])
        for j in range(2):
            l = lower[other] + j  # noqa: E741 - the two knots of a cell
            mass = here * (share[other] if j == 0 else 1 - share[other])
            row, column = min(k, l), max(k, l)
            gap = joint[row, column]
            joint[row, column] = gap + mass
            change += abs(gap + mass) - abs(gap)
    return change


@kernel
def add_clustering(lower: Any, share: Any, sums: Any, degree: Any, weight: Any) -> None:
    """Add local clustering of somebody of this degree to sums by class."""
    sums[lower[degree]] += share[degree] * weight
    sums[lower[degree] + 1] += (1 - share[degree]) * weight
