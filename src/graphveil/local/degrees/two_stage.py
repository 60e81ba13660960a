"""Degree distribution in two stages: a noisy group number, then the place within the group.

Paper      Fu et al. 2024, Algorithm 1, with its group number made private; responses of Wang et al. 2017
Unit       node; one person's whole friend list
Trust      local
Guarantee  pure epsilon for a list, 2 epsilon for a friendship
Estimator  counts are unbiased; norm-sub then projects them on the distributions
Cost       a number and `group_width` bits up, nothing down
Differs    the group is sent by k-ary response; if it comes out wrong, the place is sent as no place at all

The closest honest relative of Algorithm 1, kept to show what its idea costs once the group number is protected: most
people's places are lost with their groups.

Sensitivity. The group is answered with odds e^a for the true one; the place by OUE with epsilon b if the answer is the
true group, else by OUE of an empty row. For two degrees of one group: e^b, when the answer is that group. For two
groups, the worst answer is the true group of one of them: e^a times the largest ratio of OUE rows of a place and of
nothing, (1/2) / (1 / (e^b + 1)). So epsilon = max(b, a + ln((1 + e^b) / 2)), less than a + b. We take the b up to
epsilon with the least variance, and a = epsilon - ln((1 + e^b) / 2), rounded down: if epsilon is small, b is all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Floats, Integers
from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.estimation.bins import loose_bound
from graphveil.local.payloads import check_lengths, number_bits, pack_bits, pack_numbers, unpack_bits, unpack_numbers
from graphveil.local.protocol import Cost, Estimate, RoundContext, Transcript
from graphveil.local.randomizers import AnyTwoValues, check_own
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins
from graphveil.mechanisms.noise.person_streams import in_parts
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import KaryResponse, norm_sub
from graphveil.mechanisms.unary import OptimalUnary
from graphveil.privacy.rounding import exp_bounds, log_up


def left_for_group(epsilon: Fraction, place: Fraction) -> Fraction:
    """What remains of epsilon after ln((1 + e^place) / 2), a little less so that rounding never spends more."""
    _, high = exp_bounds(place, bits=120)
    half = (1 + high) / 2
    left = (epsilon - log_up(half)).limit_denominator(10**12) - Fraction(1, 10**12)
    if left <= 0:
        raise ParameterError(f"epsilon {float(epsilon):.3g} is too small to be split between two stages")
    return left


@lru_cache(maxsize=256)
def best_place_epsilon(epsilon: Fraction, n_groups: int) -> Fraction:
    """Least q (1 - q) / ((p - q) P)^2, the variance of a share up to a constant."""

    def variance(place: Fraction) -> float:
        b = float(place)
        a = float(epsilon) - np.logaddexp(0, b) + math.log(2)
        return float(-b - 2 * np.log1p(-np.exp(-b)) + 2 * np.log1p((n_groups - 1) * np.exp(-a)))

    return min((epsilon * k / 16 for k in range(1, 17)), key=variance)


@dataclass(frozen=True, slots=True, eq=False)
class StagedReports:
    """Noisy group numbers, and a row of bits for the places of each."""

    groups: Integers
    bits: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TwoStages(AnyTwoValues):
    """The group by k-ary response, then the place by OUE, or no place where the group came out wrong.

    Its epsilon holds for any two degrees; responses that together cost more are refused.
    """

    epsilon: Fraction
    group: KaryResponse
    place: OptimalUnary

    def __post_init__(self) -> None:
        check_own(self.group)
        check_own(self.place)
        low, _ = exp_bounds(self.epsilon, bits=80)
        if self.worst_ratio > low:
            raise GuaranteeMismatch(f"group and place together cost more than epsilon {self.epsilon}")

    @property
    def worst_ratio(self) -> Fraction:
        """The largest ratio between the probabilities of one report under two degrees."""
        place, group = self.place, self.group.worst_ratio
        either = place.keep_probability / place.flip_probability  # of rows of a place and of nothing, bit set
        neither = (1 - place.flip_probability) / (1 - place.keep_probability)  # the other way round, bit not set
        return max(place.worst_ratio, group * either, neither / group)

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> StagedReports:
        """A group and a row of bits for each degree."""
        groups, places = np.divmod(exact, self.place.n_values)
        parts = [
            self._draw_part(groups[part], places[part], part_noise)
            for part, part_noise in in_parts(noise, len(groups), self.place.n_values)
        ]
        return StagedReports(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _draw_part(self, groups: Integers, places: Integers, noise: Noise) -> tuple[Integers, NDArray[np.bool_]]:
        noisy = self.group.perturb(groups, noise)
        rows = self.place.perturb(places, noise)
        empty = flip_coins(noise, int(self.place.flip_probability * GRID), len(groups))
        wrong = noisy != groups
        rows[wrong, places[wrong]] = empty[wrong]
        return noisy, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStageDegrees(DegreeProtocol):
    """Public parameters: how many degrees a group has (L in the paper).

    >>> protocol = TwoStageDegrees(epsilon=1, n_people=4039)
    >>> protocol.n_groups, protocol.place_epsilon, round(float(protocol.group_epsilon), 4)
    (127, Fraction(1, 1), 0.3799)
    """

    name: ClassVar[str] = "two-stage"

    group_width: int = 10

    def __post_init__(self) -> None:
        DegreeProtocol.__post_init__(self)
        if not 2 <= self.group_width <= self.max_degree:
            raise ParameterError(
                f"group_width must be at least 2 and at most max_degree, which is {self.max_degree} here, not "
                f"{self.group_width}: change it, or ask more people"
            )

    def _public_bound(self) -> int:
        return loose_bound(self.n_people)

    @property
    def n_groups(self) -> int:
        """How many groups of degrees there are up to max_degree."""
        return self.max_degree // self.group_width + 1

    @property
    def place_epsilon(self) -> Fraction:
        """b, the sixteenth of epsilon with the least variance."""
        return best_place_epsilon(self.epsilon, self.n_groups)

    @property
    def group_epsilon(self) -> Fraction:
        """a, what is left for the group number."""
        return left_for_group(self.epsilon, self.place_epsilon)

    @property
    def group_response(self) -> KaryResponse:
        """How the group is sent."""
        return KaryResponse(epsilon=self.group_epsilon, n_values=self.n_groups)

    @property
    def place_response(self) -> OptimalUnary:
        """How the place is sent."""
        return OptimalUnary(epsilon=self.place_epsilon, n_values=self.group_width)

    @property
    def randomizer(self) -> TwoStages:
        """Both stages, at epsilon together."""
        return TwoStages(self.epsilon, self.group_response, self.place_response)

    def pack(self, context: RoundContext, people: Integers, batch: StagedReports) -> list[bytes]:
        """The group's number, then the bits."""
        groups, bits = pack_numbers(batch.groups, self.n_groups), pack_bits(batch.bits)
        return [group + row for group, row in zip(groups, bits, strict=True)]

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> StagedReports:
        """A group there is, and any bits."""
        head = len(pack_numbers(np.zeros(1, dtype=np.int64), self.n_groups)[0])
        check_lengths(payloads, head + (self.group_width + 7) // 8)
        groups = unpack_numbers([payload[:head] for payload in payloads], self.n_groups)
        return StagedReports(groups, unpack_bits([payload[head:] for payload in payloads], self.group_width))

    def shares(self, transcript: Transcript) -> Floats:
        """Unbiased share of each degree: (z_vj - n_v q) / (n (p - q) P), P the chance of the right group."""
        ones, reports, scale = self._tallied(transcript)
        return np.asarray((ones - float(self.place_response.flip_probability) * reports) / scale)

    def deviations(self, transcript: Transcript) -> Floats:
        """Of those: a bit of group v adds (bit - q)^2 to the variance at most, z_vj (1 - 2 q) + n_v q^2 in all."""
        ones, reports, scale = self._tallied(transcript)
        q = float(self.place_response.flip_probability)
        return np.asarray(np.sqrt(ones * (1 - 2 * q) + q**2 * reports) / scale)

    def _tallied(self, transcript: Transcript) -> tuple[Floats, Floats, float]:
        """For each degree z_vj and n_v; and what one person of that degree adds to z_vj, times all reports."""
        (received,) = transcript.received
        reports: StagedReports = received.batch
        sizes = np.bincount(reports.groups, minlength=self.n_groups)
        ones = np.zeros((self.n_groups, self.group_width))
        np.add.at(ones, reports.groups, reports.bits)
        p, q = self.place_response.keep_probability, self.place_response.flip_probability
        scale = len(received.people) * float((p - q) * self.group_response.keep_probability)
        degrees = slice(self.max_degree + 1)
        return ones.ravel()[degrees], np.repeat(sizes, self.group_width)[degrees].astype(np.float64), scale

    def estimate(self, transcript: Transcript) -> Estimate:
        """The unbiased shares, made a distribution by norm-sub, with the deviations of the former."""
        return Estimate(norm_sub(self.shares(transcript)), std=self.deviations(transcript))

    def variance(self) -> float:
        """Of the unbiased share of a degree in a group that nobody is in."""
        p, q = self.place_response.keep_probability, self.place_response.flip_probability
        right, strays = self.group_response.keep_probability, self.group_response.flip_probability
        return float(strays * q * (1 - q) / (self.n_people * (p - q) ** 2 * right**2))

    def cost(self) -> Cost:
        """The number of a group and its bits."""
        return Cost(number_bits(self.n_groups) + self.group_width)
