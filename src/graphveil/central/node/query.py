"""What pages under node privacy share: a degree bound that may be public, and a refusal where noise would drown all.

Refused is an epsilon below which answers were noise on the benchmark graphs. A public bound makes the noise known, a
large public number of people makes it small: then the forecast decides, and an error larger than answers usually are
is refused. All of this is public.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeVar

from graphveil.central.old_page import Page, PublicFacts
from graphveil.errors import ParameterError

USUAL_PEOPLE = 10_000  # what a refusal takes for the size of a graph that nobody declared
MANY_PEOPLE = 50_000  # among whom forecasts may be good at an epsilon that is too small for most graphs
MOST_PEOPLE = 2**31 - 1
EPSILONS = tuple(digits * Fraction(10) ** power for power in range(-7, 3) for digits in range(10, 100))
BOUNDS = (5000, 2000, 1000, 500, 200, 100, 50, 20)
SIZES = tuple(digit * 10**power for power in range(4, 9) for digit in (1, 2, 5))

Candidate = TypeVar("Candidate", int, Fraction)


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
    bound_tells: ClassVar[bool] = True  # whether the noise is known once the bound is
    mere_noise: ClassVar[float] = 1  # an error so many times the usual answer
    hint: ClassVar[str] = ""  # what else to ask

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
        if self.declared_people is not None and not 1 <= self.declared_people <= MOST_PEOPLE:
            raise ParameterError(f"declared_people must be from 1 to {MOST_PEOPLE:,}, not {self.declared_people}")
        if self.would_be_noise:
            self._refuse()

    @abstractmethod
    def usual(self, facts: PublicFacts) -> float:
        """How large an answer is among so many people."""

    def error(self, facts: PublicFacts) -> float:
        """The standard deviation to expect."""
        std = self.forecast(facts).std
        assert isinstance(std, float)
        return std

    @property
    def assumed(self) -> PublicFacts:
        """What a refusal takes for granted."""
        return PublicFacts(self.assumed_people)

    @property
    def assumed_people(self) -> int:
        """How many people there are, as far as is public."""
        return USUAL_PEOPLE if self.declared_people is None else self.declared_people

    @property
    def would_be_noise(self) -> bool:
        """Whether to refuse, for public reasons."""
        small, bounded = self.epsilon < self.useful_from, self.max_degree is not None
        many = self.declared_people is not None and self.declared_people >= MANY_PEOPLE
        if small and not many and not (bounded and self.bound_tells):
            return True
        return (small or bounded) and self.error(self.assumed) > self.mere_noise * self.usual(self.assumed)

    def unchecked(self, **changes: Any) -> Self:
        """The page with other parameters, to forecast with; it may be one that is refused."""
        page = copy(self)
        for name, value in changes.items():
            object.__setattr__(page, name, value)
        return page

    def _refuse(self) -> None:
        facts, bound = self.assumed, "" if self.max_degree is None else f" and max_degree {self.max_degree:,}"
        declared = "" if self.declared_people is not None else ", as no declared_people says otherwise,"
        remedies = ", or ".join(self._remedies()) or "at no epsilon"
        raise ParameterError(
            f"{self.query} under node privacy would be mostly noise at epsilon {float(self.epsilon):g}{bound}: among "
            f"{facts.n_nodes:,} people{declared} an error near {self.error(facts):.2g}, besides what the degree bound "
            f"cuts off, where {self.usual(facts):.2g} is usual; alone it is answered {remedies}{self.hint}"
        )

    def _remedies(self) -> list[str]:
        """What would make this answered, each by itself."""
        words, facts = [], self.assumed
        larger = [epsilon for epsilon in EPSILONS if epsilon > self.epsilon]
        if answered := _first(larger, lambda epsilon: self._answered(epsilon=epsilon)):
            half = _first(larger, lambda epsilon: self.unchecked(epsilon=epsilon).error(facts) <= self.usual(facts) / 2)
            better = f", from about {float(half):g} on with an error below half of that" if half else ""
            words.append(f"from epsilon {float(answered):g} on{better if half != answered else ''}")
        if self.max_degree is not None and self._answered(max_degree=None):
            words.append("without max_degree")
        elif self.bound_tells:
            bounds = [bound for bound in BOUNDS if self.max_degree is None or bound < self.max_degree]
            if lower := _first(bounds, lambda bound: self._answered(max_degree=bound)):
                words.append(f"with a public max_degree of {lower:,} or less")
        sizes = [size for size in SIZES if size > facts.n_nodes]
        if more := _first(sizes, lambda size: self._answered(declared_people=size)):
            words.append(f"with declared_people of {more:,} or more where so many are public")
        return words

    def _answered(self, **changes: Any) -> bool:
        return not self.unchecked(**changes).would_be_noise


def _first(candidates: Sequence[Candidate], good: Callable[[Candidate], bool]) -> Candidate | None:
    """The first that is good, where all after it are."""
    place = bisect_left(candidates, 1, key=good)
    return candidates[place] if place < len(candidates) else None
