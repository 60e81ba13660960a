"""A degree bound for node privacy: declared by the user, or chosen from the graph and paid for.

The h-index, the largest x for which at least x people have x neighbours or more, changes by at most 1 when a person
joins or leaves (`central.node.h_index` has the proof). Noisy, it says where most degrees end, and a multiple of it
balances what truncation removes against the noise that grows with the bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.query import PublicFacts, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_h_index
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes

LEAST_BOUND = 16  # of a bound that is chosen
MOST_BOUND = 2**31 - 1


@dataclass(frozen=True, slots=True)
class DegreeBound:
    """A public bound, or one between `least` and `most` that follows from the noisy h-index, which costs `epsilon`.

    It is `multiple` times the h-index to the power `exponent`, and at most `steepest` times the h-index.
    """

    public: int | None
    epsilon: Fraction
    multiple: float
    most: int = MOST_BOUND
    least: int = LEAST_BOUND
    exponent: float = 1.0
    steepest: float = math.inf

    def value(self, noisy_h_index: int) -> int:
        """The bound that goes with a noisy h-index."""
        if self.public is not None:
            return self.public
        return self._of(max(0, noisy_h_index))

    def choose(self, graph: Graph, following: Callable[[int], Measurements], following_epsilon: Fraction) -> Adaptive:
        """The noisy h-index, and the measurements that use the bound."""
        h_index = exact_h_index(graph.degrees)
        first = NoisyInteger(what="h-index of the graph", exact=h_index, sensitivity=1, epsilon=self.epsilon)
        return Adaptive(first, self.value, following, following_epsilon)

    def measure(
        self, graph: Graph, following: Callable[[int], Measurements], following_epsilon: Fraction
    ) -> Measurements:
        """The measurements at a public bound, or the noisy h-index and those at the bound that follows from it."""
        if self.public is not None:
            return following(self.public)
        return (self.choose(graph, following, following_epsilon),)

    def conclude(self, outcomes: Outcomes) -> tuple[int, dict[str, int], Outcomes]:
        """The bound, the noisy values it rests on, and the outcomes of the measurements that used it."""
        if self.public is not None:
            return self.public, {"max_degree": self.public}, outcomes
        ((h_index, *rest),) = outcomes
        bound = self.value(h_index)
        return bound, {"max_degree": bound, "h_index": max(0, int(h_index))}, rest

    def stage(self, bound: int) -> Stage:
        """How the bound came about."""
        if self.public is not None:
            return Stage(f"took the public degree bound {bound}")
        power = "" if self.exponent == 1 else f" to the power {self.exponent:g}"
        limit = "" if self.steepest == math.inf else f", at most {self.steepest:g} times that index,"
        return Stage(f"took {self.multiple:.3g} times the noisy h-index{power}{limit} as degree bound: {bound}")

    def guess(self, facts: PublicFacts) -> int:
        """What the bound may come to, for a forecast: the noise of the h-index counts as much as the h-index."""
        if self.public is not None or facts.max_degree is not None:
            return self.public or facts.max_degree or 0
        noise = discrete_laplace_std(self.epsilon)
        return self._of(math.hypot(guess_h_index(facts), noise))

    def _of(self, h_index: float) -> int:
        wanted = min(self.multiple * math.pow(h_index, self.exponent), self.steepest * max(h_index, 1))
        return min(self.most, max(self.least, round(wanted)))


def check_bound(query: str, max_degree: int | None, *, least: int = 1, most: int = MOST_BOUND) -> None:
    """Refuse a public bound that a query cannot use."""
    if max_degree is not None and max_degree < least:
        raise ParameterError(f"max_degree must be at least {least}, not {max_degree}")
    if max_degree is not None and max_degree > most:
        raise ParameterError(
            f"max_degree must be at most {most:,} for {query} under node privacy, not {max_degree:,}: time and memory "
            "grow with it, and so does the noise"
        )


def guess_h_index(facts: PublicFacts) -> float:
    """`h_index`, or the root of twice the number of people."""
    return facts.guesses.get("h_index", math.sqrt(2 * facts.n_nodes))


def one_sided_scope(bound: int) -> str:
    """What a lower end of a count speaks of."""
    return (
        f"one-sided: the count is at least this; an upper end needs the promise that nobody has more than {bound} "
        "neighbours"
    )
