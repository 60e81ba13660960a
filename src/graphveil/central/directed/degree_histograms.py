"""In- and out-degree histograms of a directed graph under edge privacy.

Paper      Hay, Li, Miklau, Jensen 2009 for sorted degrees; here tiles of the Young diagram
Unit       edge; one directed relationship; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  as `degree-histogram`: isotonic fit of tile means; biased where many degrees are pooled
Cost       O(m + number of tiles)

One more arc u -> v raises the out-degree of u by 1 and the in-degree of v by 1, and no other. So either list of degrees
gains one box of its Young diagram (`statistics.degrees.edge_tiles`): the sums of disjoint tiles change by 1 in total,
where an undirected edge changes them by 2. Both histograms together cost the sum of their epsilons.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.arrays import AnyArray
from graphveil.central.directed.directions import NODE_REASON, DirectedQuery
from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented

INSTEAD = "degree-histogram of the graph without directions"


@dataclass(frozen=True, slots=True)
class InDegreeHistogram(DirectedQuery, DegreeHistogram):
    """How many people are pointed at by so many others; entry d of the value estimates it.

    >>> from graphveil.graph.directed import DirectedGraph
    >>> graph = DirectedGraph.from_arcs([(1, 0), (2, 0), (3, 0)], n_nodes=5)
    >>> histogram = run(InDegreeHistogram(epsilon=Fraction(200)), graph, SeededNoise(1)).value
    >>> [round(people, 2) for people in histogram]
    [4.0, 0.0, 0.0, 1.0]
    """

    query = "in-degree-histogram"
    sensitivity = 1
    why_one_unit = (NODE_REASON, INSTEAD)

    def degrees(self, graph: Graph) -> AnyArray:
        """How many people point at each person."""
        return oriented(graph).in_degrees


@dataclass(frozen=True, slots=True)
class OutDegreeHistogram(DirectedQuery, DegreeHistogram):
    """How many people point at so many others; entry d of the value estimates it."""

    query = "out-degree-histogram"
    sensitivity = 1
    why_one_unit = (NODE_REASON, INSTEAD)

    def degrees(self, graph: Graph) -> AnyArray:
        """How many people each person points at."""
        return oriented(graph).out_degrees
