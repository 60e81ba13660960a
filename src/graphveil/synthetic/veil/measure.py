"""The private step: six statistics of a graph, each with its share of one budget.

    edges          discrete Laplace, sensitivity 1
    degrees        tiles of the Young diagram, sensitivity 2 (`statistics.degrees.edge_tiles`)
    joint          soft joint degrees, sensitivity below 9 (`statistics.joint_degrees.soft`)
    products       sum over edges of d_u d_v, smoothed ladder (`statistics.ladder.functions`)
    triangles      smoothed ladder on local sensitivity (`statistics.ladder.functions`)
    clustering     by degree class, capped for every edge (`statistics.degrees.degree_classes`)

Their losses add up. Each number is an integer with exact integer noise, and nothing else of the graph is used later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_degree_products, neighbour_degree_sums, two_largest
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements
from graphveil.statistics.degrees.degree_classes import Q, clustering_measurement
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, DiagramTiles, YoungDiagram, read_diagram
from graphveil.statistics.joint_degrees.soft import SoftJointDegrees, read_soft_joint, soft_joint_measurement
from graphveil.statistics.ladder.functions import product_ladder, triangle_ladder
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

Shares = Mapping[str, Fraction]  # of each statistic, in epsilon


@dataclass(frozen=True, slots=True)
class Measured:
    """Noisy statistics, and the epsilon of each: everything a graph is fitted to."""

    n_nodes: int
    epsilons: Shares
    edges: int
    degrees: YoungDiagram
    joint: SoftJointDegrees
    products: int
    triangles: int
    clustering: Floats  # sums of local clusterings of the classes 1, 2, ...

    def targets(self) -> dict[str, Any]:
        """All noisy numbers and what each cost, as numbers and lists that fit into JSON."""
        levels, ranks = self.degrees.levels, self.degrees.ranks
        return {
            "edges": self.edges,
            "triangles": self.triangles,
            "degree_products": self.products,
            "clustering_sums": self.clustering.tolist(),
            "joint_degrees": self.joint.counts.tolist(),
            "degree_levels": np.stack((levels.starts, levels.widths, levels.sums)).tolist(),
            "degree_ranks": np.stack((ranks.starts, ranks.widths, ranks.sums)).tolist(),
            "epsilons": {name: float(epsilon) for name, epsilon in self.epsilons.items()},
        }


def statistics_measurements(graph: Graph, epsilons: Shares) -> Measurements:
    """All six, in the order in which `conclude_statistics` takes them."""
    n = graph.n_nodes
    return (
        NoisyInteger(what="number of edges", exact=graph.n_edges, sensitivity=1, epsilon=epsilons["edges"]),
        DiagramTiles(degrees=graph.degrees, epsilon=epsilons["degrees"]),
        soft_joint_measurement(graph, epsilons["joint"]),
        _on_ladder(
            "sum of degree products over edges",
            exact_degree_products(graph),
            _product_ladder(graph),
            epsilons["products"],
        ),
        _on_ladder(
            "number of triangles",
            exact_triangles(graph),
            triangle_ladder(neighbour_front(graph), n),
            epsilons["triangles"],
        ),
        clustering_measurement(graph, epsilons["clustering"]),
    )


def conclude_statistics(n_nodes: int, epsilons: Shares, outcomes: Sequence[Any]) -> Measured:
    """What the outcomes say; no graph is looked at."""
    edges, tiles, joint, products, triangles, clustering = outcomes
    diagram = read_diagram(tiles, n_nodes, epsilons["degrees"] / SENSITIVITY)
    return Measured(
        n_nodes=n_nodes,
        epsilons=epsilons,
        edges=possible_edges(_edges_from_both(int(edges), epsilons["edges"], diagram), n_nodes),
        degrees=diagram,
        joint=read_soft_joint(joint, n_nodes, epsilons["joint"]),
        products=max(0, int(products)),
        triangles=max(0, int(triangles)),
        clustering=clustering / Q,
    )


def _edges_from_both(noisy: int, epsilon: Fraction, diagram: YoungDiagram) -> int:
    """The number of edges from its own measurement and from all boxes of the diagram, two for every edge."""
    tiles = (diagram.levels, diagram.ranks)
    boxes = sum(int(part.sums.sum()) for part in tiles)
    variance = sum(len(part.sums) for part in tiles) * discrete_laplace_std(diagram.levels.rate) ** 2 / 4
    return _weighted(noisy, discrete_laplace_std(epsilon) ** 2, boxes / 2, variance)


def with_first_look(noisy: int, epsilon: Fraction, first: int, first_epsilon: Fraction) -> int:
    """The number of edges from two noisy numbers, each weighted by its precision.

    >>> with_first_look(100, Fraction(1, 100), 130, Fraction(1))
    130
    """
    return _weighted(noisy, discrete_laplace_std(epsilon) ** 2, first, discrete_laplace_std(first_epsilon) ** 2)


def _weighted(noisy: float, variance: float, other: float, other_variance: float) -> int:
    """The mean of two numbers by their precision; at an enormous epsilon both variances round to 0."""
    both = variance + other_variance
    return round((noisy * other_variance + other * variance) / both) if both else round(noisy)


def possible_edges(noisy: int, n_nodes: int) -> int:
    """The number of edges within what n people allow."""
    return min(max(0, noisy), n_nodes * (n_nodes - 1) // 2)


def _product_ladder(graph: Graph) -> Ladder:
    degrees = two_largest(graph.degrees.astype(np.int64))
    return product_ladder(degrees, two_largest(neighbour_degree_sums(graph)), graph.n_nodes)


def _on_ladder(what: str, exact: int, ladder: Ladder, epsilon: Fraction) -> LadderInteger:
    return LadderInteger(what=what, exact=exact, rungs=SmoothedLadder(ladder, epsilon, kappa_share(epsilon)))


def kappa_share(epsilon: Fraction) -> Fraction:
    """The less there is to spend, the longer a ladder is walked and the more its growth matters."""
    if epsilon >= Fraction(1, 4):
        return Fraction(1, 20)
    return Fraction(1, 10) if epsilon >= Fraction(1, 20) else Fraction(1, 4)
