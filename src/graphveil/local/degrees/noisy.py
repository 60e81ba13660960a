"""Degree distribution from noisy degrees, under a promise for single entries of a list.

Paper      Dwork, McSherry, Nissim and Smith 2006 (the noise, here discrete); the fit is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 2 epsilon for a friendship
Estimator  penalised maximum likelihood over logarithmic bins, and the reports themselves inside bins wider than noise
Cost       2 to 3 bytes up, nothing down

Sensitivity: one entry of a list moves its degree by one, so discrete Laplace noise of rate epsilon is enough. Cutting
the noisy degree to 0..n-1 is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Floats, Integers
from graphveil.local.degrees.channels import LaplaceChannel
from graphveil.local.degrees.veil import first_half, fit_degrees
from graphveil.local.estimation.bins import DegreeBins, degree_bins
from graphveil.local.estimation.evidence import Evidence
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages
from graphveil.local.protocol import Cost, Estimate, LocalProtocol, Received, RoundContext, Transcript
from graphveil.mechanisms.staircase import staircase_variance
from graphveil.privacy.unit import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyDegrees(LocalProtocol):
    """Public parameters: the bins of the fit.

    >>> protocol = NoisyDegrees(epsilon=1, n_people=4039)
    >>> protocol.guarantee.relationship_epsilon, protocol.cost().upload_bits_per_user
    (Fraction(2, 1), 12)
    """

    statistic: ClassVar[str] = "degree-distribution"
    name: ClassVar[str] = "veil"
    unit: ClassVar[str] = "edge"

    singles: int = 8
    ratio: Fraction = Fraction(13, 10)

    @property
    def bins(self) -> DegreeBins:
        """Logarithmic bins up to the largest possible degree."""
        return degree_bins(self.n_people - 1, self.singles, self.ratio)

    @property
    def channel(self) -> LaplaceChannel:
        """How a degree is reported."""
        return LaplaceChannel(self.epsilon, self.bins)

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """One noisy degree, which depends on every entry of the list."""
        return Messages(Kind.EDGE, (Message("degree", self.channel.added),))

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The degree of everybody, which one entry changes by one."""
        return {"degree": lists.degrees}

    def pack(self, context: RoundContext, people: Integers, batch: Integers) -> list[bytes]:
        """Each noisy degree as the channel writes it."""
        return self.channel.pack(batch)

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Integers:
        """The noisy degrees behind payloads; any of 0..n-1 is accepted."""
        return self.channel.unpack(payloads)

    def evidence(self, received: Received, half: NDArray[np.bool_]) -> list[Evidence]:
        """What the reports of some of the people say about the bins."""
        return [self.channel.evidence(received.batch[half])]

    def report_counts(self, received: Received) -> Integers:
        """How often each noisy degree came, from either half of the people."""
        half = first_half(received.people)
        return np.stack([np.bincount(received.batch[side], minlength=self.n_people) for side in (half, ~half)])

    def conclude(self, counts: Integers, n_reports: int) -> Estimate:
        """The most likely distribution of a likely shape."""
        first, second = ([self.channel.evidence_of_counts(part)] for part in counts)
        reported = counts.sum(axis=0)
        mean = float(reported @ np.arange(len(reported))) / max(1, n_reports)
        fitted = fit_degrees(self.bins, self.n_people, first, second, mean)
        return replace(fitted, value=self._with_reports(fitted.value, reported))

    def _with_reports(self, fitted: Floats, reports: Integers) -> Floats:
        """The fit, and the reports as they are where bins are wide beside the noise: a shape knows less than they do.

        Somewhere in a bin of width w a degree deviates by w^2 / 12 from the bin's shape, and a report by its variance.
        """
        variance, squares = float(staircase_variance(self.epsilon, [1])[0]), self.bins.widths.astype(np.float64) ** 2
        weight = np.repeat(squares / (squares + 12 * variance), self.bins.widths)
        mixed = (1 - weight) * fitted + weight * reports[: len(fitted)] / max(int(reports.sum()), 1)
        return np.asarray(mixed / mixed.sum())

    def estimate(self, transcript: Transcript) -> Estimate:
        """From the counts of all reports."""
        (received,) = transcript.received
        return self.conclude(self.report_counts(received), len(received.people))

    def cost(self) -> Cost:
        """One number up, nothing down."""
        return Cost(self.channel.bits)
