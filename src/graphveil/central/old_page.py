"""What every central algorithm page offers to a session, a plan and the registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.central.query import Answer, PublicFacts, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.noise.source import Noise
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import Trust, Unit

__all__ = ["Answer", "LaplacePage", "Page", "PublicFacts", "Stage"]


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
