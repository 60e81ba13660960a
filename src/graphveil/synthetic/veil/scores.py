"""How far a wiring is from its goals, kept up to date edge by edge.

    score = 3 |T - T*| / T* + 3 sum_k |F_k - F*_k| / sum_k F*_k + trust sum_kl |S_kl - S*_kl| / m + 9 |M - M*| / unit

with T triangles, F_k sums of local clusterings by class of degree, S_kl soft joint degrees and the trust they deserve,
M the sum of degree products, and unit what M changes by if the degree correlation changes by 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.clustering import clustering_of
from graphveil.graph.core import Graph
from graphveil.graph.triangles import exact_triangles_per_node
from graphveil.kernels import kernel
from graphveil.synthetic.veil.goals import Goals
from graphveil.synthetic.veil.wiring import Wiring, edges_of

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

TRIANGLES, PRODUCTS = 0, 1


class Scores(NamedTuple):
    """Tables per node, then what the wiring has and what it shall have; `numbers` are triangles and products."""

    lower: Integers
    share: Floats
    pair_weight: Floats  # 1 / C(d, 2)
    degree: Floats
    clustering: Floats
    clustering_goal: Floats
    joint: Floats
    joint_goal: Floats
    numbers: Floats
    number_goals: Floats
    weights: Floats  # of triangles, products, clustering, joint degrees


def scores_of(wiring: Wiring, goals: Goals) -> Scores:
    """Count everything once."""
    degrees, hats = goals.degrees, goals.hats
    edges = edges_of(wiring)
    triangles = exact_triangles_per_node(Graph.from_edges(edges, n_nodes=len(degrees)))
    products = (degrees[edges[:, 0]].astype(np.float64) * degrees[edges[:, 1]]).sum()
    pairs = degrees * (degrees - 1.0) / 2
    return Scores(
        lower=hats.lower[degrees],
        share=hats.share[degrees],
        pair_weight=np.divide(1.0, pairs, out=np.zeros(len(pairs)), where=pairs > 0),
        degree=degrees.astype(np.float64),
        clustering=hats.sums(degrees, clustering_of(triangles, degrees)),
        clustering_goal=goals.clustering_sums.copy(),
        joint=hats.joint(degrees[edges[:, 0]], degrees[edges[:, 1]]),
        joint_goal=goals.joint.copy(),
        numbers=np.array([triangles.sum() / 3, products]),
        number_goals=np.array([goals.triangles, goals.products]),
        weights=np.array(
            [
                3 / max(1.0, goals.triangles),
                9 / goals.products_unit,
                3 / max(1.0, goals.clustering_sums.sum()),
                goals.joint_trust / max(1, goals.n_edges),
            ]
        ),
    )


def misses(scores: Scores) -> Floats:
    """The four terms of the score."""
    gaps: Floats = np.array(
        [
            *np.abs(scores.numbers - scores.number_goals),
            np.abs(scores.clustering - scores.clustering_goal).sum(),
            np.abs(scores.joint - scores.joint_goal).sum(),
        ]
    )
    return scores.weights * gaps


@kernel
def move_joint(scores: Any, u: Any, v: Any, by: Any) -> Any:
    """Add an edge uv to the joint degrees, or take it away (by = -1); returns how much their miss changes."""
    change = 0.0
    for i in range(2):
        k = scores.lower[u] + i
        of_u = scores.share[u] if i == 0 else 1 - scores.share[u]
        for j in range(2):
            l = scores.lower[v] + j  # noqa: E741 - the two knots of a cell
            mass = by * of_u * (scores.share[v] if j == 0 else 1 - scores.share[v])
            if mass != 0.0:
                row, column = min(k, l), max(k, l)
                gap = scores.joint[row, column] - scores.joint_goal[row, column]
                scores.joint[row, column] += mass
                change += abs(gap + mass) - abs(gap)
    return change


@kernel
def add_clustering(scores: Any, sums: Any, u: Any, triangles: Any) -> None:
    """Add triangles at u to sums by class."""
    weight = triangles * scores.pair_weight[u]
    sums[scores.lower[u]] += scores.share[u] * weight
    sums[scores.lower[u] + 1] += (1 - scores.share[u]) * weight
