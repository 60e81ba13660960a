"""What an audit found, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.display.html import card
from graphveil.display.svg import Line, lines

HISTOGRAM_BARS = 60


class AuditVerdict(StrEnum):
    """Whether the outputs contradict the claim. `consistent` is not a proof."""

    CONSISTENT = "consistent"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often the distinguishing score fell between two edges under either input, and where a guess is made."""

    edges: tuple[float, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    names_first_up_to: float
    names_second_from: float


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The lower bound on epsilon that the outputs prove, and how it was reached."""

    name: str
    claimed_epsilon: float
    claimed_delta: float
    epsilon_lower_bound: float
    confidence: float
    samples: int
    worst_pair: str
    event: str
    histogram: Histogram
    pairs_tried: int

    @property
    def verdict(self) -> AuditVerdict:
        """Refuted where the bound passes the claim."""
        refuted = self.epsilon_lower_bound > self.claimed_epsilon
        return AuditVerdict.REFUTED if refuted else AuditVerdict.CONSISTENT

    def to_json(self) -> dict[str, Any]:
        """The result as `graphveil audit --json` prints it."""
        return {
            "name": self.name,
            "claimed_epsilon": self.claimed_epsilon,
            "claimed_delta": self.claimed_delta,
            "epsilon_lower_bound": round(self.epsilon_lower_bound, 6),
            "confidence": self.confidence,
            "samples": self.samples,
            "verdict": self.verdict.value,
            "worst_pair": self.worst_pair,
            "event": self.event,
            "pairs_tried": self.pairs_tried,
        }

    def __repr__(self) -> str:
        return f"AuditResult({self})"

    def _repr_html_(self) -> str:
        facts = [
            ("verdict", f"{self.verdict.value}; consistent is not a proof"),
            ("claimed epsilon", f"{self.claimed_epsilon:g}"),
            ("shown to be at least", f"{self.epsilon_lower_bound:.3f}, with {100 * self.confidence:.4g} % confidence"),
            ("outputs tested", f"{self.samples:,} on each side"),
            ("worst pair", self.worst_pair),
        ]
        return card(f"Audit of {self.name}", facts, figure=self.picture())

    def picture(self) -> str:
        """How the score of outputs falls under either input, as SVG text."""
        sides = (("first input", self.histogram.first), ("second input", self.histogram.second))
        edges = self.histogram.edges
        middle = [(low + high) / 2 for low, high in pairwise(edges)]
        drawn = [Line(name, middle, [float(count) for count in counts]) for name, counts in sides]
        return lines(drawn, title=f"{self.name}: outputs by score", x="distinguishing score", y="outputs")

    def __str__(self) -> str:
        return (
            f"{self.name}: claimed epsilon {self.claimed_epsilon:g}, shown to be above "
            f"{self.epsilon_lower_bound:.3f} ({self.confidence:.4g} confidence): {self.verdict}"
            + (f"; seen {self.event}" if self.verdict is AuditVerdict.REFUTED else "")
        )


def make_histogram(first: Floats, second: Floats, lower: float, upper: float) -> Histogram:
    """Bars over the middle 99.8 % of the scores; what lies beyond is counted in the outermost ones."""
    low, high = np.quantile(np.concatenate((first, second)), (0.001, 0.999))
    edges = np.linspace(low, high if high > low else low + 1, HISTOGRAM_BARS + 1)
    counts = [np.histogram(np.clip(scores, edges[0], edges[-1]), edges)[0] for scores in (first, second)]
    bars = [tuple(int(count) for count in side) for side in counts]
    return Histogram(tuple(float(edge) for edge in edges), bars[0], bars[1], lower, upper)
