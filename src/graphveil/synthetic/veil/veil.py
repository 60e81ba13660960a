"""Our generator: measure few statistics well, then fit a graph to them.

Paper      veil, ours; its parts: degree tiles, smoothed ladders, soft joint degrees, capped clustering; the start
           resembles BTER (Seshadhri, Kolda, Pinar 2012), the swaps 2.5K targeting (Gjoka, Kurant, Markopoulou 2013)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a simple graph whose degrees are exactly the measured ones, and whose triangles, clustering by degree, degree
           correlation and joint degrees come as near to what was measured as swaps can bring them; people
           are invented. For a large epsilon, the likeliest edges of a noisy graph, and people are followed
Cost       measuring: one pass over triangles and wedges; drawing: four starts, then swaps until the goals are met
           or hardly come nearer: mostly 10 to 100 tried per edge; memory O(n + m)

Two ways. `measured` fits invented people to statistics (`synthetic.veil.measure`, `synthetic.veil.draw`); `response`
puts randomised response on all pairs and denoises it (`synthetic.veil.response`). From an epsilon of 3 on a first noisy
number of edges, paid for, tells whether few enough noisy pairs would be false for the second; below, the first is taken
unasked. The choice rests on public and released numbers. The first look goes into the number of edges as well.

Shares of the measured way come from a grid, by the errors of the goals (edges, degrees, triangles, clustering, degree
correlation; logarithms, at epsilon 0.1, 0.3, 1 and 5) on six public graphs and three families. Whichever of them is
left out, one of two neighbouring cells is best at every epsilon; the shares lie between these two. Joint degrees were
held at 4 %. Of an epsilon above 2 edges and degrees take more: they are met exactly, while swaps bring the others no
nearer than a percent or so, which noise is below by then.

Sensitivity: each measurement has its own argument; on either way their losses add up to epsilon. Fitting and drawing
use noisy numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.errors import ParameterError, UnsupportedByEngine
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.clustering import clustering_of, mean_clustering
from graphveil.graph.statistics.degrees import exact_assortativity
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes
from graphveil.statistics.ladder.ladder import check_rungs
from graphveil.synthetic.synthesizer import Fit, Synthesizer
from graphveil.synthetic.veil.draw import draw_graph
from graphveil.synthetic.veil.goals import goals_from
from graphveil.synthetic.veil.measure import (
    Shares,
    conclude_statistics,
    possible_edges,
    statistics_measurements,
    with_first_look,
)
from graphveil.synthetic.veil.response import conclude_response, draw_response, is_worth_it, response_measurements
from graphveil.synthetic.veil.scores import scores_of

WAYS = ("auto", "measured", "response")
PARTS = ("edges", "degrees", "joint", "products", "triangles", "clustering")
ON_LADDERS = ("products", "triangles")
PERCENT = dict(zip(PARTS, (16, 42, 4, 12, 12, 14), strict=True))
PERCENT_RESPONSE = {"edges": 15, "degrees": 3, "pairs": 82}
FIRST = ("edges", "degrees")  # they take most of a large epsilon
PLENTY, SLOWER = 2, Fraction(1, 5)  # of an epsilon above 2, the others' shares grow with a fifth
FIRST_LOOK = 3  # percent, out of those for edges
LOOKS_FROM = 3  # epsilon


@dataclass(frozen=True, slots=True, kw_only=True)
class Veil(Synthesizer):
    """Graphs fitted to private measurements; `rounds` limits the swaps, one tried per edge in each.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])
    >>> veil = Veil(epsilon=Fraction(1000), way="measured")
    >>> sorted(veil.sample(run(veil, graph, SeededNoise(1)), seed=1).degrees.tolist())
    [1, 2, 2, 2, 3]
    """

    way: str = "auto"
    rounds: int = 200

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if self.way not in WAYS:
            raise ParameterError(f"way must be one of {', '.join(WAYS)}, not {self.way!r}")
        if not 0 <= self.rounds <= 1000:
            raise ParameterError(f"rounds must lie between 0 and 1000, not at {self.rounds}")
        if self.way != "response":
            check_rungs(self.epsilon, min(self.shares("measured")[part] for part in ON_LADDERS))

    def shares(self, way: str) -> Shares:
        """What each measurement costs on one of the two ways, with the first look among the edges' share."""
        if way == "response":
            return {name: self.epsilon * share / 100 for name, share in PERCENT_RESPONSE.items()}
        slow = min(self.epsilon, PLENTY + SLOWER * max(Fraction(0), self.epsilon - PLENTY))
        others = {name: slow * share / 100 for name, share in PERCENT.items() if name not in FIRST}
        left = (self.epsilon - sum(others.values())) / sum(PERCENT[name] for name in FIRST)
        return {name: others.get(name, left * share) for name, share in PERCENT.items()}

    def measure(self, graph: Graph) -> Measurements:
        """Those of a way fixed in public, or a first look at the number of edges and those of the way it leads to."""
        way = self._public_way
        if way != "measured" and isinstance(graph, EdgeTable):
            raise UnsupportedByEngine(
                f"from an epsilon of {LOOKS_FROM} on, veil may take a noisy bit of every pair, which needs all edges "
                "in one process: set its option way=measured, or leave out --engine where the graph fits in memory"
            )
        if way != "auto":
            return self._measurements_of(way, graph)
        first = NoisyInteger(what="number of edges", exact=graph.n_edges, sensitivity=1, epsilon=self._look_price)
        return (
            Adaptive(
                first,
                lambda edges: self._chosen_way(graph.n_nodes, int(edges)),
                lambda way: self._measurements_of(way, graph),
                self.epsilon - self._look_price,
            ),
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The statistics that graphs are fitted to, or how likely each noisy pair is an edge."""
        way = self._public_way
        if way == "auto":
            ((look, own, *others),) = outcomes
            way = self._chosen_way(facts.n_nodes, int(look))
            both = with_first_look(int(own), self._left(way)["edges"], int(look), self._look_price)
            outcomes = [both, *others]
        if way == "response":
            return conclude_response(self._left(way), outcomes, facts)
        measured = conclude_statistics(facts.n_nodes, self._left(way), outcomes)
        return Fit(facts.n_nodes, measured.targets(), {"measured": measured})

    @property
    def _public_way(self) -> str:
        return "measured" if self.way == "auto" and self.epsilon < LOOKS_FROM else self.way

    @property
    def _look_price(self) -> Fraction:
        """The epsilon of the first noisy number of edges."""
        return self.epsilon * FIRST_LOOK / 100

    def _chosen_way(self, n_nodes: int, noisy_edges: int) -> str:
        edges = possible_edges(noisy_edges, n_nodes)
        return "response" if is_worth_it(n_nodes, edges, self.shares("response")["pairs"]) else "measured"

    def _left(self, way: str) -> Shares:
        """What each measurement of a way costs, after a first look if there is one."""
        shares = self.shares(way)
        return shares if self._public_way != "auto" else {**shares, "edges": shares["edges"] - self._look_price}

    def _measurements_of(self, way: str, graph: Graph) -> Measurements:
        listed = response_measurements if way == "response" else statistics_measurements
        return listed(graph, self._left(way))

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Start with blocks and swap; or keep the likeliest noisy pairs."""
        rng = np.random.default_rng(seed)
        if fit.follows_people:
            return draw_response(fit, rng)
        return draw_graph(goals_from(fit.parameters["measured"]), rng, self.rounds)

    def report(self, fit: Fit, graph: Graph) -> dict[str, dict[str, float]]:
        """Targets after smoothing, and what the graph has; distances in parts of all clustering and of all edges."""
        if fit.follows_people:
            return Synthesizer.report(self, fit, graph)
        goals = goals_from(fit.parameters["measured"])
        triangles = exact_triangles_per_node(graph)
        scores = scores_of(graph, goals, triangles)
        reached = {
            "edges": (goals.n_edges, graph.n_edges),
            "largest_degree": (int(goals.degrees.max(initial=0)), int(graph.degrees.max(initial=0))),
            "triangles": (goals.triangles, int(triangles.sum()) // 3),
            "average_clustering": (goals.average_clustering, mean_clustering(clustering_of(triangles, graph.degrees))),
            "assortativity": (goals.assortativity, exact_assortativity(graph)),
            "clustering_by_degree_l1": (0.0, np.abs(scores.clustering).sum() / max(1.0, goals.clustering_sums.sum())),
            "joint_degrees_l1": (0.0, np.abs(scores.joint).sum() / max(1, goals.n_edges)),
        }
        return {name: {"target": float(target), "reached": float(value)} for name, (target, value) in reached.items()}
