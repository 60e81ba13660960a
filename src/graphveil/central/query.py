"""What every central algorithm page offers to a session, a plan and the registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, Value
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import Trust, Unit
from graphveil.registry_base import foreign_package, proof_of


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


@dataclass(frozen=True, slots=True)
class Page(ABC):
    """An algorithm with its public parameters fixed.

    `epsilon` is the page's whole loss for one edge or one node; a session turns it into a loss for k edges.
    """

    query: ClassVar[str]
    unit: ClassVar[str]  # "edge" or "node"
    assumes: ClassVar[tuple[str, ...]] = ()  # what the proof takes for public besides the parameters
    least_epsilon: ClassVar[Fraction] = Fraction(0)  # below it no noise can be drawn

    epsilon: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.epsilon < self.least_epsilon:
            least, given = float(self.least_epsilon), float(self.epsilon)
            raise ParameterError(
                f"{self.query} needs an epsilon of {least:g} or more for one {self.unit}, not {given:g}"
            )

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one edge or one person, from public parameters alone; the page's module has the proof."""
        return Guarantee(
            Unit.parse(self.unit),
            Trust.CENTRAL,
            self.epsilon,
            assumes=self.assumes,
            proof=proof_of(type(self)),
            package=foreign_package(type(self).__module__),
        )

    def check_people(self, n_people: int) -> None:  # noqa: B027 - most pages answer for any number
        """Refuse, before anything is spent, a public number of people (edge privacy) that parameters do not suit.

        Whatever `run` would refuse belongs here or into the page's making: what is refused later has been paid for.
        """

    @abstractmethod
    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Compute, add noise, post-process."""

    @abstractmethod
    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy to expect (around the value 0), before anything is spent."""


@dataclass(frozen=True, slots=True)
class LaplacePage(Page):
    """A page that adds discrete Laplace noise of one rate to whole numbers of a known global sensitivity in L1."""

    sensitivity: ClassVar[int]

    @property
    def rate(self) -> Fraction:
        """Rate of the noise: epsilon over the sensitivity."""
        return self.epsilon / self.sensitivity
