"""Degree distribution of GS-LDP (Algorithm 1, NLDP-DD), as published, as a protocol that can be simulated.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithm 1
Unit       node; one person's whole friend list
Trust      local
Guarantee  claimed epsilon, refuted: no epsilon holds across a group border (`grouped_degrees`)
Estimator  unbiased given the group sizes, which travel in the clear; not a distribution, shares may be negative
Cost       the group's number and `group_width` bits up, nothing down
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.lists import Lists
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import Cost, Estimate, RoundContext, Transcript
from graphveil.local.randomizers import AnyTwoValues
from graphveil.mechanisms.noise.person_streams import in_parts
from graphveil.mechanisms.noise.source import Noise
from graphveil.papers.gs_ldp.grouped_degrees import GroupedDegrees
from graphveil.papers.gs_ldp.study_protocol import NeverSent
from graphveil.privacy.guarantee import PublishedClaim


@dataclass(frozen=True, slots=True)
class GroupInTheClear(AnyTwoValues):
    """Algorithm 1 as a message. Its epsilon is what the paper charges, for the encoding; the group goes uncharged."""

    algorithm: GroupedDegrees

    @property
    def epsilon(self) -> Fraction:
        """The loss of the encoding."""
        return self.algorithm.encoding.epsilon

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        """A group number and a row of bits for each degree."""
        parts = in_parts(noise, len(exact), self.algorithm.group_width)
        return np.concatenate([self.algorithm.perturb(exact[part], part_noise) for part, part_noise in parts])


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedDegreeProtocol(NeverSent, DegreeProtocol):
    """Public parameters: how many degrees a group has (L; 10 in the paper's experiments)."""

    name: ClassVar[str] = "gs-ldp"

    group_width: int = 10

    @property
    def claim(self) -> PublishedClaim:
        """The paper's Theorem 3, which is refuted."""
        return GroupedDegrees.claim

    @property
    def algorithm(self) -> GroupedDegrees:
        """The steps of Algorithm 1 with these parameters."""
        return GroupedDegrees(epsilon=self.epsilon, group_width=self.group_width)

    @property
    def randomizer(self) -> GroupInTheClear:
        """Lines 2 to 5 of Algorithm 1."""
        return GroupInTheClear(self.algorithm)

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The degrees as they are."""
        return {"degree": lists.degrees}

    def estimate(self, transcript: Transcript) -> Estimate:
        """Estimate the shares as lines 7 to 13 of Algorithm 1 say."""
        return Estimate(self.algorithm.estimate(transcript.received[0].batch))

    def cost(self) -> Cost:
        """A group number up to (n - 1) / L, and L bits."""
        return Cost(number_bits((self.n_people - 1) // self.group_width + 1) + self.group_width)
