"""The noisy graph that a collector publishes, and the capped counts that everybody makes in it.

`count` gives for every list the number of noisy edges among the people on it, scanned in the order of their numbers; an
edge is accepted while both ends have fewer than the list's cap of accepted ones.

Sensitivity of a capped count (Day, Li and Lyu 2016, and the repair of Fu et al. 2024 here): one more person on a list
raises it by 0..cap. Let D(u) be the accepted edges of u with that person less those without. An edge accepted only
without finds an end with D >= 1 and lowers D at both ends; one accepted only with finds an end with D <= -1 and raises
both; the sum of |D| does not grow. Each accepted edge of the new person raises it by at most one. So the sum of D is at
most the number of those, which is at most the cap, and the change is half of both together.

The answers about all pairs among some people, out of a noisy graph: written out, or decided now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.count import EVERY_PAIR, Looks, count_in_bits
from graphveil.local.pairs.lazy_count import count_lazily
from graphveil.local.pairs.pair_owners import AskedPairs, is_asked, owner
from graphveil.local.pairs.replies import LazyReplies, Replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Received
from graphveil.mechanisms.noise.person_streams import CrowdNoise, word_at

Bits = NDArray[np.bool_]


def bits_among(people: Integers, matrix: NDArray[np.uint8]) -> Bits:
    """Row a, column b: the answer about people[a] and people[b]; nobody answers about one person alone."""
    low, high = np.minimum.outer(people, people), np.maximum.outer(people, people)
    bits: Bits = (matrix[low, high >> 3] >> (high & 7) & 1).astype(np.bool_)
    np.fill_diagonal(bits, val=False)
    return bits


def answers_among(people: Integers, replies: LazyReplies) -> Bits:
    """The same of answers that nobody has looked at yet, where all pairs are asked about."""
    lists, key = replies.lists, replies.noise.key("address")
    bits: Bits = _answers(people, lists.indptr, lists.indices, key, replies.asked.ranks, *replies.response.words)
    return bits


@kernel
def _answers(
    people: Any, indptr: Any, indices: Any, key: Any, ranks: Any, friend_below: Any, stranger_below: Any
) -> Any:
    bits = np.zeros((len(people), len(people)), dtype=np.bool_)
    friends = np.zeros(len(indptr) - 1, dtype=np.bool_)
    for a in range(len(people)):
        j = people[a]
        row = indices[indptr[j] : indptr[j + 1]]
        for friend in row:
            friends[friend] = True
        for b in range(a + 1, len(people)):
            k = people[b]
            mine = owner(ranks, j, k)
            word = word_at(key, np.uint64(mine), np.uint64(j + k - mine))
            bits[a, b] = word < (friend_below if friends[k] else stranger_below)
            bits[b, a] = bits[a, b]
        for friend in row:
            friends[friend] = False
    return bits


@dataclass(frozen=True, slots=True, eq=False)
class PairBits:
    """All answers as bits, row by row of the pairs j < k: what goes over the wire, and what a client looks up."""

    n_people: int
    matrix: NDArray[np.uint8]  # row j, bit k of it for k > j

    def count(self, lists: Lists, caps: Integers, looks: Looks = EVERY_PAIR) -> Integers:
        """Accepted noisy edges within each list."""
        return count_in_bits(lists, self.matrix, caps, looks)

    def reported(self, lists: Lists) -> NDArray[np.bool_]:
        """For each entry of the lists, whether it was reported by the list's owner, who answers for it."""
        owners = np.repeat(lists.people, lists.degrees)
        low, high = np.minimum(owners, lists.indices), np.maximum(owners, lists.indices)
        bits: NDArray[np.bool_] = (self.matrix[low, high >> 3] >> (high & 7) & 1).astype(np.bool_)
        return bits

    def among(self, people: Integers) -> NDArray[np.bool_]:
        """The answers about all pairs of these people, as a square table."""
        return bits_among(people, self.matrix)

    def write(self, asked: AskedPairs) -> bytes:
        """The bits of the pairs asked about, in order."""
        packed: NDArray[np.uint8] = _gather(self.matrix, self.n_people, *asked.marks[1:])
        return np.packbits(packed).tobytes()

    @classmethod
    def read(cls, data: bytes, asked: AskedPairs) -> PairBits:
        """From bytes; refuses what cannot be such a graph."""
        bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
        matrix, needed = _scatter(bits, asked.n_people, *asked.marks[1:])
        if len(data) != (needed + 7) // 8:
            raise ParameterError(f"the published graph has {len(data)} bytes; this campaign's has {(needed + 7) // 8}")
        return cls(asked.n_people, matrix)


