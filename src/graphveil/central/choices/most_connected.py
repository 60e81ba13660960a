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

from graphveil.central.old_page import Answer, Page, PublicFacts, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, Value
from graphveil.mechanisms.choices import Choice
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import draw_all
from graphveil.mechanisms.selection import PermuteAndFlip


@dataclass(frozen=True, slots=True)
class MostConnected(Page):
    """The label of a person who has the most neighbours, or nearly.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = Graph.from_edges([(0, i) for i in range(1, 40)] + [(1, 2)])
    >>> MostConnected(epsilon=Fraction(1)).run(graph, SeededNoise(1)).value
    0
    """

    query = "most-connected"
    unit = "edge"

    @property
    def mechanism(self) -> PermuteAndFlip:
        """The choice by degree."""
        return PermuteAndFlip(epsilon=self.epsilon, sensitivity=Fraction(1), monotone=True)

    def check_people(self, n_people: int) -> None:
        """Nobody can be named where there is nobody."""
        if n_people == 0:
            raise ParameterError("the graph has no people to choose from")

    def measurements(self, graph: Graph) -> tuple[Choice]:
        """One person."""
        return (Choice(self.mechanism, graph.degrees),)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Choose by degree, name the person."""
        self.check_people(graph.n_nodes)
        (candidate,) = draw_all(self.measurements(graph), noise)
        chosen = graph.label_of(candidate)
        value: Value = chosen.item() if hasattr(chosen, "item") else chosen
        stages = (
            Stage("took the degrees as scores: one more edge raises two of them by 1 and lowers none"),
            Stage(
                "went through the people in random order and stopped at a person whose degree is k below the largest "
                f"with probability e^(-{float(self.mechanism.rate):.3g} k)",
                self.epsilon,
            ),
        )
        return Answer(value, replace(self._shortfall(graph.n_nodes), value=value, center=0), stages)

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
