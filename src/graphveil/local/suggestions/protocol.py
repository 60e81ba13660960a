"""A public noisy graph, from which everybody's own device suggests friends.

Paper      Warner 1965 (the response); one end for each pair and suggestions on the device: ours
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry and, since one end answers for each pair, for a friendship
Estimator  the number of friendships is unbiased; suggestions rank people by an unbiased number of friends in common
Cost       (n - 1) / 2 bits up and n (n - 1) / 2 bits down on average

A public rule gives each pair of people one owner, who answers by randomised response whether they are friends. All
answers are published as a graph with many wrong edges. A device then counts, for everybody who is not on its own exact
list, the noisy edges to the people who are (`suggestions.score`). The exact list stays on the device, everybody
fetches the same bytes, and nothing is sent after the answers: suggestions cost nothing and nobody else learns them.

Loss. An entry of a list changes one answer if its person owns the pair and nothing otherwise. A friendship is one entry
of either end's list and only one of them owns the pair, whatever a collector does: the rule depends on nothing that is
published. So both cost the epsilon of one answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.lists import Lists
from graphveil.local.losses import ANSWERED_ROLES, Message, Messages, Role, RolePairs
from graphveil.local.memory import report_bytes
from graphveil.local.pairs.noisy_graph import PairBits, join_replies
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.replies import LazyReplies, OwnPairs, PairAnswers, Replies, unpack_replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Cost, Estimate, LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.suggestions.score import needed_in_common
from graphveil.privacy.unit import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendSuggestions(LocalProtocol):
    """There are no public parameters.

    >>> protocol = FriendSuggestions(epsilon=1, n_people=4039)
    >>> protocol.guarantee.epsilon, protocol.guarantee.relationship_epsilon
    (Fraction(1, 1), Fraction(1, 1))
    """

    statistic: ClassVar[str] = "friend-suggestions"
    name: ClassVar[str] = "veil"
    unit: ClassVar[str] = "edge"
    publishes_at_end: ClassVar[bool] = True

    @property
    def response(self) -> PairResponse:
        """How a pair is answered for."""
        return PairResponse(self.epsilon)

    @property
    def owners(self) -> PairOwners:
        """Who answers for which pair: every pair has one owner, by the numbers on the roster."""
        return PairOwners(self.n_people, Fraction(1))

    def check_messages(self) -> None:
        """Refuse an epsilon with which an answer about a pair says nothing."""
        LocalProtocol.check_messages(self)
        self.response  # noqa: B018 - refuses

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """The answers about the pairs that a person owns."""
        return Messages(Kind.EDGE, (Message("pairs", PairAnswers(self.epsilon), ANSWERED_ROLES),))

    @property
    def role_pairs(self) -> RolePairs:
        """One end answers for the pair, the other does not."""
        return frozenset({(Role.ANSWERED, Role.NEITHER)})

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """Everybody's list and the pairs that they own."""
        return {"pairs": OwnPairs(lists, self.owners)}

    def pack(self, context: RoundContext, people: Integers, batch: Replies | LazyReplies) -> list[bytes]:
        """A bit for each pair."""
        return batch.pack()

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Replies:
        """As many answers as the person owns pairs."""
        return unpack_replies(payloads, people, self.owners)

    def publish(self, transcript: Transcript) -> PairBits:
        """The noisy graph; pairs of people who did not answer are filled in as strangers' pairs."""
        return self.publish_batch(transcript.received[-1].people, transcript.received[-1].batch)

    def publish_batch(self, people: Integers, batch: Replies | LazyReplies) -> PairBits:
        """The noisy graph of the answers of these people."""
        written = batch.write_out() if isinstance(batch, LazyReplies) else batch
        graph = join_replies(Received(people, written), self.owners, self.response)
        assert isinstance(graph, PairBits)
        return graph

    def write_publication(self, round_number: int, publication: PairBits) -> bytes:
        """A bit for each pair, row by row."""
        return publication.write(self.owners)

    def read_publication(self, round_number: int, data: bytes) -> PairBits:
        """The noisy graph; refuses what cannot be one of so many people."""
        return PairBits.read(data, self.owners)

    def estimate(self, transcript: Transcript) -> Estimate:
        """The number of friendships, and from how many friends in common on a suggestion is more than chance."""
        graph: PairBits = transcript.published[-1] if transcript.published else self.publish(transcript)
        answered, response = int(self.owners.count(transcript.received[-1].people).sum()), self.response
        reported = sum(int(np.unpackbits(row).sum()) for row in graph.matrix)
        scale = self.owners.n_pairs / answered
        value = scale * float((reported - response.flip_probability * self.owners.n_pairs) / response.gain)
        std = scale * math.sqrt(self.owners.n_pairs * response.variance)
        mean_degree = max(2 * value / self.n_people, 0.0)
        needed = needed_in_common(mean_degree, self.n_people, response)
        facts = {
            "mean number of friends": round(mean_degree, 1),
            "in common to be suggested": f"{needed:.1f} of {mean_degree:.1f} friends",
        }
        return Estimate(value, std, facts)

    def cost(self) -> Cost:
        """A bit for each owned pair up, and for each pair down."""
        return Cost((self.n_people - 1) / 2, self.n_people * (self.n_people - 1) / 2)

    @property
    def memory_bytes(self) -> int:
        """The reports, a bit for each pair in a square, and three times the publication."""
        bits = self.n_people**2
        return report_bytes(self.n_people, 1, self.cost().upload_bits_per_user) + bits // 8 + 3 * bits // 16