@dataclass(frozen=True, slots=True, eq=False)
class LazyGraph:
    """The noisy graph of a simulation: an answer is decided when it is looked at."""

    replies: LazyReplies

    def count(self, lists: Lists, caps: Integers, looks: Looks = EVERY_PAIR) -> Integers:
        """Accepted noisy edges within each list; everybody's at once."""
        source = self.replies
        key = source.noise.key("address")
        return count_lazily(lists, source.lists, key, source.asked, source.response, caps, looks)

    def reported(self, lists: Lists) -> NDArray[np.bool_]:
        """For each entry of the lists, whether it was reported by the list's owner, who answers for it."""
        words = self.replies.noise.words_at(np.repeat(lists.people, lists.degrees), lists.indices)
        return self.replies.response.reported(np.ones(len(words), dtype=np.bool_), words)

    def among(self, people: Integers) -> NDArray[np.bool_]:
        """The answers about all pairs of these people, as a square table."""
        return answers_among(people, self.replies)

    def write(self, asked: AskedPairs) -> bytes:
        """Written out."""
        replies = self.replies
        starts, partners = asked.owned(replies.lists.people)
        bits = np.unpackbits(np.frombuffer(b"".join(replies.pack()), dtype=np.uint8))
        lengths = np.diff(starts)
        places = np.repeat(np.cumsum((lengths + 7) // 8 * 8) - (lengths + 7) // 8 * 8 - starts[:-1], lengths)
        answers = bits[places + np.arange(len(partners))].astype(np.bool_)
        return join_replies(Received(replies.lists.people, Replies(starts, answers)), asked, replies.response).write(
            asked
        )


def join_replies(received: Received, asked: AskedPairs, response: PairResponse) -> PairBits | LazyGraph:
    """The noisy graph of all answers.

    The pairs of people who did not answer are filled in by a public coin, as if they were strangers' pairs: to leave
    them out would bias every count, and to ask the other end would cost that end a second answer.
    """
    if isinstance(received.batch, LazyReplies):
        return LazyGraph(received.batch)
    missing = np.setdiff1d(np.arange(asked.n_people), received.people)
    absent, strangers, filled = public_answers(missing, asked, response)
    matrix = np.zeros((asked.n_people, (asked.n_people + 7) // 8), dtype=np.uint8)
    _, partners = asked.owned(received.people)
    _set_bits(matrix, received.people, received.batch.starts, partners, received.batch.bits)
    _set_bits(matrix, missing, absent, strangers, filled)
    return PairBits(asked.n_people, matrix)


def public_answers(
    missing: Integers, asked: AskedPairs, response: PairResponse
) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    """What stands for people who did not answer: row starts, partners, bits."""
    starts, partners = asked.owned(missing)
    key = CrowdNoise(asked.salt, ()).key("public:absent")
    bits = np.array(_public_answers(missing, starts, partners, key, response.words[1]), dtype=np.bool_)
    return starts, partners, bits


@kernel
def _public_answers(people: Any, starts: Any, partners: Any, key: Any, stranger: Any) -> Any:
    bits = np.zeros(len(partners), dtype=np.bool_)
    for row in range(len(people)):
        for place in range(starts[row], starts[row + 1]):
            bits[place] = word_at(key, np.uint64(people[row]), np.uint64(partners[place])) < stranger
    return bits


@kernel
def _set_bits(matrix: Any, people: Any, starts: Any, partners: Any, bits: Any) -> None:
    for row in range(len(people)):
        for place in range(starts[row], starts[row + 1]):
            if bits[place]:
                low, high = min(people[row], partners[place]), max(people[row], partners[place])
                matrix[low, high >> 3] |= np.uint8(1 << (high & 7))


@kernel
def _gather(matrix: Any, n_people: Any, everything: Any, key: Any, below: Any) -> Any:
    out = np.empty(n_people * (n_people - 1) // 2, dtype=np.uint8)
    place = 0
    for j in range(n_people):
        for k in range(j + 1, n_people):
            if is_asked(everything, key, below, j, k):
                out[place] = matrix[j, k >> 3] >> (k & 7) & 1
                place += 1
    return out[:place]


@kernel
def _scatter(bits: Any, n_people: Any, everything: Any, key: Any, below: Any) -> Any:
    matrix = np.zeros((n_people, (n_people + 7) // 8), dtype=np.uint8)
    place = 0
    for j in range(n_people):
        for k in range(j + 1, n_people):
            if is_asked(everything, key, below, j, k):
                if place < len(bits) and bits[place]:
                    matrix[j, k >> 3] |= np.uint8(1 << (k & 7))
                place += 1
    return matrix, place
