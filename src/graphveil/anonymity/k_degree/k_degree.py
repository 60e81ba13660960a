"""k-degree anonymity: at least k people have each degree that occurs.

Paper: Liu and Terzi 2008, "Towards identity anonymization on graphs".
Adversary: knows how many friends a person has, and nothing else.
Differs: in `k_degree_edited` degrees may also fall, so the sum of changes is far smaller where a few people have most
    friends; and the changes are edge edits on the given graph instead of a new graph, so almost all edges stay.
Cost: O(nk) for the degrees, memory in proportion to the edges.

By added edges alone (the Supergraph algorithm with Probing): the cheapest degrees that only rise are realised by
joining people who lack edges, those who lack most first. Where this gets stuck, people with few friends are given one
more (probing), and the degrees are anonymised again. This ends at the latest with the complete graph, so every graph of
k people or more is served.

By a new graph: the degrees are anonymised and everything else is drawn afresh. No old edge is kept on purpose, so this
is the least useful of the k-degree methods and the one that gives away least. Degrees that no graph can have are raised
at people with few friends and anonymised again.
"""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.changes import count_changes
from graphveil.anonymity.k_degree.degree_sequence import anonymous_degrees
from graphveil.anonymity.k_degree.edits import edge_table, edges_in, join
from graphveil.anonymity.k_degree.reach_degrees import reach_degrees
from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration, is_graphical


def k_degree_supergraph(graph: Graph, k: int, rng: np.random.Generator) -> Integers:
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


def k_degree_edited(graph: Graph, k: int, rng: np.random.Generator) -> Integers:
    """The edges of a k-degree anonymous graph with few changes; by additions alone where that takes fewer."""
    targets = anonymous_degrees(graph.degrees, k, only_rise=False)
    edited = reach_degrees(graph, targets, k, rng, members=np.ones(graph.n_nodes, dtype=np.bool_))
    raised = anonymous_degrees(graph.degrees, k, only_rise=True)
    if edited is None or (raised - graph.degrees).sum() / 2 < count_changes(graph, edited):
        added = k_degree_supergraph(graph, k, rng)
        if edited is None or count_changes(graph, added) < count_changes(graph, edited):
            return added
    return edited


def k_degree_rebuilt(graph: Graph, k: int, rng: np.random.Generator) -> Integers:
    """The edges of a random graph with k-anonymous degrees near the given ones."""
    raised = graph.degrees.astype(np.int64)
    targets = anonymous_degrees(raised, k, only_rise=False)
    while not is_graphical(targets):
        by_degree = np.lexsort((rng.random(graph.n_nodes), raised))
        raised[by_degree[0]] += 1
        targets = anonymous_degrees(raised, k, only_rise=True)
    return configuration(targets, seed=int(rng.integers(2**62))).edges()
