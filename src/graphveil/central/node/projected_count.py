"""A count under node privacy, of the graph truncated at a degree bound, public or chosen and paid for.

Edges are scanned in a public order and kept while both ends have fewer than D kept edges (Day, Li, Lyu 2016). A new
person with k <= D kept edges moves the kept degrees of all others by at most k in total (`graph.project`), so a sum
over people of a function of the degree changes by at most k times the function's largest step plus its value at k.

Truncation only lowers such counts, so the answer is a lower bound of the count in the whole graph, up to its noise.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.node.degree_bound import DegreeBound, check_bound, one_sided_scope
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes


@dataclass(frozen=True, slots=True)
class ProjectedCount:
    """A count that grows with the graph; `sensitivity` gives what one person changes after truncation at a bound."""

    what: str
    exact: Callable[[Graph], int]
    sensitivity: Callable[[int], int]
    epsilon: Fraction  # of the count alone
    bound: DegreeBound

    @classmethod
    def share_out(
        cls,
        what: str,
        exact: Callable[[Graph], int],
        sensitivity: Callable[[int], int],
        epsilon: Fraction,
        max_degree: int | None,
        multiple: float,
    ) -> ProjectedCount:
        """All of epsilon for the count at a public bound; else a tenth for the bound, up to a fifth of a small one.

        Both parts grow with epsilon, so that more of it never makes a forecast worse.
        """
        share = Fraction(0)
        if max_degree is None:
            share = max(epsilon / 10, min(epsilon / 5, Fraction(3, 50)))
        return cls(what, exact, sensitivity, epsilon - share, DegreeBound(max_degree, share, multiple))

    def measure(self, graph: Graph) -> Measurements:
        """The count after truncation at the public bound, or at one chosen from the noisy h-index."""

        def noisy_count(bound: int) -> Measurements:
            exact = self.exact(project_bounded_degree(graph, bound))
            most = max(1, self.sensitivity(bound))
            return (NoisyInteger(what=self.what, exact=exact, sensitivity=most, epsilon=self.epsilon),)

        return self.bound.measure(graph, noisy_count, self.epsilon)

    def conclude(self, outcomes: Outcomes) -> Answer:
        """The noisy count, raised to 0 if it is negative."""
        bound, derived, (noisy,) = self.bound.conclude(outcomes)
        value = max(0, int(noisy))
        kept = Stage(f"kept edges, in a public order, while both ends had fewer than {bound} of them")
        return Answer(value, self._accuracy(value, bound, (0, math.inf)), (self.bound.stage(bound), kept), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed bound; what truncation removes is not in the forecast."""
        return self._accuracy(0, self.bound.guess(facts), (-math.inf, math.inf))

    def rate(self, bound: int) -> Fraction:
        """Rate of the count's noise: its share of epsilon over the sensitivity."""
        return self.epsilon / max(1, self.sensitivity(bound))

    def _accuracy(self, value: int, bound: int, support: tuple[float, float]) -> Accuracy:
        """A lower end only: truncation removes an unknown part, so nothing bounds the truth above."""
        rate = self.rate(bound)
        bands = tuple(Band(level, float(discrete_laplace_quantile(rate, 2 * level - 1)), math.inf) for level in LEVELS)
        return Accuracy(
            value,
            discrete_laplace_std(rate),
            bands,
            bias=f"downward by what truncation at degree {bound} removes; none if nobody has more neighbours",
            support=support,
            scope=one_sided_scope(bound),
        )


@dataclass(frozen=True, slots=True)
class TruncatedCount(Query):
    """A query that is answered by one such count.

    `max_degree` is the bound if it is public; without it the bound is chosen from the noisy h-index and paid for.
    """

    unit = "node"

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree)

    @property
    @abstractmethod
    def count(self) -> ProjectedCount:
        """What is counted, and how epsilon is shared."""

    def measure(self, graph: Graph) -> Measurements:
        """The bound where none is public, and the count after truncation."""
        return self.count.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy number, with a lower end."""
        return self.count.conclude(outcomes)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed bound."""
        return self.count.forecast(facts)
