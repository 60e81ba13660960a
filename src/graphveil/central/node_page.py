"""What pages under node privacy share: a degree bound that may be public, and a refusal where noise would drown all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from graphveil.central.page import Page, PublicFacts
from graphveil.errors import ParameterError

LEAST_EPSILON = Fraction(3, 10)  # below it subgraph counts were mostly noise on all benchmark graphs
ADVICE = ", or with a public max_degree"
USUAL_PEOPLE = 10_000  # what a refusal takes for the size of a graph that nobody declared
LARGER_EPSILONS = (LEAST_EPSILON, *(Fraction(tenths, 10) for tenths in (5, 7, 10, 15, 20, 30, 50, 100, 200)))


@dataclass(frozen=True, slots=True)
class NodePage(Page):
    """A page for one person with all their edges; `max_degree` is a public degree bound, if there is one."""

    unit = "node"
    least_bound: ClassVar[int] = 1
    most_bound: ClassVar[int] = 2**31 - 1  # lower where time and memory grow with the bound

    max_degree: int | None = None

    def __post_init__(self) -> None:
        Page.__post_init__(self)
        if self.max_degree is not None and self.max_degree < self.least_bound:
            raise ParameterError(f"max_degree must be at least {self.least_bound}, not {self.max_degree}")
        if self.max_degree is not None and self.max_degree > self.most_bound:
            raise ParameterError(
                f"max_degree must be at most {self.most_bound:,} for {self.query} under node privacy, not "
                f"{self.max_degree:,}: time and memory grow with it, and so does the noise"
            )

    def refuse_noise(
        self, what: str, typical: float, facts: PublicFacts, advice: str = "", least: Fraction = LEAST_EPSILON
    ) -> None:
        """Refuse a small epsilon, forecasting what it would give and what a larger one would: all from public facts.

        `typical` is the size that an answer has for these facts, `least` the smallest epsilon that is answered.
        """
        if self.epsilon >= least:
            return
        larger = (least, *(epsilon for epsilon in LARGER_EPSILONS if epsilon > least))
        useful = next((e for e in larger if replace(self, epsilon=e).error(facts) <= typical / 2), None)
        from_there = ""
        if useful is not None and useful > least:
            from_there = f", from about {float(useful):g} on with an error below half of that"
        raise ParameterError(
            f"{what} under node privacy would be mostly noise at epsilon {float(self.epsilon):g}: among "
            f"{facts.n_nodes:,} people an error near {self.error(facts):.2g}, besides what the degree bound cuts off, "
            f"where {typical:.2g} is usual; it is "
            f"answered from epsilon {float(least):g} on{from_there}{advice}"
        )

    def error(self, facts: PublicFacts) -> float:
        """The standard deviation to expect."""
        std = self.forecast(facts).std
        assert isinstance(std, float)
        return std
