"""Something that can be audited by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from graphveil.audit.pairs import Pair
from graphveil.audit.result import AuditVerdict
from graphveil.audit.sampling import Mechanism

Build: TypeAlias = Callable[[Fraction], Mechanism]


class SubjectKind(StrEnum):
    """What a subject is."""

    MECHANISM = "mechanism"  # a building block of this package
    ALGORITHM = "algorithm"  # a page of the registry
    REPAIR = "repair"  # a sound step that replaces a refuted one
    PUBLISHED = "published"  # a step as its paper publishes it
    CONTROL = "control"  # a mistake made on purpose, which the auditor must find


@dataclass(frozen=True, slots=True)
class Subject:
    """`build(epsilon)` gives the mechanism that claims epsilon, `pairs()` the neighbouring inputs to try.

    `expected` is what theory says; an audit that finds something else is news. A slow subject runs once a call.
    """

    name: str
    kind: SubjectKind
    summary: str
    build: Build
    pairs: Callable[[], Sequence[Pair]]
    expected: AuditVerdict = AuditVerdict.CONSISTENT
    delta: Fraction = Fraction(0)
    slow: bool = False
