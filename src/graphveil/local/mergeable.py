"""Protocols whose answer needs only sums over reports, so that reports can be added up wherever they are."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from graphveil.local.lists import Integers
from graphveil.local.protocol import Estimate, Received


@runtime_checkable
class Tallied(Protocol):
    """A page of one round; `estimate` is `conclude` of the tally of all reports, which is that of any parts, added."""

    def tally(self, received: Received) -> Integers:
        """Whole numbers that add up over reports."""
        ...

    def conclude(self, tally: Integers, n_reports: int) -> Estimate:
        """The statistic, from the tally of so many reports."""
        ...
