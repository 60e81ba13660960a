"""How many others people follow, from lists of those they follow.

Paper      those of `local.degrees.veil` and `local.degrees.noisy`; the protocols are the same, the lists are not
Unit       node or edge: one person's whole list, or one entry of it
Trust      local
Guarantee  pure epsilon for a list or an entry, and for a relationship
Estimator  penalised maximum likelihood over logarithmic bins, as for degrees
Cost       a few bytes up, nothing down

Everybody reports from the list of those they follow. That u follows v is an entry of the list of u, and of no other:
nobody is asked who follows them. So a relationship costs what an entry costs, half of what a friendship does. Two
people who follow each other have two relationships, which cost twice as much together. Sensitivity: the length of a
list is the input of the same channels as for degrees, and no proof there uses that lists are mutual.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.degrees.veil import TwoKindsOfReports
from graphveil.local.protocol import PUBLIC_ROSTER
from graphveil.local.statistics import OUT_DEGREES

WHOLE_OUT_LIST = (
    PUBLIC_ROSTER,
    "only whom a person follows is meant; with the entries in the lists of f followers it is (1 + f) epsilon",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilOutDegrees(TwoKindsOfReports, DegreeProtocol):
    """The default: two kinds of reports and one fit.

    >>> guarantee = VeilOutDegrees(epsilon=1, n_people=4039).guarantee
    >>> guarantee.epsilon, guarantee.relationship_epsilon
    (Fraction(1, 1), Fraction(1, 1))
    """

    statistic: ClassVar[str] = OUT_DEGREES
    name: ClassVar[str] = "veil"
    directed: ClassVar[bool] = True

    set_share: Fraction = Fraction(1, 2)
    singles: int = 8
    ratio: Fraction = Fraction(13, 10)
    places: int = 512

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """The public roster, and that a whole list means the person's own."""
        return WHOLE_OUT_LIST


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyOutDegrees(NoisyDegrees):
    """The number of those whom a person follows plus noise, under a promise for single entries.

    >>> NoisyOutDegrees(epsilon=1, n_people=4039).guarantee.relationship_epsilon
    Fraction(1, 1)
    """

    statistic: ClassVar[str] = OUT_DEGREES
    directed: ClassVar[bool] = True
