"""Degree distribution from projected noisy degrees (NodeProj, EdgeProj), as GS-LDP's comparison describes them.

Paper      Liu, Cao, Murakami et al. 2022, which we have not read, as used by Fu et al. 2024 in Table 3 and Figure 3
Unit       node; one person's whole friend list
Trust      local
Guarantee  pure epsilon for a list, half of it in each round: the claim holds; 2 epsilon for a friendship
Estimator  the histogram of noisy degrees: far too flat, since the noise grows with the bound
Cost       one bit for each candidate bound, then one number up; the chosen bound down
Differs    our reading of two sentences and of their costs (below); the noise is discrete

Fu et al. say that both spend budget to find a degree bound among K candidates and then add noise according to it, at a
cost of 3K + 1 (NodeProj) and 3K + theta (EdgeProj). Here: round 1 answers "is your degree above theta_k?" for the
candidates 2, 4, 8, ... by randomised response at (epsilon / 2) / K each; the collector takes the theta with the least
estimated error, sum over people of (what is cut off) + theta / (epsilon / 2). Round 2 sends the projected degree plus
noise: NodeProj drops a person above theta (degree 0), EdgeProj drops edges above theta (degree theta).

Sensitivity: K answers at (epsilon / 2) / K each make epsilon / 2 for a list. A projected degree lies in 0..theta, so
discrete Laplace noise of rate (epsilon / 2) / theta makes the other half; theta comes from what was published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.errors import ParameterError
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages
from graphveil.local.payloads import number_bits, pack_bits, pack_numbers, unpack_bits, unpack_numbers
from graphveil.local.protocol import Cost, Estimate, RoundContext, Transcript
from graphveil.local.randomizers import AddedLaplace, BitAnswers
from graphveil.mechanisms.response import BinaryResponse
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.privacy.unit import Kind


class Projection:
    """What both share: two rounds, a bound chosen in between; they differ in how degrees are brought to the bound."""

    __slots__ = ()

    rounds: ClassVar[int] = 2
    why_no_interval: ClassVar[str] = "noisy degrees are counted as they come, which moves shares by an unknown bias"

    @property
    def claim(self: Any) -> PublishedClaim:
        """Node-LDP, which holds in our reading."""
        paper = "Liu et al. 2022, as cited by Fu et al. 2024, Table 3"
        reason = "both rounds are calibrated to the range of what they send, and the bound comes from the first"
        return PublishedClaim(paper, f"{self.name} satisfies epsilon-node-LDP", Verdict.HOLDS, reason, self.epsilon)

    @property
    def candidates(self: Any) -> Integers:
        """Powers of two up to max_degree, and max_degree."""
        powers = 2 ** np.arange(1, max(2, self.max_degree.bit_length()))
        return np.unique(np.append(powers[powers < self.max_degree], self.max_degree))

    @property
    def response(self: Any) -> BinaryResponse:
        """How one question of round 1 is answered."""
        return BinaryResponse(epsilon=self.epsilon / (2 * len(self.candidates)))

    @property
    def randomizer(self: Any) -> BitAnswers:
        """Round 1: an answer for each candidate, all of which may change."""
        return BitAnswers(self.response, len(self.candidates))

    def added(self: Any, bound: int) -> AddedLaplace:
        """Round 2: noise for a degree of 0..bound, which is published; what comes out is cut to that."""
        return AddedLaplace(self.epsilon / 2, sensitivity=bound, low=0, high=bound)

    def messages(self: Any, context: RoundContext, choice: int = 0) -> Messages:
        """An answer for each candidate, then a degree of 0..bound; before a bound is published, the largest."""
        bound = int(context.published[0]) if context.published else self.max_degree
        answers, degree = Message("answers", self.randomizer), Message("projected degree", self.added(bound), round=2)
        return Messages(Kind.NODE, (answers, degree))

    def exact(self: Any, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """Round 1: a bit for each candidate. Round 2: the projected degree."""
        degrees = self.clamped_degrees(lists)
        if context.round == 2:
            return {"projected degree": self.project(degrees, context.published[0])}
        return {"answers": degrees[:, np.newaxis] > self.candidates}

    def pack(self: Any, context: RoundContext, people: Integers, batch: Any) -> list[bytes]:
        """Write a report as bits, then numbers."""
        return pack_bits(batch) if context.round == 1 else pack_numbers(batch, context.published[0] + 1)

    def unpack(self: Any, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Any:
        """Any bits; any degree up to the bound."""
        if context.round == 1:
            return unpack_bits(payloads, len(self.candidates))
        return unpack_numbers(payloads, context.published[0] + 1)

    def publish(self: Any, transcript: Transcript) -> int:
        """The bound with the least estimated error."""
        bits: Bits = transcript.received[0].batch
        above = np.maximum(self.response.estimate(bits.sum(axis=0), len(bits)), 0)
        candidates = self.candidates
        gaps = np.diff(candidates, append=candidates[-1])
        cut_off = np.cumsum((above * gaps)[::-1])[::-1]  # each person above a candidate loses at least the next gap
        return int(candidates[np.argmin(cut_off + len(bits) * candidates / float(self.epsilon / 2))])

    def write_publication(self: Any, round_number: int, publication: int) -> bytes:
        """Write the chosen degree bound as bytes."""
        return publication.to_bytes(4, "big")

    def read_publication(self: Any, round_number: int, data: bytes) -> int:
        """Read the degree bound, which must be one of the candidates."""
        bound = int.from_bytes(data, "big")
        if len(data) != 4 or bound not in self.candidates:
            raise ParameterError("the published bound is not one of the candidates")
        return bound

    def estimate(self: Any, transcript: Transcript) -> Estimate:
        """The histogram of noisy degrees."""
        reports: Integers = transcript.received[1].batch
        shares: Floats = np.bincount(reports, minlength=transcript.published[0] + 1) / len(reports)
        return Estimate(shares, facts={"bound": transcript.published[0]})

    def cost(self: Any) -> Cost:
        """Bits of round 1, a number in round 2 (at most so long), the bound."""
        return Cost(len(self.candidates) + number_bits(self.max_degree + 1), 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProjected(Projection, DegreeProtocol):
    """NodeProj: a person above the bound is dropped."""

    name: ClassVar[str] = "node-proj"

    def project(self, degrees: Integers, bound: int) -> Integers:
        """Degree 0 above the bound."""
        return np.where(degrees > bound, 0, degrees)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeProjected(Projection, DegreeProtocol):
    """EdgeProj: a person above the bound keeps as many friends as it allows."""

    name: ClassVar[str] = "edge-proj"

    def project(self, degrees: Integers, bound: int) -> Integers:
        """The bound itself above the bound."""
        return np.minimum(degrees, bound)
