"""Degree distribution by a frequency oracle: every degree is a value of its own.

Paper      Wang, Blocki, Li and Jha 2017 (OUE, and the names); Erlingsson, Pihur and Korolova 2014 (SUE); Kairouz,
           Bonawitz and Ramage 2016 (GRR); Wang et al. 2020 (norm-sub)
Unit       node; one person's whole friend list
Trust      local
Guarantee  pure epsilon for a list, 2 epsilon for a friendship
Estimator  counts are unbiased; norm-sub then projects them on the distributions, which biases small shares upwards
Cost       one bit per degree (OUE, SUE) or one number (GRR) up, nothing down
Differs    degrees above max_degree count as max_degree, by default 20 sqrt(n); bins grow from `singles` on if ratio > 1
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Floats, Integers
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.estimation.bins import DegreeBins, degree_bins, loose_bound
from graphveil.local.lists import Lists
from graphveil.local.payloads import number_bits, pack_numbers, unpack_bits, unpack_numbers
from graphveil.local.protocol import Cost, Estimate, Received, RoundContext, Transcript
from graphveil.mechanisms.noise.person_streams import in_parts
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import KaryResponse, Response, norm_sub
from graphveil.mechanisms.unary import OptimalUnary, SymmetricUnary


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyProtocol(DegreeProtocol):
    """What the three share: a response to "which bin is your degree in?", counts, norm-sub."""

    singles: int = 8
    ratio: Fraction = Fraction(1)

    def _public_bound(self) -> int:
        return loose_bound(self.n_people)

    @property
    def bins(self) -> DegreeBins:
        """The bins asked about; every degree its own at a ratio of 1."""
        return degree_bins(self.max_degree, self.singles, self.ratio)

    @property
    @abstractmethod
    def response(self) -> Response:
        """How a bin is answered."""

    @property
    def report_epsilon(self) -> Fraction:
        """The loss of the response."""
        return self.response.epsilon

    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Any:
        """One report for each person."""
        held, response = self.bins.place(lists.degrees), self.response
        parts = in_parts(noise, len(held), self._words)
        return self._join([response.perturb(held[part], part_noise) for part, part_noise in parts])

    def shares(self, transcript: Transcript) -> Floats:
        """Unbiased share of each bin; may be negative."""
        (received,) = transcript.received
        return self._shares(self.report_counts(received), len(received.people))

    def _shares(self, counts: Integers, n_reports: int) -> Floats:
        return self.response.estimate(counts, n_reports) / n_reports

    def report_counts(self, received: Received) -> Integers:
        """How many reports speak for each bin."""
        return self._count(received.batch)

    def conclude(self, counts: Integers, n_reports: int) -> Estimate:
        """The shares of all bins, made a distribution by norm-sub and spread over the degrees of each bin."""
        std = np.full(self.bins.n_bins, math.sqrt(self.variance()))
        shares = norm_sub(self._shares(counts, n_reports))
        return Estimate(self.bins.spread_evenly(shares), self.bins.spread_evenly(std))

    def estimate(self, transcript: Transcript) -> Estimate:
        """From the counts of all reports."""
        (received,) = transcript.received
        return self.conclude(self.report_counts(received), len(received.people))

    def variance(self) -> float:
        """Of the unbiased share of a bin that nobody is in; what makes shares a distribution only lowers it."""
        return self.response.variance(self.n_people) / self.n_people**2

    @property
    @abstractmethod
    def _words(self) -> int:
        """Random words a person draws at once."""

    @abstractmethod
    def _join(self, batches: list[Any]) -> Any: ...

    @abstractmethod
    def _count(self, batch: Any) -> Integers: ...


class UnaryProtocol(FrequencyProtocol):
    """A report is one bit for each bin; a batch holds them eight to a byte."""

    __slots__ = ()

    @property
    def _words(self) -> int:
        return self.bins.n_bins

    def _join(self, batches: list[NDArray[np.bool_]]) -> NDArray[np.uint8]:
        return np.concatenate([np.packbits(rows, axis=1) for rows in batches])

    def _count(self, batch: NDArray[np.uint8]) -> Integers:
        width = self.bins.n_bins
        counts = np.zeros(width, dtype=np.int64)
        for start in range(0, len(batch), 4096):
            counts += np.unpackbits(batch[start : start + 4096], axis=1, count=width).sum(axis=0, dtype=np.int64)
        return counts

    def pack(self, context: RoundContext, people: Integers, batch: NDArray[np.uint8]) -> list[bytes]:
        """The bits as they are."""
        return [row.tobytes() for row in batch]

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> NDArray[np.uint8]:
        """The bits behind payloads; any bits are accepted."""
        return np.packbits(unpack_bits(payloads, self.bins.n_bins), axis=1)

    def cost(self) -> Cost:
        """One bit for each bin."""
        return Cost(self.bins.n_bins)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalUnaryDegrees(UnaryProtocol):
    """OUE: the true degree's bit is an even coin, others are rarely set.

    >>> OptimalUnaryDegrees(epsilon=1, n_people=4039).max_degree
    1260
    """

    name: ClassVar[str] = "oue"

    @property
    def response(self) -> OptimalUnary:
        """How a bin is answered."""
        return OptimalUnary(epsilon=self.epsilon, n_values=self.bins.n_bins)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetricUnaryDegrees(UnaryProtocol):
    """SUE: every bit is flipped with the same probability."""

    name: ClassVar[str] = "sue"

    @property
    def response(self) -> SymmetricUnary:
        """How a bin is answered."""
        return SymmetricUnary(epsilon=self.epsilon, n_values=self.bins.n_bins)


@dataclass(frozen=True, slots=True, kw_only=True)
class KaryDegrees(FrequencyProtocol):
    """GRR: the true degree with some probability, else any other."""

    name: ClassVar[str] = "grr"

    @property
    def response(self) -> KaryResponse:
        """How a bin is answered."""
        return KaryResponse(epsilon=self.epsilon, n_values=self.bins.n_bins)

    @property
    def _words(self) -> int:
        return 1

    def _join(self, batches: list[Integers]) -> Integers:
        return np.concatenate(batches)

    def _count(self, batch: Integers) -> Integers:
        return self.response.count(batch)

    def pack(self, context: RoundContext, people: Integers, batch: Integers) -> list[bytes]:
        """The number of each reported bin."""
        return pack_numbers(batch, self.bins.n_bins)

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Integers:
        """The bins behind payloads; any bin is accepted."""
        return unpack_numbers(payloads, self.bins.n_bins)

    def cost(self) -> Cost:
        """The number of a bin."""
        return Cost(number_bits(self.bins.n_bins))
