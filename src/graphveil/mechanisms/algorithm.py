"""What every algorithm on a private graph is: `measure`, then `conclude`.

`measure` is the only step that sees the private graph. It draws nothing: it lists measurements, each with its
sensitivity and its loss. `release` charges the composition of these losses, draws the noise, and hands the outcomes to
`conclude`, which sees noisy outcomes and public facts and never the graph. So whatever `conclude` does is
post-processing, and the printed epsilon is the one that was drawn.

Central queries (`central.query`) conclude with an `Answer`, synthesizers (`synthetic.synthesizer`) with a `Fit`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol, runtime_checkable

from graphveil.arrays import AnyArray
from graphveil.errors import GuaranteeMismatch
from graphveil.graph.core import Graph
from graphveil.mechanisms.gaussian import GaussianVector
from graphveil.mechanisms.measurement import Measurements, Outcomes, total_loss
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.convert import concentrated_to_approximate
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Concentrated, Pure
from graphveil.privacy.unit import Kind, Trust, Unit


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What is public about a graph: declared or guessed, never measured.

    `n_nodes` is the number of people. It is 0 in a release under node privacy, where even that is private. `labels` are
    the names of the people under edge privacy.

    `max_degree` and `guesses` serve forecasts only. Where a caller gives none, guesses are rough and follow the five
    benchmark graphs (4,000 to 81,000 people): the largest degree is about 10 sqrt(n), a pair has at most two fifths of
    it as common neighbours, a person has 20 friends on average, a fifth of the pairs of friends are friends, and people
    have n (mean degree)^2 pairs of friends between them.
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

    def guess_max_degree(self) -> int:
        """The declared bound, or 10 sqrt(n)."""
        most = max(0, self.n_nodes - 1)
        return min(most, 10 * math.isqrt(self.n_nodes) if self.max_degree is None else self.max_degree)

    def guess_common_neighbors(self) -> int:
        """`max_common_neighbors`, or two fifths of the largest degree."""
        guess = self.guesses.get("max_common_neighbors", 0.4 * self.guess_max_degree())
        return min(max(0, self.n_nodes - 2), math.ceil(guess))

    def guess_edges(self) -> float:
        """`edges`, or 10 for every person, if so many people can have them."""
        return max(1.0, self.guesses.get("edges", min(10.0 * self.n_nodes, math.comb(self.n_nodes, 2))))

    def guess_two_stars(self) -> float:
        """`2-stars`, or n times the squared mean degree."""
        mean_degree = 2 * self.guess_edges() / max(1, self.n_nodes)
        return max(1.0, self.guesses.get("2-stars", self.n_nodes * mean_degree**2))

    def guess_triangles(self) -> float:
        """`triangles`, or a fifth of the pairs of friends, each triangle holding three."""
        return self.guesses.get("triangles", self.guess_two_stars() / 15)

    def guess_three_stars(self) -> float:
        """`3-stars`, or 1/20 of the 2-stars times the largest degree."""
        return max(1.0, self.guesses.get("3-stars", self.guess_two_stars() * self.guess_max_degree() / 20))

    def guess_stars(self, k: int) -> float:
        """Stars with more leaves: at least those of the person with the largest degree, who has most of them."""
        few = {2: self.guess_two_stars, 3: self.guess_three_stars}
        return few[k]() if k in few else max(1.0, float(math.comb(self.guess_max_degree(), k)))


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
    if algorithm.guarantee.delta:
        _check_concentrated(algorithm, measurements)
        return measurements
    drawn, claimed = total_loss(measurements), Pure(algorithm.guarantee.epsilon)
    if drawn != claimed:
        raise GuaranteeMismatch(
            f"{type(algorithm).__name__} claims epsilon {claimed.epsilon}, but its measurements cost epsilon "
            f"{drawn.epsilon}; make the shares of its measurements add up to its epsilon"
        )
    return measurements


def _check_concentrated(algorithm: Algorithm, measurements: Measurements) -> None:
    """Refuse anything but Gaussian noise whose zCDP loss converts to the epsilon and delta that are claimed."""
    claimed, losses = algorithm.guarantee, [measurement.loss for measurement in measurements]
    ours = all(isinstance(measurement, GaussianVector) for measurement in measurements)
    rho = sum((loss.rho for loss in losses if isinstance(loss, Concentrated)), Fraction(0))
    if not ours or concentrated_to_approximate(Concentrated(rho), claimed.delta).epsilon > claimed.epsilon:
        raise GuaranteeMismatch(
            f"{type(algorithm).__name__} claims epsilon {claimed.epsilon} and delta {claimed.delta}, which its "
            "measurements do not keep; draw Gaussian noise (GaussianVector) with the rho of these two"
        )
