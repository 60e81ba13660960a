"""What a stream promises, fixed when it is opened: the queries, how each is answered, its epsilon and the horizon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.sums.factor import Factor
from graphveil.mechanisms.sums.tree import Tree
from graphveil.privacy.convert import concentrated_to_approximate
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Concentrated, Loss, Pure
from graphveil.privacy.rounding import text_up
from graphveil.privacy.unit import Kind, Trust, Unit
from graphveil.release.over_time.counts import COUNTS, OverTime, Part
from graphveil.release.policy import ASSUMED_PEOPLE

LONGEST = 100_000  # periods
TREE, FACTOR, FRESH, NEW = "tree", "factor", "fresh", "new"
METHODS = (TREE, FACTOR, FRESH, NEW)
SUMS = (TREE, FACTOR)
COMES_AND_GOES = "a friendship that comes and goes loses up to"  # so many times the loss, as a ledger says
factor_of = cache(Factor)


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """One query of a stream: what it may lose over all periods, and how its answers are drawn.

    `tree`: Laplace noise on blocks of periods, drawn once each. `factor`: Gaussian noise on weighted sums of all
    periods so far, which costs `rho` of zCDP. `fresh`: a new answer every period at a part of epsilon. `new`: an answer
    about the friendships first seen in the period, each at all of epsilon: a friendship is first seen once.
    """

    name: str
    epsilon: Fraction
    method: str
    radix: tuple[int, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    rho: Fraction | None = None

    @property
    def tree(self) -> Tree:
        """The blocks of periods that get noise, as a tree."""
        return Tree(self.radix)

    def to_json(self) -> dict[str, Any]:
        """As plain data, epsilon as an exact text."""
        rho = None if self.rho is None else str(self.rho)
        texts = {"epsilon": str(self.epsilon), "rho": rho, "radix": list(self.radix), "options": dict(self.options)}
        return {**asdict(self), **texts}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> StreamQuery:
        """Return what `to_json` wrote, with exact numbers."""
        rho = None if document["rho"] is None else Fraction(document["rho"])
        known = {**document, "epsilon": Fraction(document["epsilon"]), "rho": rho, "radix": tuple(document["radix"])}
        return cls(**known)


@dataclass(frozen=True, slots=True)
class StreamSpec:
    """The public terms of a stream.

    `changes` is how often one friendship may appear or disappear in what is counted; later changes are ignored. With
    `ever`, a friendship stays once it was seen, which is one change. `horizon` is the number of periods paid for.
    `delta` is that of the budget, at which losses of zCDP are stated. `people` is the public guess at how many people
    there will be, by which forecasts go.
    """

    id: str
    dataset: str
    unit: Unit
    per_friendship: bool
    changes: int
    horizon: int
    queries: tuple[StreamQuery, ...]
    delta: Fraction = Fraction(0)
    people: int = ASSUMED_PEOPLE

    def __post_init__(self) -> None:
        if not 1 <= self.horizon <= LONGEST:
            raise ParameterError(f"a horizon is a number of periods from 1 to {LONGEST:,}, not {self.horizon}")
        if not 1 <= self.changes <= 100:
            raise ParameterError(f"a friendship may change 1 to 100 times in what is counted, not {self.changes}")

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the stream costs for all its periods together: query by query, or one loss of zCDP."""
        rhos = [query.rho for query in self.queries if query.rho is not None]
        return (Concentrated(sum(rhos, Fraction(0))),) if rhos else tuple(Pure(query.epsilon) for query in self.queries)

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """The epsilon and the delta that all queries cost together."""
        gaussian = any(query.rho is not None for query in self.queries)
        return sum((query.epsilon for query in self.queries), Fraction(0)), self.delta if gaussian else Fraction(0)

    @property
    def friendship_epsilon(self) -> Fraction:
        """What all queries cost a friendship with all its changes: whether two given people were ever connected."""
        changes = 1 if self.per_friendship else self.changes
        losses = (query.epsilon * (changes if query.method in SUMS else 1) for query in self.queries)
        return sum(losses, Fraction(0)) / self.unit.edges

    @property
    def by_event(self) -> bool:
        """Whether epsilon is for one change of a friendship, and a friendship with all its changes may lose more."""
        return self.unit.kind is Kind.EDGE and self.friendship_epsilon > self.spent[0]

    def count(self, query: StreamQuery) -> OverTime:
        """What a sum over time counts."""
        return COUNTS[self.unit.kind, query.name]

    def parts(self, query: StreamQuery) -> tuple[Part, ...]:
        """The numbers that a sum over time consists of."""
        return self.count(query).parts(query.options)

    @property
    def factor(self) -> Factor:
        """The weighted sums that get Gaussian noise."""
        return factor_of(self.horizon)

    def epsilons(self, query: StreamQuery) -> tuple[Fraction, ...]:
        """What every part may cost on each level of the tree: in proportion to its weight and to what a unit moves."""
        asked = [part.weight * part.moves for part in self.parts(query)]
        whole = query.epsilon / (query.tree.height * sum(asked))
        return tuple(whole * one for one in asked)

    def rates(self, query: StreamQuery) -> tuple[Fraction, ...]:
        """The rate of the noise of every block, part by part."""
        moved = self.sensitivities(query)
        return tuple(epsilon / one for epsilon, one in zip(self.epsilons(query), moved, strict=True))

    def sensitivities(self, query: StreamQuery) -> tuple[int, ...]:
        """By how much one unit moves the changes of every part: one event, or a friendship with all its changes."""
        times = self.unit.edges * (self.changes if self.per_friendship else 1)
        return tuple(times * part.moves for part in self.parts(query))

    def rhos(self, query: StreamQuery) -> tuple[Fraction, ...]:
        """What every part may cost in zCDP."""
        assert query.rho is not None
        asked = [part.weight**2 * part.squared for part in self.parts(query)]
        whole = query.rho / sum(asked)
        return tuple(whole * one for one in asked)

    def squared_sensitivities(self, query: StreamQuery) -> tuple[int, ...]:
        """The squared length of what one unit moves in the rows of the factor, part by part."""
        times = self.unit.edges**2 * self.factor.squared_length
        return tuple(times * part.squared for part in self.parts(query))

    def variances(self, query: StreamQuery) -> tuple[Fraction, ...]:
        """The variance parameter of the Gaussian noise of every row, part by part."""
        squared = self.squared_sensitivities(query)
        return tuple(one / (2 * rho) for one, rho in zip(squared, self.rhos(query), strict=True))

    def guarantee(self, query: StreamQuery) -> Guarantee:
        """What all answers of a sum over time promise together."""
        by_edge, delta, epsilon = self.unit.kind is Kind.EDGE, Fraction(0), query.epsilon
        if query.rho is not None:
            epsilon, delta = concentrated_to_approximate(Concentrated(query.rho), self.delta).epsilon, self.delta
        event = epsilon / self.changes if self.per_friendship else epsilon
        words = (
            f"all answers to {query.name} over all periods lose epsilon together",
            self.unit_words,
            *self.trusted(query),
            *(("the set of people of every period is public",) if by_edge else ()),
            "periods are published on a public calendar, and how often does not depend on the data",
        )
        friendship = event * self.changes / self.unit.edges if by_edge else epsilon
        return Guarantee(
            self.unit,
            Trust.CENTRAL,
            epsilon,
            delta,
            relationship_epsilon=friendship,
            by_event=friendship > epsilon,
            assumes=words,
            proof=f"mechanisms.sums.{query.method}",
        )

    def trusted(self, query: StreamQuery) -> tuple[str, ...]:
        """What a sum over time relies on that nothing enforces, in words, and what follows where it fails."""
        if not self.count(query).trusting:
            return ()
        bound = query.options["max_degree"]
        less = f"a person with l friends who make more is protected less: they move the answers by {bound} + l"
        return (f"nobody ever makes more than {bound} friends; {less}, not {bound}",)

    @property
    def unit_words(self) -> str:
        """What is protected, in words."""
        if self.unit.kind is Kind.NODE:
            return "the unit is one person over all time: once named, they stay in what is counted"
        if self.changes == 1:
            return "the unit is one friendship over all time: once seen, it stays in what is counted"
        if self.per_friendship:
            return f"the unit is one friendship over all time: changes of it after {self.changes} are ignored"
        return (
            "the unit is one edge event: that a friendship appears, or that it disappears; a friendship over all time "
            f"loses {self.changes} epsilon, since changes of it after {self.changes} are ignored"
        )

    @property
    def loss_words(self) -> str:
        """What all queries cost together, and whom."""
        epsilon, delta = self.spent
        text = f"epsilon {text_up(epsilon)}{f' at delta {text_up(delta)}' if delta else ''}"
        if not self.by_event:
            return text
        return (
            f"up to epsilon {text_up(self.friendship_epsilon)} for a friendship over all time, which is the number to "
            f"tell people, and {text} for one change of it (that it begins or that it ends)"
        )

    @property
    def what(self) -> str:
        """What the ledger shows for the stream."""
        queries = ", ".join(f"{query.name} ({query.method})" for query in self.queries)
        text = f"stream {self.id}: {queries}, {self.horizon} periods"
        times = self.friendship_epsilon / self.spent[0] if self.by_event else Fraction(1)
        return f"{text}; {COMES_AND_GOES} {text_up(times)} times this" if self.by_event else text

    def to_json(self) -> dict[str, Any]:
        """The terms as plain data, epsilons as exact texts."""
        return {
            "id": self.id,
            "dataset": self.dataset,
            "unit": str(self.unit),
            "per_friendship": self.per_friendship,
            "changes": self.changes,
            "horizon": self.horizon,
            "delta": str(self.delta),
            "queries": [query.to_json() for query in self.queries],
            "people": self.people,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> StreamSpec:
        """Return what `to_json` wrote, with exact numbers."""
        queries = tuple(StreamQuery.from_json(query) for query in document["queries"])
        exact = {"unit": Unit.parse(document["unit"]), "delta": Fraction(document["delta"]), "queries": queries}
        return cls(**{**document, **exact})
