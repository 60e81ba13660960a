"""What pages under node privacy share: a degree bound that may be public, and a refusal where noise would drown all."""

from __future__ import annotations

import math
from abc import abstractmethod
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from graphveil.central.page import Page, PublicFacts
from graphveil.errors import ParameterError

USUAL_PEOPLE = 10_000  # what a refusal takes for the size of a graph that nobody declared
LARGER_EPSILONS = tuple(
    Fraction(hundredths, 100) for hundredths in (1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000, 2000)
)


@dataclass(frozen=True, slots=True)
class NodePage(Page):
    """A page for one person with all their edges.

    `max_degree` is a public degree bound, if there is one; `declared_people` a public number of people, by which it is
    judged whether an answer would be noise.
    """

    unit = "node"
    least_bound: ClassVar[int] = 1
    most_bound: ClassVar[int] = 2**31 - 1  # lower where time and memory grow with the bound
    useful_from: ClassVar[Fraction] = Fraction(3, 10)  # below it answers were mostly noise on the benchmark graphs
    mere_noise: ClassVar[float] = 10  # an error so many times the usual answer; forecasts are rough

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Page.__post_init__(self)
        if self.max_degree is not None and self.max_degree < self.least_bound:
            raise ParameterError(f"max_degree must be at least {self.least_bound}, not {self.max_degree}")
        if self.max_degree is not None and self.max_degree > self.most_bound:
            raise ParameterError(
                f"max_degree must be at most {self.most_bound:,} for {self.query} under node privacy, not "
                f"{self.max_degree:,}: time and memory grow with it, and so does the noise"
            )
        if self.declared_people is not None and self.declared_people < 1:
            raise ParameterError(f"declared_people must be at least 1, not {self.declared_people}")
        self.refuse_noise()

    @abstractmethod
    def usual(self, facts: PublicFacts) -> float:
        """How large an answer is among so many people."""

    @property
    def assumed(self) -> PublicFacts:
        """What a refusal goes by; where answers are mostly useful, the h-index that does a public bound least harm."""
        lenient = self.max_degree is not None and self.epsilon >= self.useful_from
        people = USUAL_PEOPLE if self.declared_people is None else self.declared_people
        return PublicFacts(people, guesses={"h_index": 1} if lenient else {})

    @property
    def answered_from(self) -> Fraction:
        """The least epsilon that is answered; a public bound may lift it."""
        return self.useful_from if self.max_degree is None else Fraction(0)

    @property
    def what(self) -> str:
        """What is asked for, in a refusal."""
        return self.query

    @property
    def advice(self) -> str:
        """What else than a larger epsilon would help."""
        if self.max_degree is None:
            return ", or with a public max_degree"
        return ", or with a lower max_degree, or with declared_people where more are public"

    def refuse_noise(self) -> None:
        """Refuse what would be noise, forecasting what it would give and what a larger epsilon would.

        That is an epsilon below the least, and a public bound or size for which the forecast is noise; all of this
        is public.
        """
        facts = self.assumed
        most = self.mere_noise * self.usual(facts)
        nothing_told = self.max_degree is None and self.declared_people is None
        if self.epsilon >= self.answered_from and (nothing_told or math.isinf(most) or self.error(facts) <= most):
            return
        larger = [e for e in LARGER_EPSILONS if e > self.epsilon and e >= self.answered_from]
        errors = {e: self.unchecked(epsilon=e).error(facts) for e in larger}
        answered = next((e for e, error in errors.items() if error <= most), None)
        useful = next((e for e, error in errors.items() if error <= self.usual(facts) / 2), None)
        raise ParameterError(
            f"{self.what} under node privacy would be mostly noise at epsilon {float(self.epsilon):g}{self._bounded}: "
            f"among {facts.n_nodes:,} people an error near {self.error(facts):.2g}, besides what the degree bound cuts "
            f"off, where {self.usual(facts):.2g} is usual; it is {_from_there(answered, useful)}{self.advice}"
        )

    @property
    def _bounded(self) -> str:
        return "" if self.max_degree is None else f" and max_degree {self.max_degree:,}"

    def unchecked(self, **changes: Any) -> Self:
        """The page with other parameters, to forecast with; it may be one that is refused."""
        page = copy(self)
        for name, value in changes.items():
            object.__setattr__(page, name, value)
        return page

    def error(self, facts: PublicFacts) -> float:
        """The standard deviation to expect."""
        std = self.forecast(facts).std
        assert isinstance(std, float)
        return std


def _from_there(answered: Fraction | None, useful: Fraction | None) -> str:
    if answered is None:
        return f"answered at no epsilon up to {float(LARGER_EPSILONS[-1]):g}"
    better = "" if useful in (None, answered) else f", from about {float(useful):g} on with an error below half of that"
    return f"answered from epsilon {float(answered):g} on{better}"
