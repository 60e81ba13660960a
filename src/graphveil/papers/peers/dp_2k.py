"""A graph with noisy joint degrees, noise on all pairs of degrees (DP-2K; dK-PA and DRC repaired closely).

Paper      Sala et al. 2011, Wang and Wu 2013 (dK-2 with noise)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  counts that stand out of the noise; few do at small epsilon, and the graph is then nearly empty
Cost       O(m) and a draw for each of D (D + 1) / 2 pairs of degrees, D the public bound
Differs    noise on all pairs of degrees up to a public bound and not only on those that occur; its scale follows the
           pair, or a public group of pairs, not the true largest degree; no (epsilon, delta)

Sensitivity: `statistics.joint_degrees.tuple_noise`. Degrees above the bound count as the bound. `grouping="dyadic"`
gives all pairs whose larger degree lies between two powers of two the noise of the larger one, as DRC would with public
groups; it is never better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.joint_degrees.tuple_noise import all_pairs, conclude_pairs, pair_counts
from graphveil.synthetic.dk2.from_tuples import graph_from_tuples
from graphveil.synthetic.synthesizer import Fit, Synthesizer

GROUPINGS = ("none", "dyadic")


@dataclass(frozen=True, slots=True, kw_only=True)
class DpJointDegrees(Synthesizer):
    """Joint degrees with noise for each pair.

    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(DpJointDegrees(epsilon=Fraction(500)), star, SeededNoise(1)).targets["joint_degrees"]
    [[1, 3, 3]]
    """

    max_degree: int = 500
    grouping: str = "none"

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if self.max_degree < 1:
            raise ParameterError(f"max_degree must be at least 1, not {self.max_degree}")
        if self.grouping not in GROUPINGS:
            raise ParameterError(f"grouping must be {' or '.join(GROUPINGS)}, not {self.grouping!r}")

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """The number of edges of every pair of degrees up to the bound."""
        bound = self._bound(graph.n_nodes)
        return (pair_counts(graph, bound, self.epsilon, self._groups(bound)),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The noisy counts that stand out of the noise."""
        bound = self._bound(facts.n_nodes)
        noisy = conclude_pairs(outcomes[0], bound, self.epsilon, self._groups(bound))
        kept = noisy.standing_out()
        rows = np.column_stack((noisy.degrees[kept], noisy.counts[kept]))
        targets = {"edges": int(noisy.counts[kept].sum()), "max_degree": bound, "joint_degrees": rows.tolist()}
        return Fit(facts.n_nodes, targets)

    def _bound(self, n_nodes: int) -> int:
        return max(1, min(self.max_degree, n_nodes - 1))

    def _groups(self, bound: int) -> Integers | None:
        return None if self.grouping == "none" else dyadic_groups(all_pairs(bound))

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """A graph with the counts that stood out, as nearly as any has them."""
        rows = np.array(fit.targets["joint_degrees"], dtype=np.int64).reshape(-1, 3)
        return graph_from_tuples(rows[:, :2], rows[:, 2], fit.n_nodes, seed=seed, exactly=True)


def dyadic_groups(pairs: Integers) -> Integers:
    """For every pair the largest degree of its group: the next 2^k - 1 from its larger degree."""
    return 2 ** np.frexp(pairs[:, 1].astype(np.float64))[1].astype(np.int64) - 1
