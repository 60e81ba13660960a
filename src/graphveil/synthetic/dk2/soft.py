"""A graph with noisy degrees and noisy joint degrees in soft bins (the repair of dK-PA, DRC and BCPA).

Paper      soft binning, ours; replaces the noise of Sala et al. 2011 and Huang et al. 2019
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  joint degrees in bins of powers of two: 8 % of the edges astray at epsilon 1 on a network of 4,000 people
Cost       O(m) to measure; the table grows with the square of the number of distinct degrees; O(m) to draw
Differs    the published schemes add noise to the pairs of degrees that occur, scaled by the true largest degree, and
           invent dozens of edges for every true one; hats on powers of two need noise of scale 9 / epsilon whatever
           the degrees are

Sensitivity: 1 for the number of edges, 2 for the tiles of the Young diagram (`statistics.degrees.edge_tiles`), below 9
for the soft cells (`statistics.joint_degrees.soft`). Their losses add up to epsilon.

Joint degrees do not carry triangles: clustering is that of a random graph with these degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger
from graphveil.mechanisms.old_measurement import Measurements, draw_all
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, fit_degrees
from graphveil.statistics.degrees.tile_runs import diagram_of
from graphveil.statistics.joint_degrees.soft import (
    SoftJointDegrees,
    conclude_soft_joint,
    count_soft_cells,
    soft_joint_measurements,
)
from graphveil.synthetic.dk2.from_tuples import graph_from_tuples
from graphveil.synthetic.dk2.joint_fit import JointFit, fit_joint_table
from graphveil.synthetic.synthesizer import Fit, Synthesizer
from graphveil.synthetic.veil.degrees import whole_degrees

COUNT_SHARE = Fraction(1, 20)
DEGREE_SHARE = Fraction(3, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftDk2(Synthesizer):
    """Degrees and soft joint degrees.

    >>> from graphveil.graph.generate.random import power_law_cluster
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = power_law_cluster(300, 4, 0.2, seed=1)
    >>> method = SoftDk2(epsilon=Fraction(4))
    >>> drawn = method.sample(method.fit(graph, SeededNoise(1)), seed=1)
    >>> drawn.n_nodes, abs(drawn.n_edges / graph.n_edges - 1) < 0.02
    (300, True)
    """

    @property
    def joint_epsilon(self) -> Fraction:
        """What the soft cells cost."""
        return self.epsilon * (1 - COUNT_SHARE - DEGREE_SHARE)

    def measurements(self, graph: Graph) -> Measurements:
        """Edges, degrees, soft joint degrees."""
        return (
            NoisyInteger(graph.n_edges, self.epsilon * COUNT_SHARE),
            diagram_of(graph.degrees, self.epsilon * DEGREE_SHARE / SENSITIVITY),
            *soft_joint_measurements(graph, self.joint_epsilon),
        )

    def fit(self, graph: Graph, noise: Noise) -> Fit:
        """Measure; fit a joint degree table."""
        edges, diagram, *cells = draw_all(self.measurements(graph), noise)
        measured = conclude_soft_joint(graph.n_nodes, self.joint_epsilon, cells)
        return Fit(graph.n_nodes, *fitted(whole_degrees(fit_degrees(diagram), max(0, edges)), measured))

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Whole counts from the fitted table, and a graph that has them."""
        table: JointFit = fit.parameters["table"]
        return graph_from_tuples(*table.whole(seed), fit.n_nodes, seed=seed, exactly=True)

    def report(self, fit: Fit, graph: Graph) -> dict[str, dict[str, float]]:
        """Edges, and the share of them in other soft cells than measured."""
        measured = np.array(fit.targets["joint_degrees"])
        cells, integers = count_soft_cells(graph)
        reached = integers / 2.0 ** cells.sum(axis=1)
        off = float(np.abs(reached - measured).sum() / max(1, fit.targets["edges"]))
        rows = Synthesizer.report(self, fit, graph)
        return rows | {"joint_degree_l1": {"target": 0.0, "reached": off}}


def fitted(sequence: np.ndarray[Any, np.dtype[np.int64]], measured: SoftJointDegrees) -> tuple[dict[str, Any], Any]:
    """(targets, parameters) of a fit from a whole degree sequence and noisy soft cells."""
    targets = {
        "edges": int(sequence.sum()) // 2,
        "degrees": sequence.tolist(),
        "joint_degree_knots": list(measured.knots),
        "joint_degrees": measured.counts.tolist(),
    }
    return targets, {"table": fit_joint_table(sequence, measured)}
