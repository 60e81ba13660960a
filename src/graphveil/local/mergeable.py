"""Protocols whose answer needs only sums over reports, so that reports can be added up wherever they are."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from graphveil.arrays import Integers
from graphveil.local.protocol import Estimate, Received


@runtime_checkable
class Mergeable(Protocol):
    """A protocol of one round whose `estimate` is `conclude` of counts; counts of parts of the reports add up."""

    def report_counts(self, received: Received) -> Integers:
        """Whole numbers that add up over reports."""
        ...

    def conclude(self, counts: Integers, n_reports: int) -> Estimate:
        """The statistic, from the added counts of so many reports."""
        ...
