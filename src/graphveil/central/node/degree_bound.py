"""A degree bound for node privacy: declared by the user, or chosen from the graph and paid for.

The h-index, the largest x for which at least x people have x neighbours or more, changes by at most 1 when a person
joins or leaves (`central.node.h_index` has the proof). Noisy, it says where most degrees end, and a multiple of it
balances what a bound cuts off against the noise that grows with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.old_page import PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_h_index
from graphveil.mechanisms.noisy_numbers import NoisyInteger
from graphveil.mechanisms.old_measurement import Adaptive, Measurements


@dataclass(frozen=True, slots=True)
class DegreeBound:
    """The bound in use, the noisy h-index behind it (None for a public bound) and how it came about."""

    value: int
    h_index: int | None
    stage: Stage


def public_bound(max_degree: int) -> DegreeBound:
    """A bound that does not depend on the graph."""
    return DegreeBound(max_degree, None, Stage(f"took the public degree bound {max_degree}"))


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A bound that is a multiple of the noisy h-index, which costs epsilon, between a public least and most."""

    epsilon: Fraction
    multiple: float
    least: int
    most: int

    def conclude(self, noisy_h_index: int) -> DegreeBound:
        """The bound that goes with a noisy h-index."""
        h_index = max(0, noisy_h_index)
        bound = min(self.most, max(self.least, round(self.multiple * h_index)))
        scale = f"{float(1 / self.epsilon):.3g}"
        text = f"took {self.multiple:.3g} times the h-index, with noise of scale {scale}, as degree bound: {bound}"
        return DegreeBound(bound, h_index, Stage(text, self.epsilon))

    def measurement(
        self, graph: Graph, following: Callable[[int], Measurements], public: int | None = None
    ) -> Adaptive:
        """The noisy h-index, and what is measured with its bound, or with a public one in its place."""
        first = NoisyInteger(exact_h_index(graph.degrees), self.epsilon)
        return Adaptive(first, lambda noisy: self.conclude(noisy).value if public is None else public, following)


def guessed_bound(facts: PublicFacts, multiple: float, least: int) -> int:
    """What the bound may come to, for a forecast: from a guessed h-index, by default the root of twice the people."""
    if facts.max_degree is not None:
        return facts.max_degree
    guess = facts.guesses.get("h_index", math.sqrt(2 * facts.n_nodes))
    return max(least, round(multiple * guess))
