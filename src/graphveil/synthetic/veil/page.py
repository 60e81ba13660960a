"""Our generator: measure few statistics well, then fit a graph to them.

Paper      veil, ours; its parts: Young tiles, smoothed ladders, soft joint degrees, capped clustering; the start
           resembles BTER (Seshadhri, Kolda, Pinar 2012), the swaps 2.5K targeting (Gjoka, Kurant, Markopoulou 2013)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a simple graph whose degrees are exactly the measured ones, and whose joint degrees, triangles, clustering by
           degree and close pairs come as near to what was measured as swaps can bring them; people are invented
Cost       measuring: one pass over triangles and wedges; drawing: about 30 swaps tried per edge, memory O(n + m)

Sensitivity: each statistic has its own argument (`synthetic.veil.measure`); their losses add up to epsilon. Fitting and
drawing use the noisy numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.errors import ParameterError
from graphveil.graph.assortativity import exact_assortativity
from graphveil.graph.clustering import exact_average_clustering
from graphveil.graph.core import Graph
from graphveil.graph.reach import exact_close_pairs
from graphveil.graph.triangles import exact_triangles
from graphveil.mechanisms.source import Noise
from graphveil.synthetic.page import Fit, Synthesizer
from graphveil.synthetic.veil.draw import draw_graph
from graphveil.synthetic.veil.goals import Goals, goals_from
from graphveil.synthetic.veil.measure import Shares, measure, measure_edges

PERCENT = {
    "edges": 5,
    "degrees": 40,
    "joint": 15,
    "products": 10,
    "triangles": 10,
    "clustering": 15,
    "close_pairs": 5,
}
PERCENT_BELOW_A_FIFTH = PERCENT | {"degrees": 35, "joint": 10, "triangles": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class Veil(Synthesizer):
    """Graphs fitted to private measurements; `rounds` limits the swaps, 7 tried per edge in each.

    >>> from graphveil.mechanisms.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])
    >>> veil = Veil(epsilon=Fraction(1000))
    >>> sorted(veil.sample(veil.fit(graph, SeededNoise(1)), seed=1).degrees.tolist())
    [1, 2, 2, 2, 3]
    """

    rounds: int = 5

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if not 0 <= self.rounds <= 1000:
            raise ParameterError(f"rounds must lie between 0 and 1000, not at {self.rounds}")

    @property
    def shares(self) -> Shares:
        """What each measurement costs."""
        percent = PERCENT if self.epsilon >= Fraction(1, 5) else PERCENT_BELOW_A_FIFTH
        return {name: self.epsilon * share / 100 for name, share in percent.items()}

    def fit(self, graph: Graph, noise: Noise) -> Fit:
        """Measure."""
        shares = self.shares
        measured = measure(graph, measure_edges(graph, shares["edges"], noise), shares, noise)
        return Fit(graph.n_nodes, measured.targets(), {"goals": goals_from(measured)})

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Start with blocks, then swap."""
        return draw_graph(fit.parameters["goals"], np.random.default_rng(seed), self.rounds)

    def report(self, fit: Fit, graph: Graph) -> dict[str, dict[str, float]]:
        """Targets after smoothing, and what the graph has."""
        goals: Goals = fit.parameters["goals"]
        reached = {
            "edges": (goals.n_edges, graph.n_edges),
            "largest_degree": (int(goals.degrees.max(initial=0)), int(graph.degrees.max(initial=0))),
            "triangles": (goals.triangles, exact_triangles(graph)),
            "average_clustering": (goals.average_clustering, exact_average_clustering(graph)),
            "assortativity": (goals.assortativity, exact_assortativity(graph)),
            "close_pairs": (goals.close_pairs, exact_close_pairs(graph)),
        }
        return {name: {"target": float(target), "reached": float(value)} for name, (target, value) in reached.items()}
