"""Degree distribution from one bit a person, whose friend list stays at home.

Paper      none: an example
Unit       node; one person's whole friend list
Trust      local
Guarantee  pure epsilon for a list, 2 epsilon for a friendship
Estimator  biased: shares of people above a border are made to fall, degrees of one bin share it evenly
Cost       one bit up, nothing down

Everybody is asked whether their degree passes one border, which follows from their public number, and answers by
randomised response. Sensitivity: the answer depends on the list through that one bit, and a bit is at most e^epsilon
times as likely under one truth as under the other, whatever else two lists differ in. A friendship stands in two lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.estimation.bins import DegreeBins, degree_bins
from graphveil.local.lists import Lists
from graphveil.local.payloads import pack_bits, unpack_bits
from graphveil.local.protocol import Cost, Estimate, RoundContext, Transcript
from graphveil.local.randomizers import Answer
from graphveil.mechanisms.response import BinaryResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class OneBitDegrees(DegreeProtocol):
    """Borders 1, 2, 4, 8 … up to a public largest degree."""

    name: ClassVar[str] = "one-bit"
    why_no_interval: ClassVar[str] = "what makes shares fall also hides how noisy they were"

    @property
    def bins(self) -> DegreeBins:
        """Degree 0, 1, 2 to 3, 4 to 7 and so on."""
        return degree_bins(self.max_degree, 1, Fraction(2))

    @property
    def response(self) -> BinaryResponse:
        """How a bit is answered."""
        return BinaryResponse(epsilon=self.epsilon)

    @property
    def randomizer(self) -> Answer:
        """What draws the bit of a message, and what it costs for any two lists."""
        return Answer(self.response)

    def borders(self, people: Integers) -> Integers:
        """The bin that each is asked about: whether their degree is in it or above."""
        return 1 + people % (self.bins.n_bins - 1)

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """One exact bit a person; the only step that sees a list. It draws nothing."""
        return {"degree": self.bins.place(self.clamped_degrees(lists)) >= self.borders(lists.people)}

    def pack(self, context: RoundContext, people: Integers, batch: Any) -> list[bytes]:
        """A byte each."""
        return pack_bits(batch[:, np.newaxis])

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Any:
        """Either bit may be; anything else is refused."""
        return unpack_bits(payloads, 1)[:, 0]

    def estimate(self, transcript: Transcript) -> Estimate:
        """Unbiased shares of people at or above each border, made to fall, then their differences."""
        (received,) = transcript.received
        asked, counts = self.borders(received.people), np.ones(self.bins.n_bins)
        for border in range(1, len(counts)):
            answers = received.batch[asked == border]
            share = self.response.estimate(self.response.count(answers), len(answers))[1] / max(1, len(answers))
            counts[border] = np.clip(share, 0, counts[border - 1])
        return Estimate(self.bins.spread_evenly(-np.diff(counts, append=0.0)))

    def cost(self) -> Cost:
        """One bit."""
        return Cost(1)
