"""What RNL and LF-GDPR share: one round of randomised answers, and a collector that looks at the whole matrix.

Sensitivity: every pair has one owner, who answers for it by randomised response; one entry of a list changes one answer
at most. A noisy degree, where there is one, changes by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ReportRefused
from graphveil.local.lists import Lists
from graphveil.local.losses import ANSWERED_ROLES, Message, Messages, Role, RolePairs
from graphveil.local.memory import report_bytes
from graphveil.local.messages import Reason
from graphveil.local.pairs.dense import BitMatrix, check_size, matrix_bytes
from graphveil.local.pairs.noisy_graph import join_replies
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.replies import LazyReplies, OwnPairs, PairAnswers, Replies, unpack_replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Cost, LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.randomizers import AddedLaplace
from graphveil.privacy.unit import Kind

DEGREE_BYTES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Noisy degrees, where they are sent, and answers about pairs."""

    degrees: Integers | None
    replies: Replies | LazyReplies


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseProtocol(LocalProtocol):
    """A protocol of one round whose collector writes out the whole noisy matrix."""

    unit: ClassVar[str] = "edge"

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_size(self.name, self.n_people)
        _ = self.response

    @property
    def pair_epsilon(self) -> Fraction:
        """The epsilon of an answer: all of it, where no degree is sent."""
        return self.epsilon

    @property
    def degree_epsilon(self) -> Fraction:
        """What the degree gets; nothing where it is not sent."""
        return self.epsilon - self.pair_epsilon

    @property
    def response(self) -> PairResponse:
        """How a pair is answered for."""
        return PairResponse(self.pair_epsilon)

    @property
    def owners(self) -> PairOwners:
        """Every pair is answered for once, by one of its ends."""
        return PairOwners(self.n_people, Fraction(1))

    @property
    def memory_bytes(self) -> int:
        """Reports, and the noisy matrix twice: a bit for each pair, then for both of its ends."""
        return report_bytes(self.n_people, 1, self.cost().upload_bits_per_user) + 2 * matrix_bytes(self.n_people)

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """A degree, where it is sent, and answers about the pairs that a person owns."""
        answers = Message("pairs", PairAnswers(self.pair_epsilon), ANSWERED_ROLES)
        degree = (Message("degree", AddedLaplace(self.degree_epsilon)),) if self.degree_epsilon else ()
        return Messages(Kind.EDGE, (*degree, answers))

    @property
    def role_pairs(self) -> RolePairs:
        """One end of every pair answers for it; numbers on the roster say which."""
        return frozenset({(Role.ANSWERED, Role.NEITHER)})

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """A degree, where it is sent, and the pairs that a person owns."""
        degree = {"degree": lists.degrees} if self.degree_epsilon else {}
        return {**degree, "pairs": OwnPairs(lists, self.owners)}

    def batch(self, context: RoundContext, people: Integers, choices: Integers, drawn: dict[str, Any]) -> Answers:
        """Both parts of a report."""
        return Answers(drawn.get("degree"), drawn["pairs"])

    def pack(self, context: RoundContext, people: Integers, batch: Answers) -> list[bytes]:
        """Eight bytes for a degree, and bits."""
        bits = batch.replies.pack()
        if batch.degrees is None:
            return bits
        heads = (degree.to_bytes(DEGREE_BYTES, "big", signed=True) for degree in batch.degrees.tolist())
        return [head + own for head, own in zip(heads, bits, strict=True)]

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Answers:
        """Read reports back; any degree and any bits can come from an honest client."""
        if self.degree_epsilon == 0:
            return Answers(None, unpack_replies(payloads, people, self.owners))
        if any(len(payload) < DEGREE_BYTES for payload in payloads):
            raise ReportRefused(Reason.MALFORMED, f"a payload starts with {DEGREE_BYTES} bytes of a degree")
        degrees = np.frombuffer(b"".join(payload[:DEGREE_BYTES] for payload in payloads), dtype=">i8")
        rest = [payload[DEGREE_BYTES:] for payload in payloads]
        return Answers(degrees.astype(np.int64), unpack_replies(rest, people, self.owners))

    def matrix(self, transcript: Transcript) -> BitMatrix:
        """All answers; those of absent people are filled in by a public coin."""
        (received,) = transcript.received
        answers = Received(received.people, received.batch.replies)
        return BitMatrix.of(join_replies(answers, self.owners, self.response))

    def cost(self) -> Cost:
        """A bit for each pair a person owns, and a degree."""
        return Cost((self.n_people - 1) / 2 + (64 if self.degree_epsilon > 0 else 0))
