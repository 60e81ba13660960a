"""A guarantee, and a claim that somebody published: two types, so that one is never taken for the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact_delta, exact_epsilon
from graphveil.privacy.rounding import round_up, text_up
from graphveil.privacy.unit import Kind, Trust, Unit


class Status(StrEnum):
    """What stands behind a guarantee."""

    PROVED = "proved"
    UNREVIEWED = "unreviewed"  # of a plug-in: nobody here has checked its proof
    CLAIM_REFUTED = "claim-refuted"
    SEEDED = "seeded-no-guarantee"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What a release promises, computed by its algorithm from public parameters.

    `epsilon` is what may differ at once costs: under k-edge privacy, k edges together. `relationship_epsilon` is what
    one undirected edge costs: in the central model epsilon, or a k-th of it under k-edge privacy; more over time, where
    an edge may come and go, and in the local model, where it stands in two friend lists. `assumes` lists the public
    facts the proof relies on; `against` says whom the promise holds against where that is not everybody; `proof` names
    the page that holds it, `package` the other package that brought it, if one did. `of_answer` says that people answer
    a question, so that no list and no relationship is told of; `directed` that lists say whom people point at, so that
    a relationship stands in one of them; `by_event` that epsilon is for one change of an edge over time.
    """

    unit: Unit
    trust: Trust
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    relationship_epsilon: Fraction | None = None
    assumes: tuple[str, ...] = ()
    proof: str = ""
    status: Status = Status.PROVED
    package: str = ""
    against: str = ""
    of_answer: bool = False
    directed: bool = False
    by_event: bool = False

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        exact_delta(self.delta)
        if self.relationship_epsilon is None:
            if self.trust is not Trust.CENTRAL:
                raise ParameterError(f"a {self.trust} guarantee must say what one relationship costs")
            object.__setattr__(self, "relationship_epsilon", self.epsilon)
        if self.package and self.status is Status.PROVED:
            object.__setattr__(self, "status", Status.UNREVIEWED)

    def seeded(self) -> Guarantee:
        """The same, marked as drawn with reproducible noise and therefore worth nothing."""
        return replace(self, status=Status.SEEDED)

    def to_json(self) -> dict[str, Any]:
        """The guarantee as it appears in JSON; losses are rounded up."""
        assert self.relationship_epsilon is not None
        return {
            "unit": str(self.unit),
            "trust": self.trust.value,
            "epsilon": round_up(self.epsilon),
            "delta": round_up(self.delta),
            "relationship_epsilon": round_up(self.relationship_epsilon),
            "assumes": list(self.assumes),
            "proof": self.proof,
            "status": self.status.value,
            "package": self.package or None,
            "against": self.against or None,
        }

    def __str__(self) -> str:
        loss = text_up(self.epsilon)
        if self.delta:
            loss = f"({loss}, {text_up(self.delta)})"
        text = f"{loss}-differential privacy for {self._protected()}, {self.trust} model"
        if self.against:
            text += f", against {self.against}"
        if self.package:
            text += f"; {Status.UNREVIEWED} (package {self.package})"
        sound = self.status in (Status.PROVED, Status.UNREVIEWED)
        return text if sound else f"NO GUARANTEE ({self.status}): would be {text}"

    def _protected(self) -> str:
        """What may differ. Locally it is only what one person reports: others report their friendship to them too."""
        assert self.relationship_epsilon is not None
        k = self.unit.edges
        if self.of_answer:
            return "one person's answer to the question"
        if self.trust is not Trust.CENTRAL:
            entries = f"{'one entry' if k == 1 else f'any {k} entries'} of one person's list"
            listed = "one person's own list" if self.unit.kind is Kind.NODE else entries
            shared = "a relationship, which stands" if k == 1 else f"any {k} relationships, which stand"
            lists = "one list alone" if self.directed else "two lists"
            return f"{listed} (epsilon {text_up(self.relationship_epsilon)} for {shared} in {lists})"
        if self.unit.kind is Kind.NODE:
            return "one person with all their edges"
        if self.unit.kind is Kind.RECORD:
            return "one person's edges, label and features"
        if self.by_event:
            over_time = f"(epsilon {text_up(self.relationship_epsilon)} for a friendship over all time)"
            return f"{'one change of an edge' if k == 1 else f'any {k} changes of edges'} {over_time}"
        return "one edge" if k == 1 else f"any {k} edges"


class Verdict(StrEnum):
    """What checking a published claim showed."""

    HOLDS = "holds"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class PublishedClaim:
    """A privacy claim as a paper states it, and what we found; `true_epsilon` is None where no finite one exists."""

    paper: str
    statement: str
    verdict: Verdict
    reason: str
    true_epsilon: Fraction | None
