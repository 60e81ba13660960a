"""Something that can be audited by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from typing import TypeAlias

from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism

Build: TypeAlias = Callable[[Fraction], Mechanism]


class SubjectKind(StrEnum):
    """What a subject is, and so what an audit of it may find."""

    MECHANISM = "mechanism"  # a building block of this package
    ALGORITHM = "algorithm"  # one of the registry
    REPAIR = "repair"  # a sound step that replaces a refuted one
    PUBLISHED = "published"  # a step as its paper publishes it
    CONTROL = "control"  # a mistake made on purpose, which the auditor must find


class Cost(Enum):
    """What one run costs, and so the most samples an input and the most pairs that an audit takes."""

    BULK = 1_000_000, 1_000  # noise alone, many runs at a call: everything in this package
    CALL = 10_000, 100  # a mechanism of another package that runs once a call

    def __init__(self, samples: int, pairs: int) -> None:
        self.samples = samples
        self.pairs = pairs


@dataclass(frozen=True, slots=True)
class Subject:
    """`build(epsilon)` gives the mechanism that claims epsilon, `pairs()` the neighbouring inputs to try.

    `expected` is what theory says; an audit that finds something else is news. `cost` limits the samples and pairs of a
    subject whose runs cannot be drawn in bulk.
    """

    name: str
    kind: SubjectKind
    summary: str
    build: Build
    pairs: Callable[[], Sequence[Pair]]
    expected: AuditVerdict = AuditVerdict.CONSISTENT
    delta: Fraction = Fraction(0)
    cost: Cost = Cost.BULK
    package: str = ""  # the plug-in that brought it
