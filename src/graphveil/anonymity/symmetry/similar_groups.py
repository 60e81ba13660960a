"""Put people into groups of k whose friends are much the same.

The person with most friends who is still free takes the k - 1 free people most similar to them, by the share of friends
in common (Jaccard 1901; each person counts among their own friends), and so on. Those who find too few such people near
them are grouped by their number of friends at the end. Walking two steps from every leader costs at most the sum of
squared degrees.

Which sets of pairs to fill and which to empty, so that the graph keeps its size and most of its edges.

A notion of anonymity may ask that certain sets of pairs, blocks, are all joined or all parted. Filling the blocks with
the largest share of edges first, until there are as many edges as before, keeps as many of the old edges as any choice
of that many new pairs would, up to the size of one block.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

FREE = -1


def similar_groups(graph: Graph, k: int, rng: np.random.Generator) -> Integers:
    """All nodes in a row, each k consecutive ones a group; the last n mod k are left over."""
    by_degree = np.lexsort((rng.random(graph.n_nodes), -graph.degrees))
    group_of = _group(graph.indptr, graph.indices, by_degree, k)
    alone = by_degree[group_of[by_degree] == FREE]
    grouped = np.argsort(group_of, kind="stable")[len(alone) :]
    return np.concatenate((grouped, alone))


@kernel
def _group(indptr: Any, indices: Any, order: Any, k: Any) -> Any:
    n_nodes = len(order)
    group_of = np.full(n_nodes, FREE)
    common = np.zeros(n_nodes, dtype=np.int64)
    met = np.empty(n_nodes, dtype=np.int64)
    groups = 0
    for leader in order:
        if group_of[leader] != FREE:
            continue
        n_met = _count_common(indptr, indices, leader, group_of, common, met)
        if n_met >= k - 1:
            likeness = np.empty(n_met)
            size = indptr[leader + 1] - indptr[leader] + 1
            for i in range(n_met):
                w = met[i]
                likeness[i] = common[w] / (size + indptr[w + 1] - indptr[w] + 1 - common[w])
            best = np.argsort(-likeness)[: k - 1]
            group_of[leader] = groups
            for i in best:
                group_of[met[i]] = groups
            groups += 1
        for i in range(n_met):
            common[met[i]] = 0
    return group_of


@kernel
def _count_common(indptr: Any, indices: Any, leader: Any, group_of: Any, common: Any, met: Any) -> Any:
    """Count the friends that free people have in common with the leader; returns how many people were met."""
    n_met = 0
    for i in range(indptr[leader], indptr[leader + 1] + 1):
        via = indices[i] if i < indptr[leader + 1] else leader
        for j in range(indptr[via], indptr[via + 1] + 1):
            w = indices[j] if j < indptr[via + 1] else via
            if w != leader and group_of[w] == FREE:
                if common[w] == 0:
                    met[n_met] = w
                    n_met += 1
                common[w] += 1
    return n_met


def fullest_blocks(edges_in: Integers, size: Integers, n_edges: int, rng: np.random.Generator) -> Integers:
    """The positions of the blocks to fill; block i has `edges_in[i]` edges among `size[i]` pairs."""
    order = np.lexsort((rng.random(len(size)), -edges_in / size))
    filled = np.concatenate(([0], np.cumsum(size[order])))
    return order[: int(np.abs(filled - n_edges).argmin())]
