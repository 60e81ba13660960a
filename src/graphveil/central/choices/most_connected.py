"""The most connected person under edge privacy.

Paper      McKenna, Sheldon 2020 (permute-and-flip); McSherry, Talwar 2007 (exponential mechanism)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  names a person whose degree is within ln(n / b) / epsilon of the largest, but for a probability of b
Cost       O(n)
Differs    no factor 2: one more edge raises some degrees and lowers none, so scores are monotone

Sensitivity: one edge changes two degrees by 1, both in the same direction (`mechanisms.selection` has the proof for
monotone scores).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from graphveil.central.query import NAMES_PEOPLE, Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, Value
from graphveil.mechanisms.measurement import Outcomes
from graphveil.mechanisms.selection import NoisyChoice, PermuteAndFlip


@dataclass(frozen=True, slots=True)
class MostConnected(Query):
    """The label of a person who has the most neighbours, or nearly.

    >>> graph = Graph.from_edges([(0, i) for i in range(1, 40)] + [(1, 2)])
    >>> run(MostConnected(epsilon=Fraction(1)), graph, SeededNoise(1)).value
    0
    """

    query = "most-connected"
    unit = "edge"
    why_one_unit = NAMES_PEOPLE, "h-index"

    @property
    def mechanism(self) -> PermuteAndFlip:
        """Permute-and-flip with degrees as scores, which are monotone of sensitivity 1."""
        return PermuteAndFlip(epsilon=self.epsilon, sensitivity=Fraction(1), monotone=True)

    def check_people(self, n_people: int) -> None:
        """Nobody can be named where there is nobody."""
        if n_people == 0:
            raise ParameterError("the graph has no people to choose from")

    def measure(self, graph: Graph) -> tuple[NoisyChoice]:
        """One person, chosen by degree."""
        self.check_people(graph.n_nodes)
        return (NoisyChoice(what="person with most neighbours", mechanism=self.mechanism, scores=graph.degrees),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The label of the person, and by how many neighbours the choice may fall short."""
        chosen = int(outcomes[0])
        value: Value = chosen if facts.labels is None else facts.labels[[chosen]].tolist()[0]
        rate = f"{float(self.mechanism.rate):.3g}"
        stages = (Stage(f"a degree that is k below the largest is chosen with probability e^(-{rate} k) at most"),)
        return Answer(value, replace(self._shortfall(facts.n_nodes), value=value, center=0), stages)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """By how many neighbours the choice may fall short."""
        return self._shortfall(facts.n_nodes)

    def _shortfall(self, n_people: int) -> Accuracy:
        gaps = [math.floor(self.mechanism.error_bound(max(1, n_people), level)) for level in LEVELS]
        bands = tuple(Band(level, 0.0, float(gap)) for level, gap in zip(LEVELS, gaps, strict=True))
        scope = "neighbours that the named person has fewer than the most connected"
        support = (0.0, max(0.0, n_people - 1))
        right = "the named person is right: nobody has more neighbours"
        return Accuracy(0, None, bands, support=support, scope=scope, faultless=right)
