"""From noisy joint-degree tuples to a graph: the nearest realisable table, then a random graph that has it."""

from __future__ import annotations

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.joint_degrees import joint_degree_graph
from graphveil.graph.generate.realisable import nearest_realisable

MAX_EDGES = 20_000_000


def graph_from_tuples(
    degrees: Integers,
    counts: AnyArray,
    n_nodes: int,
    *,
    seed: int,
    exactly: bool = False,
    max_edges: int = MAX_EDGES,
) -> Graph:
    """A graph with these joint degrees, as nearly as any has them, and at least so many people.

    Noise invents edges, and with them people; where edges are more than `max_edges` no graph is made. `exactly` leaves
    out people beyond the number given, those with the fewest friends. Counts of more edges than so many people can have
    are then made smaller in proportion, so that whatever was paid for gives a graph.
    """
    counts = np.maximum(counts, 0)
    wanted = int(counts.sum())
    most = min(max_edges, n_nodes * (n_nodes - 1) // 2) if exactly else max_edges
    if exactly and wanted > most:
        counts = np.floor(counts * (most / wanted))
    elif wanted > most:
        raise ParameterError(
            f"the noisy tuples ask for {wanted:,} edges, more than the {max_edges:,} allowed: give a larger epsilon"
        )
    table = nearest_realisable(degrees, counts)
    made = joint_degree_graph(table, seed=seed)
    if made.n_nodes < n_nodes:
        return Graph.from_edges(made.edges(), n_nodes=n_nodes)
    beyond = made.n_nodes - n_nodes  # nodes come by rising degree
    if not exactly or not beyond:
        return made
    edges = made.edges() - beyond
    return Graph.from_edges(edges[edges.min(axis=1) >= 0], n_nodes=n_nodes)
