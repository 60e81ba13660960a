"""k-degree anonymity: at least k people have each degree that occurs.

Paper: Liu and Terzi 2008, "Towards identity anonymization on graphs".
Adversary: knows how many friends a person has, and nothing else.
Differs: degrees may also fall, so the sum of changes is far smaller where a few people have most friends; and the
    changes are edge edits on the given graph instead of a new graph, so almost all edges stay.
Cost: O(nk) for the degrees, memory in proportion to the edges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.changes import count_changes
from graphveil.anonymity.degree_sequence import anonymous_degrees
from graphveil.anonymity.reach_degrees import reach_degrees
from graphveil.anonymity.supergraph import k_degree_supergraph
from graphveil.graph.core import Graph


def k_degree_edited(graph: Graph, k: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges of a k-degree anonymous graph with few changes; by additions alone where that takes fewer."""
    targets = anonymous_degrees(graph.degrees, k, only_rise=False)
    edited = reach_degrees(graph, targets, k, rng, members=np.ones(graph.n_nodes, dtype=np.bool_))
    raised = anonymous_degrees(graph.degrees, k, only_rise=True)
    if edited is None or (raised - graph.degrees).sum() / 2 < count_changes(graph, edited):
        added = k_degree_supergraph(graph, k, rng)
        if edited is None or count_changes(graph, added) < count_changes(graph, edited):
            return added
    return edited
