"""Exact statistics of directions and weights, for the curator's eyes: nothing here is private."""

from __future__ import annotations

from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.statistics.triads import exact_cyclic_triples, exact_transitive_triples, exact_two_paths
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.graph.weighted import WeightedGraph


def summarize_ties(graph: Graph) -> dict[str, float]:
    """Numbers about directions or weights by name; none for a graph that has neither.

    >>> summarize_ties(DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2)]))["reciprocity"]
    0.6666666666666666
    """
    if isinstance(graph, DirectedGraph):
        arcs, connected = len(graph.arcs), graph.n_edges
        return {
            "directed_edges": arcs,
            "mutual_pairs": arcs - connected,
            "one_way_pairs": 2 * connected - arcs,
            "reciprocity": 2 * (arcs - connected) / arcs if arcs else 0.0,
            "max_in_degree": int(graph.in_degrees.max(initial=0)),
            "max_out_degree": int(graph.out_degrees.max(initial=0)),
            "transitive_triples": exact_transitive_triples(graph),
            "cyclic_triples": exact_cyclic_triples(graph),
            "mutual_triangles": exact_triangles(graph.mutual),
            "two_paths": exact_two_paths(graph),
        }
    if isinstance(graph, WeightedGraph):
        return {
            "total_weight": int(graph.weights.sum()),
            "max_weight": int(graph.weights.max(initial=0)),
            "max_strength": int(graph.strengths().max(initial=0)),
        }
    return {}
