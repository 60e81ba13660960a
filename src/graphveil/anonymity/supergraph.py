"""k-degree anonymity by added edges alone.

Paper: Liu and Terzi 2008, the Supergraph algorithm with Probing.

The cheapest degrees that only rise are realised by joining people who lack edges, those who lack most first. Where
this gets stuck, people with few friends are given one more (probing), and the degrees are anonymised again. This ends
at the latest with the complete graph, so every graph of k people or more is served.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.degree_sequence import anonymous_degrees
from graphveil.anonymity.edge_edits import edge_table, edges_in
from graphveil.anonymity.joining import join
from graphveil.graph.core import Graph


def k_degree_supergraph(graph: Graph, k: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges of a k-degree anonymous graph that has all edges of the given one."""
    raised = graph.degrees.astype(np.int64)
    while True:
        wanted = anonymous_degrees(raised, k, only_rise=True) - graph.degrees
        missing = int(wanted.sum())
        table = edge_table(graph.edges(), missing)
        join(table, graph.indptr, graph.indices, wanted, apart=False)
        stuck = int(wanted.sum())
        if stuck == 0:
            return edges_in(table)
        by_degree = np.lexsort((rng.random(graph.n_nodes), raised))
        below_all = by_degree[raised[by_degree] < graph.n_nodes - 1]
        raised[below_all[:stuck]] += 1
