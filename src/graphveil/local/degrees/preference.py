"""Degree distribution when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge at least; the whole list for whoever picks a node strength
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  one penalised maximum likelihood fit in which each report has the probabilities of its own strength
Cost       one byte for the choice, and the report

A campaign offers strengths such as node:1/2 or edge:1. People who pick a node strength answer as in `veil_degrees`,
those who pick an edge strength as in `noisy_degrees`. A report made under a larger epsilon is sharper and so moves the
fit more: the likelihood weighs reports by what they are worth, no weights have to be set.

Sensitivity: each report goes through a channel whose worst ratio is at most e^epsilon of the strength picked. The
choice is sent in the clear, so it must not be made to depend on the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError, ReportRefused
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.degrees.veil import VeilDegrees, first_half, fit_degrees
from graphveil.local.lists import Lists
from graphveil.local.losses import Messages
from graphveil.local.messages import Reason
from graphveil.local.protocol import Cost, Estimate, LocalProtocol, Received, RoundContext, Transcript
from graphveil.privacy.loss import exact_epsilon

IN_THE_CLEAR = "the choice of strength is sent in the clear, is public and does not depend on the list"


@dataclass(frozen=True, slots=True, eq=False)
class ChosenReports:
    """Who picked what, and the reports of those who picked each strength, in the order of the people."""

    choices: Integers
    batches: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredDegrees(LocalProtocol):
    """Public parameters: the strengths on offer, of which `epsilon` is the largest; by default half of it too.

    >>> protocol = PreferredDegrees(epsilon=1, n_people=100, strengths=("node:1/2", "node:1", "edge:1"))
    >>> [(str(g.unit), float(g.epsilon), float(g.relationship_epsilon)) for g in protocol.guarantees]
    [('node', 0.5, 1.5), ('node', 1.0, 2.0), ('edge', 1.0, 2.0)]
    """

    statistic: ClassVar[str] = "degree-distribution"
    name: ClassVar[str] = "preference"
    unit: ClassVar[str] = "edge"

    strengths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if not self.strengths:
            offered = (f"node:{self.epsilon / 2}", f"node:{self.epsilon}", f"edge:{self.epsilon}")
            object.__setattr__(self, "strengths", offered)
        check_offer(self.strengths, [(protocol.unit, protocol.epsilon) for protocol in self.offered])
        check_largest(max(protocol.epsilon for protocol in self.offered), self.epsilon)

    @property
    def offered(self) -> tuple[VeilDegrees | NoisyDegrees, ...]:
        """How each strength is answered."""
        return tuple(_protocol(strength, self.n_people) for strength in self.strengths)

    @property
    def n_strengths(self) -> int:
        """As many as are on offer."""
        return len(self.strengths)

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """The report that the strength asks for, under its own unit; the choice does not depend on the list."""
        return self.offered[choice].messages(context)

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """As for the protocol of the strength; and the choice is public."""
        return (*self.offered[choice].assumes(), IN_THE_CLEAR)

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The degree of everybody, whatever they picked."""
        return {"degree": lists.degrees}

    def batch(self, context: RoundContext, people: Integers, choices: Integers, drawn: dict[str, Any]) -> ChosenReports:
        """The choices, and the reports of those who picked each strength."""
        reports = drawn["degree"]
        return ChosenReports(choices, reports if isinstance(reports, tuple) else (reports,))

    def pack(self, context: RoundContext, people: Integers, batch: ChosenReports) -> list[bytes]:
        """The choice, then the report."""
        packed = [
            iter(protocol.pack(context, people[batch.choices == k], reports))
            for k, (protocol, reports) in enumerate(zip(self.offered, batch.batches, strict=True))
        ]
        return [bytes([choice]) + next(packed[choice]) for choice in batch.choices]

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> ChosenReports:
        """A strength that is on offer, and a report that fits it."""
        if any(not payload or payload[0] >= len(self.strengths) for payload in payloads):
            raise ReportRefused(Reason.MALFORMED, f"a payload starts with a choice of 0..{len(self.strengths) - 1}")
        choices = np.array([payload[0] for payload in payloads], dtype=np.int64)
        batches = []
        for k, protocol in enumerate(self.offered):
            own = [payload[1:] for payload in payloads if payload[0] == k]
            batches.append(protocol.unpack(context, people[choices == k], own))
        return ChosenReports(choices, tuple(batches))

    def estimate(self, transcript: Transcript) -> Estimate:
        """One fit to all reports; the facts state the mix."""
        (received,) = transcript.received
        reports: ChosenReports = received.batch
        halves: tuple[list[Any], list[Any]] = ([], [])
        typical = 0.0
        for k, (protocol, batch) in enumerate(zip(self.offered, reports.batches, strict=True)):
            people = received.people[reports.choices == k]
            half, own = first_half(people), Received(people, batch)
            for evidence, side in zip(halves, (half, ~half), strict=True):
                evidence.extend(protocol.evidence(own, side))
            if isinstance(protocol, VeilDegrees):
                typical = max(typical, protocol.waves.typical_degree(batch.waves))
        fitted = fit_degrees(self.offered[0].bins, self.n_people, *halves, typical)
        mix = np.bincount(reports.choices, minlength=len(self.strengths)).tolist()
        return replace(fitted, facts={**fitted.facts, "mix": dict(zip(self.strengths, mix, strict=True))})

    def cost(self) -> Cost:
        """The mean over the strengths, as if equally many picked each."""
        return Cost(8 + float(np.mean([protocol.cost().upload_bits_per_user for protocol in self.offered])))


def check_offer(strengths: Sequence[str], meant: Sequence[object]) -> None:
    """Refuse an offer that is too long or names one strength twice, in whatever words."""
    if not 1 <= len(strengths) <= 16 or len(set(meant)) != len(meant):
        raise ParameterError(f"1 to 16 different strengths can be offered, not {', '.join(strengths)[:100]}")


def _protocol(strength: str, n_people: int) -> VeilDegrees | NoisyDegrees:
    unit, _, epsilon = strength.partition(":")
    if unit not in ("node", "edge"):
        raise ParameterError(f"a strength reads node:EPSILON or edge:EPSILON, not {strength!r}")
    protocol = VeilDegrees if unit == "node" else NoisyDegrees
    return protocol(epsilon=exact_epsilon(epsilon), n_people=n_people)


def check_largest(largest: Fraction, epsilon: Fraction) -> None:
    """Refuse a campaign whose epsilon is not that of its weakest promise."""
    if largest != epsilon:
        raise ParameterError(f"epsilon is that of the largest strength on offer: {largest}, not {epsilon}")
