"""The private step: seven statistics of a graph, each with its share of one budget.

    edges          discrete Laplace, sensitivity 1
    degrees        tiles of the Young diagram, sensitivity 2 (`statistics.degrees.edge_tiles`)
    joint          soft joint degrees, sensitivity below 9 (`statistics.joint_degrees.soft`)
    products       sum over edges of d_u d_v, smoothed ladder (`statistics.ladder.functions`)
    triangles      smoothed ladder on local sensitivity (`statistics.ladder.functions`)
    clustering     by degree class, capped for every edge (`statistics.degrees.degree_classes`)
    close_pairs    pairs at distance 1 or 2, smoothed ladder (`statistics.ladder.functions`)

Their losses add up. Each number is an integer with exact integer noise, and nothing else of the graph is used later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import capped_class_sums
from graphveil.graph.statistics.degrees import exact_degree_products, neighbour_degree_sums, two_largest
from graphveil.graph.statistics.distances import exact_close_pairs
from graphveil.graph.statistics.pareto_pairs import neighbour_front, star_front
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.noisy_numbers import NoisyInteger, OnLadder
from graphveil.mechanisms.old_measurement import Measurements
from graphveil.statistics.degrees.degree_classes import DegreeClasses, Q
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, YoungDiagram
from graphveil.statistics.degrees.tile_runs import diagram_of
from graphveil.statistics.joint_degrees.soft import (
    SoftJointDegrees,
    conclude_soft_joint,
    last_exponent,
    soft_joint_measurements,
)
from graphveil.statistics.ladder.functions import close_pair_ladder, product_ladder, triangle_ladder
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
    clustering: NDArray[np.float64]  # sums of local clusterings of the classes 1, 2, ...
    close_pairs: int

    def targets(self) -> dict[str, Any]:
        """The numbers as JSON."""
        levels, ranks = self.degrees.levels, self.degrees.ranks
        return {
            "edges": self.edges,
            "triangles": self.triangles,
            "degree_products": self.products,
            "close_pairs": self.close_pairs,
            "clustering_sums": self.clustering.tolist(),
            "joint_degrees": self.joint.counts.tolist(),
            "degree_levels": np.stack((levels.starts, levels.widths, levels.sums)).tolist(),
            "degree_ranks": np.stack((ranks.starts, ranks.widths, ranks.sums)).tolist(),
            "epsilons": {name: float(epsilon) for name, epsilon in self.epsilons.items()},
        }


def measurements(graph: Graph, epsilons: Shares) -> Measurements:
    """All seven, in the order in which `conclude` takes them."""
    n = graph.n_nodes
    triangles = triangle_ladder(neighbour_front(graph), n)
    close_pairs = close_pair_ladder(star_front(graph), n)
    return (
        NoisyInteger(graph.n_edges, epsilons["edges"]),
        diagram_of(graph.degrees, epsilons["degrees"] / SENSITIVITY),
        *soft_joint_measurements(graph, epsilons["joint"]),
        _on_ladder(exact_degree_products(graph), _product_ladder(graph), epsilons["products"]),
        _on_ladder(exact_triangles(graph), triangles, epsilons["triangles"]),
        *clustering_measurements(graph, epsilons["clustering"]),
        _on_ladder(exact_close_pairs(graph), close_pairs, epsilons["close_pairs"]),
    )


def conclude(n_nodes: int, epsilons: Shares, outcomes: Sequence[Any]) -> Measured:
    """What the outcomes say; no graph is looked at."""
    edges, diagram, *rest, close_pairs = outcomes
    n_joint = 2 * last_exponent(n_nodes) + 1
    joint, (products, triangles, *clustering) = rest[:n_joint], rest[n_joint:]
    return Measured(
        n_nodes=n_nodes,
        epsilons=epsilons,
        edges=possible_edges(_edges_from_both(edges, epsilons["edges"], diagram), n_nodes),
        degrees=diagram,
        joint=conclude_soft_joint(n_nodes, epsilons["joint"], joint),
        products=max(0, products),
        triangles=max(0, triangles),
        clustering=np.array(clustering, dtype=np.float64) / Q,
        close_pairs=max(0, close_pairs),
    )


def _edges_from_both(noisy: int, epsilon: Fraction, diagram: YoungDiagram) -> int:
    """The number of edges from its own measurement and from all boxes of the diagram, two for every edge."""
    tiles = (diagram.levels, diagram.ranks)
    boxes = sum(int(part.sums.sum()) for part in tiles)
    variance = sum(len(part.sums) for part in tiles) * discrete_laplace_std(diagram.levels.rate) ** 2 / 4
    own = discrete_laplace_std(epsilon) ** 2
    return round((noisy * variance + boxes / 2 * own) / max(1e-300, variance + own))


def possible_edges(noisy: int, n_nodes: int) -> int:
    """The number of edges within what n people allow."""
    return min(max(0, noisy), n_nodes * (n_nodes - 1) // 2)


def clustering_measurements(graph: Graph, epsilon: Fraction) -> tuple[NoisyInteger, ...]:
    """The sum of local clusterings, in units of 1 / Q, in the classes 1, 2, ... of degree."""
    classes = DegreeClasses(graph.n_nodes)
    low, high = classes.clustering_weights()
    sums = capped_class_sums(graph, classes.k, low, high, classes.caps)[1 : classes.count]
    rates = classes.clustering_rates(epsilon)
    return tuple(NoisyInteger(int(value), rate) for value, rate in zip(sums, rates, strict=True))


def _product_ladder(graph: Graph) -> Ladder:
    degrees = two_largest(graph.degrees.astype(np.int64))
    return product_ladder(degrees, two_largest(neighbour_degree_sums(graph)), graph.n_nodes)


def _on_ladder(exact: int, ladder: Ladder, epsilon: Fraction) -> OnLadder:
    return OnLadder(exact, SmoothedLadder(ladder, epsilon, kappa_share(epsilon)))


def kappa_share(epsilon: Fraction) -> Fraction:
    """The less there is to spend, the longer a ladder is walked and the more its growth matters."""
    if epsilon >= Fraction(1, 4):
        return Fraction(1, 20)
    return Fraction(1, 10) if epsilon >= Fraction(1, 20) else Fraction(1, 4)
