"""A graph with noisy degrees and noisy joint degrees in soft bins (the repair of dK-PA, DRC and BCPA).

Paper      soft binning, ours; replaces the noise of Sala et al. 2011 and Huang et al. 2019
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  joint degrees in bins of powers of two: 8 % of the edges astray at epsilon 1 on a network of 4,000 people
Cost       O(m) to measure; the table grows with the square of the number of distinct degrees; O(m) to draw
Differs    the published schemes add noise to the pairs of degrees that occur, scaled by the true largest degree, and
           invent dozens of edges for every true one; soft bins around powers of two need noise of scale 9 / epsilon
           whatever the degrees are

Sensitivity: 1 for the number of edges, 2 for the tiles of the Young diagram (`statistics.degrees.edge_tiles`), below 9
for the soft cells (`statistics.joint_degrees.soft`). Their losses add up to epsilon.

Joint degrees do not carry triangles: clustering is that of a random graph with these degrees.

Fitting the table is post-processing. The expected number of edges between degrees x and y is taken to be

    E(x, y) = n_x n_y x y α_x α_y R(x, y) / 2m,    at most the n_x n_y pairs of people,

R being interpolated between the knots 1, 2, 4, … in both directions. R = 1 is what the degrees alone would give. R and
α are fitted in turns (iterative proportional fitting): R to the noisy soft cells, α to the ends that each degree has.
Soft cells are first drawn towards what degrees alone give, the more the smaller their difference is against their
noise. Whole counts are made by rounding running sums, so no count is off by more than 1, nor is their total.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyInteger, NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, DiagramTiles, fit_degrees, read_diagram
from graphveil.statistics.joint_degrees.soft import (
    SoftJointDegrees,
    cell_std,
    count_soft_cells,
    read_soft_joint,
    soft_joint_measurement,
)
from graphveil.synthetic.degree_scale import DegreeScale
from graphveil.synthetic.degrees import whole_degrees
from graphveil.synthetic.dk2.from_tuples import graph_from_tuples
from graphveil.synthetic.synthesizer import Fit, Synthesizer

COUNT_SHARE = Fraction(1, 20)
DEGREE_SHARE = Fraction(3, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftDk2(Synthesizer):
    """Degrees and soft joint degrees.

    >>> from graphveil.graph.generate.random import power_law_cluster
    >>> graph = power_law_cluster(300, 4, 0.2, seed=1)
    >>> method = SoftDk2(epsilon=Fraction(4))
    >>> drawn = method.sample(run(method, graph, SeededNoise(1)), seed=1)
    >>> drawn.n_nodes, abs(drawn.n_edges / graph.n_edges - 1) < 0.02
    (300, True)
    """

    @property
    def shares(self) -> tuple[Fraction, Fraction, Fraction]:
        """What the number of edges, the degrees and the soft cells cost."""
        count, degrees = self.epsilon * COUNT_SHARE, self.epsilon * DEGREE_SHARE
        return count, degrees, self.epsilon - count - degrees

    def measure(self, graph: Graph) -> tuple[NoisyInteger, DiagramTiles, NoisyVector]:
        """The number of edges, all degrees, and soft joint degrees."""
        count, degrees, joint = self.shares
        return (
            NoisyInteger(what="number of edges", exact=graph.n_edges, sensitivity=1, epsilon=count),
            DiagramTiles(degrees=graph.degrees, epsilon=degrees),
            soft_joint_measurement(graph, joint),
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """A joint degree table fitted to whole degrees and noisy soft cells."""
        edges, tiles, cells = outcomes
        _, degree_epsilon, joint_epsilon = self.shares
        diagram = read_diagram(tiles, facts.n_nodes, degree_epsilon / SENSITIVITY)
        sequence = whole_degrees(fit_degrees(diagram), max(0, int(edges)))
        measured = read_soft_joint(cells, facts.n_nodes, joint_epsilon)
        targets = {
            "edges": int(sequence.sum()) // 2,
            "degrees": sequence.tolist(),
            "joint_degree_knots": list(measured.knots),
            "joint_degrees": measured.counts.tolist(),
        }
        return Fit(facts.n_nodes, targets, {"table": fit_joint_table(sequence, measured)})

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


ROUNDS = 60
RATIO_RANGE = 4.0  # R moves by no more than this factor in a round


@dataclass(frozen=True, slots=True)
class JointFit:
    """`table[i, j]` edges are expected between people of `degrees[i]` and `degrees[j]`; twice that on the diagonal."""

    degrees: Integers
    people: Integers
    table: Floats

    def whole(self, seed: int) -> tuple[Integers, Integers]:
        """(rows of two degrees, counts): the table in whole edges."""
        low, high = np.triu_indices(len(self.degrees))
        expected = self.table[low, high] * np.where(low == high, 0.5, 1.0)
        start = np.random.default_rng(seed).random()
        counts = np.diff(np.floor(np.cumsum(expected) + start), prepend=0.0).astype(np.int64)
        used = counts > 0
        return np.stack((self.degrees[low], self.degrees[high]), axis=1)[used], counts[used]


def fit_joint_table(sequence: Integers, measured: SoftJointDegrees) -> JointFit:
    """Fit the table to a degree sequence and to noisy soft cells."""
    degrees, people = np.unique(sequence[sequence > 0], return_counts=True)
    scale = DegreeScale.of_people(len(sequence))
    shares = scale.at(np.eye(len(scale.knots)), degrees)  # a row for each degree, a column for each knot
    ends = (degrees * people).astype(np.float64)
    pairs = np.outer(people, people).astype(np.float64)
    np.fill_diagonal(pairs, people * (people - 1))
    neutral = _fit(ends, pairs, shares, None)
    wanted = _towards(shares.T @ neutral @ shares, measured, ends.sum())
    return JointFit(degrees, people, _fit(ends, pairs, shares, wanted))


def _towards(neutral: Floats, measured: SoftJointDegrees, total: float) -> Floats:
    """Soft cells, twice on the diagonal like `neutral`, drawn towards it; their sum is that of the ends."""
    noisy = np.zeros_like(neutral)
    first, second = measured.cells.T
    inside = second < len(neutral)
    np.add.at(noisy, (first[inside], second[inside]), measured.counts[inside])
    np.add.at(noisy, (second[inside], first[inside]), measured.counts[inside])
    variance = cell_std(measured.epsilon) ** 2 * (1 + 3 * np.eye(len(neutral)))
    gap = noisy - neutral
    spread = max(0.0, float(((gap**2 - variance) * neutral).sum() / max(1e-12, (neutral**3).sum())))
    expected = spread * neutral**2 + 0.5 * neutral
    cells: Floats = np.maximum(neutral + gap * expected / (expected + variance), 1e-3 * neutral)
    cells *= total / max(1e-12, float(cells.sum()))
    return cells


def _fit(ends: Floats, pairs: Floats, shares: Floats, wanted: Floats | None) -> Floats:
    """The table with these ends and, if wanted, these soft cells."""
    ratio = np.ones((shares.shape[1],) * 2)
    factor = np.ones(len(ends))
    base = np.outer(ends, ends) / max(1.0, float(ends.sum()))
    table: Floats = base
    for _ in range(ROUNDS):
        if wanted is not None:
            cells = shares.T @ table @ shares
            step = np.divide(wanted, cells, out=np.ones_like(cells), where=cells > 1e-9)
            ratio *= np.clip(step, 1 / RATIO_RANGE, RATIO_RANGE)
        shape = base * (shares @ ratio @ shares.T)
        table = np.minimum(shape * np.outer(factor, factor), pairs)
        rows = np.maximum(table.sum(axis=1), 1e-12)
        factor = np.clip(factor * np.sqrt(ends / rows), 1e-6, 1e6)
        table = np.minimum(shape * np.outer(factor, factor), pairs)
    return table
