"""Degree distribution by Square Wave on the logarithm of the degree, with EM and smoothing.

Paper      Li, Wang, Lopuhaä-Zwakenberg, Škorić and Li 2020
Unit       node; one person's whole friend list
Trust      local
Guarantee  pure epsilon for a list, 2 epsilon for a friendship
Estimator  smoothed maximum likelihood; blurs peaks, no closed variance
Cost       2 bytes up, nothing down
Differs    on the logarithm of 1 + degree, up to a public bound of 20 sqrt(n); the wave is the paper's discrete form

Sensitivity: one report through one channel with a worst ratio of at most e^epsilon (`mechanisms.square_wave`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.degrees.channels import place_table
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.estimation.bins import loose_bound
from graphveil.local.estimation.smoothing import degrees_from_places, smoothed_shares
from graphveil.local.lists import Lists
from graphveil.local.payloads import number_bits, pack_numbers, unpack_numbers
from graphveil.local.protocol import Cost, Estimate, Received, RoundContext, Transcript
from graphveil.local.randomizers import Answer
from graphveil.mechanisms.square_wave import SquareWave


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothedWave(DegreeProtocol):
    """Public parameters: how many places the line has.

    >>> SmoothedWave(epsilon=1, n_people=4039).cost()
    Cost(upload_bits_per_user=9, download_bits_per_user=0.0)
    """

    name: ClassVar[str] = "sw-ems"
    why_no_interval: ClassVar[str] = "smoothing moves shares by an unknown bias, which is more than what noise does"

    places: int = 256

    def _public_bound(self) -> int:
        return loose_bound(self.n_people)

    @property
    def wave(self) -> SquareWave:
        """Square Wave on the places of the logarithmic line."""
        return SquareWave(epsilon=self.epsilon, n_values=self.places)

    @property
    def randomizer(self) -> Answer:
        """Square Wave on the place of a degree, which costs epsilon for any two places."""
        return Answer(self.wave)

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The place of everybody's degree on the line."""
        return {"degree": place_table(self.max_degree, self.places)[self.clamped_degrees(lists)]}

    def pack(self, context: RoundContext, people: Integers, batch: Integers) -> list[bytes]:
        """The number of each place in as few bytes as all fit in."""
        return pack_numbers(batch, self.wave.n_reports)

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Integers:
        """The places behind payloads; any place of the line is accepted."""
        return unpack_numbers(payloads, self.wave.n_reports)

    def report_counts(self, received: Received) -> Integers:
        """How often each place came."""
        return np.bincount(received.batch, minlength=self.wave.n_reports)

    def conclude(self, counts: Integers, n_reports: int) -> Estimate:
        """Smoothed shares of the places, handed to the degrees."""
        return Estimate(degrees_from_places(smoothed_shares(self.wave, counts), self.max_degree))

    def estimate(self, transcript: Transcript) -> Estimate:
        """From the counts of all reports."""
        (received,) = transcript.received
        return self.conclude(self.report_counts(received), len(received.people))

    def cost(self) -> Cost:
        """The number of a place."""
        return Cost(number_bits(self.wave.n_reports))
