"""Degree distribution from two kinds of reports and one fit (the default).

Paper      Ye and Barg 2018 (subset selection); Li et al. 2020 (Square Wave); the combination and the fit are our own
Unit       node; one person's whole friend list
Trust      local
Guarantee  pure epsilon for a list, 2 epsilon for a friendship
Estimator  penalised maximum likelihood over logarithmic bins; biased where reports say little; its standard deviation
           is estimated from the curvature, there is no closed form
Cost       5 bytes or fewer up for networks of a million people, nothing down

A public coin, a hash of the person's number, decides who answers which question. Subset selection on the bins is sharp:
it tells neighbouring bins apart as well as distant ones. Square Wave on the logarithm of the degree is blunt but sees
the whole line: it finds tails and quantiles. Each report enters one likelihood with its own probabilities.

Sensitivity. Which channel a person uses does not depend on the list, and either has a worst ratio of at most e^epsilon
between any two degrees (`mechanisms.subset`, `mechanisms.square_wave`). On the logarithmic scale the bound n - 1, which
nobody can pass, costs a few bins only, so no bound has to be guessed. All else is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.local.degrees.channels import SetChannel, WaveChannel
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.estimation.bins import DegreeBins, degree_bins
from graphveil.local.estimation.evidence import Evidence
from graphveil.local.estimation.penalised import averaged_fit
from graphveil.local.estimation.shape import Shape
from graphveil.local.protocol import Cost, Estimate, Received, RoundContext, Transcript
from graphveil.local.randomizers import AnyTwoValues, check_own
from graphveil.mechanisms.noise.person_streams import noise_among, public_words
from graphveil.mechanisms.noise.source import Noise

Mask = NDArray[np.bool_]

SMOOTH = "shares that vary smoothly with the logarithm of the degree; a peak at a single degree is smoothed away"


@dataclass(frozen=True, slots=True, eq=False)
class MixedReports:
    """Reports of both kinds; `in_sets` says who sent which, in the order of the people."""

    in_sets: Mask
    sets: Integers
    waves: Integers


@dataclass(frozen=True, slots=True)
class SetsOrWaves(AnyTwoValues):
    """A set from some people, a place from all others: a public coin each decides, and one person sends one report."""

    sets: SetChannel
    waves: WaveChannel
    set_share: Fraction

    def __post_init__(self) -> None:
        check_own(self.sets)
        check_own(self.waves)

    @property
    def epsilon(self) -> Fraction:
        """The loss of either channel; one person uses one of them."""
        return max(self.sets.epsilon, self.waves.epsilon)

    def in_sets(self, people: Integers) -> Mask:
        """Who is asked for a set: a public coin each."""
        threshold = int(self.set_share * 2**64)
        words = public_words("veil-degrees", people)
        return np.full(len(people), fill_value=True) if threshold == 2**64 else words < np.uint64(threshold)

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> MixedReports:
        """A set or a place for each degree."""
        chosen = self.in_sets(people)
        return MixedReports(
            chosen,
            self.sets.draw(people[chosen], exact[chosen], noise_among(noise, chosen)),
            self.waves.draw(people[~chosen], exact[~chosen], noise_among(noise, ~chosen)),
        )


class TwoKindsOfReports:
    """What both protocols share, at any share of people who are asked for sets."""

    __slots__ = ()

    def __post_init__(self: Any) -> None:
        DegreeProtocol.__post_init__(self)
        if not 0 <= self.set_share <= 1:
            raise ParameterError(f"set_share is a share between 0 and 1, not {self.set_share}")

    @property
    def bins(self: Any) -> DegreeBins:
        """Logarithmic bins up to the largest possible degree."""
        return degree_bins(self.max_degree, self.singles, self.ratio)

    @property
    def sets(self: Any) -> SetChannel:
        """Subset selection on the bins: tells neighbouring bins apart."""
        return SetChannel(self.epsilon, self.bins)

    @property
    def waves(self: Any) -> WaveChannel:
        """Square Wave on the logarithm of the degree: sees the whole line."""
        return WaveChannel(self.epsilon, self.bins, self.places)

    @property
    def randomizer(self: Any) -> SetsOrWaves:
        """Either channel, by a public coin."""
        return SetsOrWaves(self.sets, self.waves, self.set_share)

    def in_sets(self: Any, people: Integers) -> Mask:
        """Who is asked for a set."""
        randomizer: SetsOrWaves = self.randomizer
        return randomizer.in_sets(people)

    def pack(self: Any, context: RoundContext, people: Integers, batch: MixedReports) -> list[bytes]:
        """Bits of a set, or the number of a place."""
        sets, waves = iter(self.sets.pack(batch.sets)), iter(self.waves.pack(batch.waves))
        return [next(sets) if chosen else next(waves) for chosen in batch.in_sets]

    def unpack(self: Any, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> MixedReports:
        """Sets of the right size, places on the line."""
        chosen = self.in_sets(people)
        sets, waves = (list(compress(payloads, mask.tolist())) for mask in (chosen, ~chosen))
        return MixedReports(chosen, self.sets.unpack(sets), self.waves.unpack(waves))

    def evidence(self: Any, received: Received, half: Mask) -> list[Evidence]:
        """What the reports of some of the people say about the bins."""
        reports: MixedReports = received.batch
        return [
            self.sets.evidence(reports.sets[half[reports.in_sets]]),
            self.waves.evidence(reports.waves[half[~reports.in_sets]]),
        ]

    def estimate(self: Any, transcript: Transcript) -> Estimate:
        """The most likely distribution of a likely shape."""
        (received,) = transcript.received
        half = first_half(received.people)
        typical = self.waves.typical_degree(received.batch.waves)
        halves = self.evidence(received, half), self.evidence(received, ~half)
        return fit_degrees(self.bins, self.n_people, *halves, typical)

    def cost(self: Any) -> Cost:
        """The mean over both kinds."""
        sets, waves = self.sets.bits, self.waves.bits
        return Cost(float(self.set_share * sets + (1 - self.set_share) * waves))


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilDegrees(TwoKindsOfReports, DegreeProtocol):
    """Public parameters: the share of people asked for sets, the bins, and the places of the wave.

    >>> protocol = VeilDegrees(epsilon=1, n_people=4039)
    >>> protocol.max_degree, protocol.bins.n_bins, protocol.cost().upload_bits_per_user
    (4038, 33, 21.5)
    """

    name: ClassVar[str] = "veil"

    set_share: Fraction = Fraction(1, 2)
    singles: int = 8
    ratio: Fraction = Fraction(13, 10)
    places: int = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilQuantiles(TwoKindsOfReports, DegreeProtocol):
    """Everybody is asked for a place on the line: better quantiles and tails, blunter single frequencies."""

    name: ClassVar[str] = "veil-quantiles"

    set_share: Fraction = Fraction(0)
    singles: int = 8
    ratio: Fraction = Fraction(13, 10)
    places: int = 512


def fit_degrees(
    bins: DegreeBins, n_people: int, first: Sequence[Evidence], second: Sequence[Evidence], typical: float = 0.0
) -> Estimate:
    """One fit to all reports, of whatever kinds; the two halves of the people settle how smooth.

    `typical` is the mean degree, as far as reports tell it by themselves.
    """
    fit = averaged_fit(Shape(bins, n_people, typical), first, second)
    shares = bins.spread(fit.shares)
    relative = np.repeat(fit.std / np.maximum(fit.shares, 1e-300), bins.widths)
    within = shares - bins.spread_evenly(fit.shares)  # how a bin is spread over its degrees is a guess
    scatter = np.sqrt(np.maximum(shares, 1 / n_people) / n_people)  # of single degrees about a smooth curve
    std = np.sqrt((shares * relative) ** 2 + within**2 + scatter**2)
    return Estimate(shares, std=std, facts={"smoothing": fit.smoothing, "intervals_assume": SMOOTH})


def first_half(people: Integers) -> Mask:
    """A public split of the people in two, for cross-validation."""
    return public_words("veil-halves", people) < np.uint64(2**63)
