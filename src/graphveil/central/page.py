"""What every central algorithm page offers to a session, a plan and the registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol

from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, Value
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a computation in plain words, and the epsilon it took (0 for free post-processing)."""

    text: str
    epsilon: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one run of a page gives: the noisy value, its accuracy, how it came about.

    `derived` holds the other noisy values that were paid for on the way (a degree bound, a noisy size); they are as
    public as the value.
    """

    value: Value
    accuracy: Accuracy
    stages: tuple[Stage, ...]
    derived: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What a forecast may use: declared or guessed, never measured on the private graph."""

    n_nodes: int
    max_degree: int | None = None
    guesses: Mapping[str, float] = field(default_factory=dict)


class Page(Protocol):
    """An algorithm with its public parameters fixed; pages are frozen dataclasses.

    `epsilon` is the page's whole loss for one edge or one node; a session turns it into a loss for k edges.
    """

    query: ClassVar[str]
    unit: ClassVar[str]  # "edge" or "node"

    @property
    def epsilon(self) -> Fraction:
        """The whole loss of one run."""
        ...

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee, from public parameters alone."""
        ...

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Compute, add noise, post-process."""
        ...

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy to expect (around the value 0), before anything is spent."""
        ...
