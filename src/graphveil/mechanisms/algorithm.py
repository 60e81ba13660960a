"""What every algorithm on a private graph is: `measure`, then `conclude`.

`measure` is the only step that sees the private graph. It draws nothing: it lists measurements, each with its
sensitivity and its loss. `release` charges the composition of these losses, draws the noise, and hands the outcomes to
`conclude`, which sees noisy outcomes and public facts and never the graph. So whatever `conclude` does is
post-processing, and the printed epsilon is the one that was drawn.

Central queries (`central.query`) conclude with an `Answer`, synthesizers (`synthetic.synthesizer`) with a `Fit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol, runtime_checkable

from graphveil.arrays import AnyArray
from graphveil.errors import GuaranteeMismatch
from graphveil.graph.core import Graph
from graphveil.mechanisms.measurement import Measurements, Outcomes, total_loss
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import Kind, Trust, Unit


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What is public about a graph: declared or guessed, never measured.

    `n_nodes` is the number of people. It is 0 in a release under node privacy, where even that is private. `labels` are
    the names of the people under edge privacy. `max_degree` and `guesses` serve forecasts only.
    """

    n_nodes: int
    max_degree: int | None = None
    guesses: Mapping[str, float] = field(default_factory=dict)
    labels: AnyArray | None = field(default=None, compare=False)

    @classmethod
    def of(cls, graph: Graph, unit: str) -> PublicFacts:
        """The facts about a graph that a unit leaves public."""
        if unit == Kind.NODE:
            return cls(n_nodes=0)
        return cls(n_nodes=graph.n_nodes, labels=graph.labels)


@runtime_checkable
class Algorithm(Protocol):
    """What a session and an audit need of an algorithm with its public parameters fixed.

    `epsilon` is its whole loss for one `unit`, an edge or a node; `assumes` lists what its proof takes for public
    besides the parameters.
    """

    unit: ClassVar[str]
    assumes: ClassVar[tuple[str, ...]]

    @property
    def epsilon(self) -> Fraction:
        """The loss that the measurements must compose to."""
        ...

    @property
    def guarantee(self) -> Guarantee:
        """What the algorithm promises, as `stated_guarantee` computes it."""
        ...

    def measure(self, graph: Graph) -> Measurements:
        """List what is taken from the private graph; draws nothing."""
        ...

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Any:
        """Make the result from the noisy outcomes, in the order of the measurements, and from public facts."""
        ...


def stated_guarantee(algorithm: Any) -> Guarantee:
    """Pure epsilon for one edge or one person; `measured` refuses to draw anything else under it."""
    return Guarantee(
        Unit.parse(algorithm.unit),
        Trust.CENTRAL,
        algorithm.epsilon,
        assumes=algorithm.assumes,
        proof=proof_of(type(algorithm)),
        package=foreign_package(type(algorithm).__module__),
    )


def measured(algorithm: Algorithm, graph: Graph) -> Measurements:
    """The measurements of an algorithm, if their losses compose to what it claims; refused otherwise."""
    measurements = algorithm.measure(graph)
    drawn, claimed = total_loss(measurements), Pure(algorithm.guarantee.epsilon)
    if drawn != claimed:
        raise GuaranteeMismatch(
            f"{type(algorithm).__name__} claims epsilon {claimed.epsilon}, but its measurements cost epsilon "
            f"{drawn.epsilon}; make the shares of its measurements add up to its epsilon"
        )
    return measurements
