"""Degrees, people and counts under node privacy on the five public graphs at epsilon 1.

Others by `python -m benchmarks.central.degrees 0.1 0.5 ego-Facebook`. Every page runs under seeded noise as it does in
a session, 100 to 4000 times; everything it learns is charged. Shown are mean error, its standard error, median and
largest error; how often the 95 % interval held, for lists in all entries at once, and how likely so few or fewer would
be if it held in 94 % of all draws; its mean half-width; seconds a run; the target and whether it is met, for the median
error of triangles and the mean error elsewhere. Histograms: L1 distance over the number of people. Sequences and joint
degrees: mean distance of an entry. Counts: relative error.

Under node privacy intervals of truncated counts are one-sided: there are at least so many edges, at most so many people
have up to d neighbours. Those of degrees and of transitivity are held against the truncated graph; what holds for its
degrees holds for the graph. Constants of the queries were set on Facebook, wiki-Vote, Enron and AstroPh; the width of
the bands of degree histograms was looked at on Twitter, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from benchmarks.central._draws import Statement, as_it_stands
from benchmarks.central._table import Line, distance, print_table, relative

from graphveil.central.degeneracy import Degeneracy, NodeDegeneracy
from graphveil.central.edge.components import ComponentCount
from graphveil.central.edge.degree_distribution import DegreeDistribution
from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.central.edge.degree_sequence import YoungDegreeSequence
from graphveil.central.edge.edges import EdgeCount
from graphveil.central.edge.isotonic_degree_sequence import DegreeSequence
from graphveil.central.edge.joint_degrees import JointDegrees
from graphveil.central.edge.max_degree import MaximumDegree
from graphveil.central.node.degree_distribution import NodeDegreeDistribution
from graphveil.central.node.degree_histogram import NodeDegreeHistogram, truncated_degrees
from graphveil.central.node.edges import NodeEdgeCount
from graphveil.central.node.h_index import HIndex
from graphveil.central.node.nodes import NodeCount
from graphveil.central.node.stars import NodeThreeStars, NodeTwoStars
from graphveil.central.node.transitivity import NodeTransitivity
from graphveil.central.node.triangles import NodeTriangles
from graphveil.central.query import Answer, Query
from graphveil.graph.core import Graph
from graphveil.graph.project import project_first_edges
from graphveil.graph.statistics.clustering import exact_transitivity
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degrees import exact_h_index, exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.statistics.joint_degrees.soft import count_soft_cells


def histogram(graph: Graph) -> np.ndarray:
    return np.bincount(graph.degrees)


def distribution(graph: Graph) -> np.ndarray:
    return np.bincount(graph.degrees) / graph.n_nodes


def sequence(graph: Graph) -> np.ndarray:
    return np.sort(graph.degrees)[::-1]


def soft_cells(graph: Graph) -> np.ndarray:
    cells, integers = count_soft_cells(graph)
    return integers / 2.0 ** cells.sum(axis=1)


def shared_out(released: np.ndarray, truth: np.ndarray) -> float:
    size = max(len(released), len(truth))
    a, b = np.pad(released, (0, size - len(released))), np.pad(truth, (0, size - len(truth)))
    return float(np.abs(a - b).sum() / truth.sum())


def mean_distance(released: np.ndarray, truth: np.ndarray) -> float:
    return float(np.abs(released - truth).mean())


@cache
def truncated_transitivity(graph: Graph, bound: int) -> float:
    return exact_transitivity(project_first_edges(graph, bound))


def of_the_truncated_graph(page: Query, graph: Graph, answer: Answer, _: np.ndarray) -> Statement:
    bound: Any = answer.derived["max_degree"]
    return as_it_stands(page, graph, answer, np.array([truncated_transitivity(graph, bound)]))


@cache
def people_below(graph: Graph, bound: int) -> np.ndarray:
    """F(1), ..., F(D) of the truncated graph, in `statistics.degrees.node_tiles`."""
    return np.bincount(truncated_degrees(graph, bound), minlength=bound + 1)[:bound].cumsum()


def of_all_up_to_a_degree(page: Query, graph: Graph, answer: Answer, truth: np.ndarray) -> Statement:
    """The upper end of degree d bounds all people of the truncated graph with d neighbours or fewer."""
    bound: Any = answer.derived["max_degree"]
    released = np.asarray(answer.value).cumsum()  # nothing is said beyond the list
    everybody = np.full(max(0, len(released) - bound), graph.n_nodes)
    below = np.concatenate((people_below(graph, bound), everybody))[: len(released)] * (truth.sum() / graph.n_nodes)
    return replace(as_it_stands(page, graph, answer, below), value=released, size=len(truth))


def public_bound(graph: Graph) -> Mapping[str, Any]:
    """As if somebody had said it."""
    return {"max_degree": exact_h_index(graph.degrees)}


def edges(graph: Graph) -> int:
    return graph.n_edges


LINES = [
    Line("edges", EdgeCount, edges, relative),
    Line("max degree", MaximumDegree, lambda graph: graph.degrees.max(), relative),
    Line("components", ComponentCount, lambda graph: exact_components(graph).count, relative),
    Line("degeneracy", Degeneracy, exact_degeneracy, relative),
    Line("histogram", DegreeHistogram, histogram, shared_out,
         {"ego-Facebook": 0.14, "wiki-Vote": 0.10, "email-Enron": 0.02}, of_mean=True),
    Line("distribution", DegreeDistribution, distribution, shared_out),
    Line("sequence, tiles", YoungDegreeSequence, sequence, mean_distance),
    Line("sequence, ranks", DegreeSequence, sequence, mean_distance),
    Line("joint degrees", JointDegrees, soft_cells, mean_distance),
    Line("node: people", NodeCount, lambda graph: graph.n_nodes, relative),
    Line("node: h-index", HIndex, lambda graph: exact_h_index(graph.degrees), relative),
    Line("node: degeneracy", NodeDegeneracy, exact_degeneracy, relative),
    Line("node: edges", NodeEdgeCount, edges, relative,
         {"ego-Facebook": 0.02, "wiki-Vote": 0.02, "email-Enron": 0.05}, of_mean=True),
    Line("node: histogram", NodeDegreeHistogram, histogram, shared_out,
         {"ego-Facebook": 0.31, "wiki-Vote": 0.41, "email-Enron": 0.32, "ca-AstroPh": 0.18}, of_mean=True,
         reading=of_all_up_to_a_degree),
    Line("node: distribution", NodeDegreeDistribution, distribution, shared_out,
         {"ego-Facebook": 0.31, "wiki-Vote": 0.41, "email-Enron": 0.32, "ca-AstroPh": 0.18}, of_mean=True,
         reading=of_all_up_to_a_degree),
    Line("node: D, histogram", NodeDegreeHistogram, histogram, shared_out, of_mean=True,
         reading=of_all_up_to_a_degree, options=public_bound),
    Line("node: D, distribution", NodeDegreeDistribution, distribution, shared_out, of_mean=True,
         reading=of_all_up_to_a_degree, options=public_bound),
    Line("node: triangles", NodeTriangles, exact_triangles, relative, {"ego-Facebook": 0.05, "ca-AstroPh": 0.05}),
    Line("node: 2-stars", NodeTwoStars, lambda graph: exact_k_stars(graph, 2), relative),
    Line("node: 3-stars", NodeThreeStars, lambda graph: exact_k_stars(graph, 3), relative),
    Line("node: transitivity", NodeTransitivity, exact_transitivity, distance, reading=of_the_truncated_graph),
]  # fmt: skip


def main() -> None:
    print_table(LINES, lambda _: 1.0)


if __name__ == "__main__":
    main()
