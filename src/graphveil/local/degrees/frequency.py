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
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

import numpy as np

from graphveil.arrays import Bytes, Floats, Integers
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.estimation.bins import DegreeBins, degree_bins, loose_bound
from graphveil.local.lists import Lists
from graphveil.local.payloads import number_bits, pack_numbers, packed_rows, unpack_numbers
from graphveil.local.protocol import Cost, Estimate, Received, RoundContext, Transcript
from graphveil.local.randomizers import Answer, AnyTwoValues
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import KaryResponse, Response, norm_sub
from graphveil.mechanisms.unary import OptimalUnary, SymmetricUnary, UnaryResponse

BLOCK = 256  # reports whose bits are counted at once


class BinChannel(Protocol):
    """A randomizer of bins: how "which bin is your degree in?" is answered, written down and counted."""

    @property
    def response(self) -> Response:
        """The law of an answer."""
        ...

    @property
    def bits(self) -> int:
        """The size of a report."""
        ...

    def count(self, batch: Any) -> Integers:
        """How many reports speak for each bin."""
        ...

    def pack(self, batch: Any) -> list[bytes]:
        """Each report as bytes, one payload for each person."""
        ...

    def unpack(self, payloads: Sequence[bytes]) -> Any:
        """The reports behind payloads; any that the response can give is accepted."""
        ...


@dataclass(frozen=True, slots=True)
class BinBits(AnyTwoValues):
    """A report is one bit for each bin; a batch holds them eight to a byte."""

    response: UnaryResponse

    @property
    def epsilon(self) -> Fraction:
        """The loss of the response."""
        return Answer(self.response).epsilon

    @property
    def bits(self) -> int:
        """One bit for each bin."""
        return self.response.n_values

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Bytes:
        """A row of bits for each bin."""
        return np.concatenate([np.packbits(rows, axis=1) for rows in Answer(self.response).draw_parts(exact, noise)])

    def count(self, batch: Bytes) -> Integers:
        """How many people set each bit."""
        counts = np.zeros(self.bits, dtype=np.int64)
        for start in range(0, len(batch), BLOCK):
            counts += np.unpackbits(batch[start : start + BLOCK], axis=1, count=self.bits).sum(axis=0, dtype=np.int64)
        return counts

    def pack(self, batch: Bytes) -> list[bytes]:
        """The bits as they are."""
        return [row.tobytes() for row in batch]

    def unpack(self, payloads: Sequence[bytes]) -> Bytes:
        """The bits behind payloads, eight to a byte; any bits are accepted."""
        return packed_rows(payloads, self.bits)


@dataclass(frozen=True, slots=True)
class BinNumber(AnyTwoValues):
    """A report is the number of a bin."""

    response: KaryResponse

    @property
    def epsilon(self) -> Fraction:
        """The loss of the response."""
        return Answer(self.response).epsilon

    @property
    def bits(self) -> int:
        """Enough for the number of a bin."""
        return number_bits(self.response.n_values)

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        """A bin for each bin."""
        drawn: Integers = Answer(self.response).draw(people, exact, noise)
        return drawn

    def count(self, batch: Integers) -> Integers:
        """How many people report each bin."""
        return self.response.count(batch)

    def pack(self, batch: Integers) -> list[bytes]:
        """The number of each reported bin."""
        return pack_numbers(batch, self.response.n_values)

    def unpack(self, payloads: Sequence[bytes]) -> Integers:
        """The bins behind payloads; any bin is accepted."""
        return unpack_numbers(payloads, self.response.n_values)


class FrequencyOracle:
    """What the three protocols share: bins, a channel for the bin of a degree, counts, norm-sub."""

    __slots__ = ()

    def _public_bound(self: Any) -> int:
        return loose_bound(self.n_people)

    @property
    def bins(self: Any) -> DegreeBins:
        """The bins asked about; every degree its own at a ratio of 1."""
        return degree_bins(self.max_degree, self.singles, self.ratio)

    def exact(self: Any, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The bin of everybody's degree."""
        return {"degree": self.bins.place(lists.degrees)}

    def pack(self: Any, context: RoundContext, people: Integers, batch: Any) -> list[bytes]:
        """Each report as the channel writes it."""
        channel: BinChannel = self.randomizer
        return channel.pack(batch)

    def unpack(self: Any, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Any:
        """The reports behind payloads; any that the channel can draw is accepted."""
        return self.randomizer.unpack(payloads)

    def shares(self: Any, transcript: Transcript) -> Floats:
        """Unbiased share of each bin; may be negative."""
        (received,) = transcript.received
        return _shares(self.randomizer, self.report_counts(received), len(received.people))

    def report_counts(self: Any, received: Received) -> Integers:
        """How many reports speak for each bin."""
        channel: BinChannel = self.randomizer
        return channel.count(received.batch)

    def conclude(self: Any, counts: Integers, n_reports: int) -> Estimate:
        """The shares of all bins, made a distribution by norm-sub and spread over the degrees of each bin."""
        std = np.full(self.bins.n_bins, math.sqrt(self.variance()))
        shares = norm_sub(_shares(self.randomizer, counts, n_reports))
        return Estimate(self.bins.spread_evenly(shares), self.bins.spread_evenly(std))

    def estimate(self: Any, transcript: Transcript) -> Estimate:
        """From the counts of all reports."""
        (received,) = transcript.received
        return FrequencyOracle.conclude(self, self.report_counts(received), len(received.people))

    def variance(self: Any) -> float:
        """Of the unbiased share of a bin that nobody is in; what makes shares a distribution only lowers it."""
        channel: BinChannel = self.randomizer
        return channel.response.variance(self.n_people) / int(self.n_people) ** 2

    def cost(self: Any) -> Cost:
        """As many bits up as a report of the channel has, nothing down."""
        return Cost(self.randomizer.bits)


def _shares(channel: BinChannel, counts: Integers, n_reports: int) -> Floats:
    return channel.response.estimate(counts, n_reports) / n_reports


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalUnaryDegrees(FrequencyOracle, DegreeProtocol):
    """OUE: the true degree's bit is an even coin, others are rarely set.

    >>> OptimalUnaryDegrees(epsilon=1, n_people=4039).max_degree
    1260
    """

    name: ClassVar[str] = "oue"

    singles: int = 8
    ratio: Fraction = Fraction(1)

    @property
    def randomizer(self) -> BinBits:
        """How a bin is answered."""
        return BinBits(OptimalUnary(epsilon=self.epsilon, n_values=self.bins.n_bins))


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetricUnaryDegrees(FrequencyOracle, DegreeProtocol):
    """SUE: every bit is flipped with the same probability."""

    name: ClassVar[str] = "sue"

    singles: int = 8
    ratio: Fraction = Fraction(1)

    @property
    def randomizer(self) -> BinBits:
        """How a bin is answered."""
        return BinBits(SymmetricUnary(epsilon=self.epsilon, n_values=self.bins.n_bins))


@dataclass(frozen=True, slots=True, kw_only=True)
class KaryDegrees(FrequencyOracle, DegreeProtocol):
    """GRR: the true degree with some probability, else any other."""

    name: ClassVar[str] = "grr"

    singles: int = 8
    ratio: Fraction = Fraction(1)

    @property
    def randomizer(self) -> BinNumber:
        """How a bin is answered."""
        return BinNumber(KaryResponse(epsilon=self.epsilon, n_values=self.bins.n_bins))
