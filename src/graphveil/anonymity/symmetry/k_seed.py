"""k-seed equivalence: everybody belongs to a seed of at least k people with exactly the same friends.

Definition: u and v are structurally equivalent if every third person is a friend of both or of neither (Lorrain and
White 1971); a graph is k-seed equivalent if each such class, a seed, has at least k people.
Adversary: knows the whole graph around a person, and where everybody else is; cannot tell a seed's members apart.
Stronger than the others: exchanging two members of a seed is an automorphism, so moving each seed in a cycle gives
    k-automorphism, hence k-neighbourhood and k-degree anonymity.
Not protected: links. Two seeds are joined completely or not at all, so whoever knows two people's seeds knows whether
    the published graph joins them.
Steps: people with much the same friends form groups of k (the last up to 2k - 1); for every two groups, and in each,
    all pairs are joined or none, the fullest first, until there are as many edges as before.
Cost: the sum of squared degrees for the groups; memory in proportion to the edges.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.anonymity.symmetry.similar_groups import fullest_blocks, similar_groups
from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel


def k_seed_edges(graph: Graph, k: int, rng: np.random.Generator) -> Integers:
    """The edges of a k-seed equivalent graph on the same people."""
    members = similar_groups(graph, k, rng)
    n_groups = graph.n_nodes // k
    starts = np.append(np.arange(n_groups) * k, graph.n_nodes)
    group_of = np.empty(graph.n_nodes, dtype=np.int64)
    group_of[members] = np.repeat(np.arange(n_groups), np.diff(starts))
    pairs = np.sort(group_of[graph.edges()], axis=1)
    blocks, edges_in = np.unique(pairs[:, 0] * n_groups + pairs[:, 1], return_counts=True)
    first, second = blocks // n_groups, blocks % n_groups
    sizes = np.diff(starts)
    size = np.where(first == second, sizes[first] * (sizes[first] - 1) // 2, sizes[first] * sizes[second])
    chosen = fullest_blocks(edges_in, size, graph.n_edges, rng)
    edges: Integers = _all_pairs(first[chosen], second[chosen], starts, members, size[chosen].sum())
    return edges


@kernel
def _all_pairs(first: Any, second: Any, starts: Any, members: Any, n_pairs: Any) -> Any:
    """Every pair between the first and the second group of each block."""
    edges = np.empty((n_pairs, 2), dtype=np.int64)
    write = 0
    for block in range(len(first)):
        for i in range(starts[first[block]], starts[first[block] + 1]):
            begin = i + 1 if first[block] == second[block] else starts[second[block]]
            for j in range(begin, starts[second[block] + 1]):
                edges[write] = members[i], members[j]
                write += 1
    return edges
