"""The noisy graph that a collector publishes, and the capped counts that everybody makes in it.

`count` gives for every list the number of noisy edges among the people on it, scanned in the order of their numbers; an
edge is accepted while both ends have fewer than the list's cap of accepted ones.

Sensitivity of a capped count (Day, Li and Lyu 2016, and the repair of Fu et al. 2024 here): one more person on a list
raises it by 0..cap. Let D(u) be the accepted edges of u with that person less those without. An edge accepted only
without finds an end with D >= 1 and lowers D at both ends; one accepted only with finds an end with D <= -1 and raises
both; the sum of |D| does not grow. Each accepted edge of the new person raises it by at most one. So the sum of D is at
most the number of those, which is at most the cap, and the change is half of both together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Bytes, Integers
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import EVERY_PAIR, Looks, count_in_bits
from graphveil.local.pairs.lazy_count import count_lazily
from graphveil.local.pairs.pair_owners import PairOwners, has_owner, owner
from graphveil.local.pairs.replies import LazyReplies, Replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Received
from graphveil.mechanisms.noise.person_streams import CrowdNoise, word_at


def bits_among(people: Integers, matrix: Bytes) -> Bits:
    """Row a, column b: the answer about people[a] and people[b]; nobody answers about one person alone."""
    bits: Bits = _bits_among(people, matrix)
    return bits


@kernel
def _bits_among(people: Any, matrix: Any) -> Any:
    bits = np.zeros((len(people), len(people)), dtype=np.bool_)
    for a in range(len(people)):
        for b in range(a):
            low, high = min(people[a], people[b]), max(people[a], people[b])
            bits[a, b] = matrix[low, high >> 3] >> (high & 7) & 1
            bits[b, a] = bits[a, b]
    return bits


def answers_among(people: Integers, replies: LazyReplies) -> Bits:
    """The same of answers that nobody has looked at yet, where all pairs have an owner."""
    lists, key = replies.lists, replies.noise.key("address")
    bits: Bits = _answers(people, lists.indptr, lists.indices, key, replies.owners.ranks, *replies.response.words)
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
    matrix: Bytes  # row j, bit k of it for k > j

    def count(self, lists: Lists, caps: Integers, looks: Looks = EVERY_PAIR) -> Integers:
        """Accepted noisy edges within each list."""
        return count_in_bits(lists, self.matrix, caps, looks)

    def reported(self, lists: Lists) -> Bits:
        """For each entry of the lists, whether it was reported by the list's owner, who answers for it."""
        owners = np.repeat(lists.people, lists.degrees)
        low, high = np.minimum(owners, lists.indices), np.maximum(owners, lists.indices)
        bits: Bits = (self.matrix[low, high >> 3] >> (high & 7) & 1).astype(np.bool_)
        return bits

    def among(self, people: Integers) -> Bits:
        """The answers about all pairs of these people, as a square table."""
        return bits_among(people, self.matrix)

    def write(self, owners: PairOwners) -> bytes:
        """The bits of the pairs that have an owner, in order."""
        packed = np.zeros((owners.n_pairs + 7) // 8, dtype=np.uint8)
        _gather(packed, self.matrix, self.n_people, *owners.marks[1:])
        return packed.tobytes()

    @classmethod
    def read(cls, data: bytes, owners: PairOwners) -> PairBits:
        """From bytes; refuses what cannot be such a graph."""
        packed = check_bits(data, owners.n_pairs, "the published graph")
        graph = cls(owners.n_people, empty_matrix(owners.n_people))
        _scatter(packed, graph.matrix, owners.n_people, *owners.marks[1:])
        return graph


@dataclass(frozen=True, slots=True, eq=False)
class LazyGraph:
    """The noisy graph of a simulation: an answer is decided when it is looked at."""

    replies: LazyReplies

    def count(self, lists: Lists, caps: Integers, looks: Looks = EVERY_PAIR) -> Integers:
        """Accepted noisy edges within each list; everybody's at once."""
        source = self.replies
        key = source.noise.key("address")
        return count_lazily(lists, source.lists, key, source.owners, source.response, caps, looks)

    def reported(self, lists: Lists) -> Bits:
        """For each entry of the lists, whether it was reported by the list's owner, who answers for it."""
        words = self.replies.noise.words_at(np.repeat(lists.people, lists.degrees), lists.indices)
        return self.replies.response.reported(np.ones(len(words), dtype=np.bool_), words)

    def among(self, people: Integers) -> Bits:
        """The answers about all pairs of these people, as a square table."""
        return answers_among(people, self.replies)

    def write(self, owners: PairOwners) -> bytes:
        """The bits of the pairs that have an owner, in order, all decided now."""
        source = self.replies
        received = Received(source.lists.people, source.write_out())
        return join_replies(received, source.owners, source.response).write(owners)


def join_replies(received: Received, owners: PairOwners, response: PairResponse) -> PairBits | LazyGraph:
    """The noisy graph of all answers.

    The pairs of people who did not answer are filled in by a public coin, as if they were strangers' pairs: to leave
    them out would bias every count, and to ask the other end would cost that end a second answer.
    """
    if isinstance(received.batch, LazyReplies):
        return LazyGraph(received.batch)
    missing = np.setdiff1d(np.arange(owners.n_people), received.people)
    graph = PairBits(owners.n_people, empty_matrix(owners.n_people))
    replies: Replies = received.batch
    _set_answers(graph.matrix, received.people, replies.byte_starts, replies.packed, *owners.marks)
    _set_public(graph.matrix, missing, _public_key(owners), response.words[1], *owners.marks)
    return graph


def empty_matrix(n_people: int) -> Bytes:
    """A bit for each pair of people, none of them set."""
    return np.zeros((n_people, (n_people + 7) // 8), dtype=np.uint8)


def _public_key(owners: PairOwners) -> np.uint64:
    return CrowdNoise(owners.salt, ()).key("public:absent")


def public_answers(missing: Integers, owners: PairOwners, response: PairResponse) -> tuple[Integers, Integers, Bits]:
    """What stands for people who did not answer: row starts, partners, bits."""
    starts, partners = owners.owned(missing)
    bits = np.array(_public_answers(missing, starts, partners, _public_key(owners), response.words[1]), dtype=np.bool_)
    return starts, partners, bits


@kernel
def _public_answers(people: Any, starts: Any, partners: Any, key: Any, stranger: Any) -> Any:
    bits = np.zeros(len(partners), dtype=np.bool_)
    for row in range(len(people)):
        for place in range(starts[row], starts[row + 1]):
            bits[place] = word_at(key, np.uint64(people[row]), np.uint64(partners[place])) < stranger
    return bits


def check_bits(data: bytes, pairs: int, what: str) -> Bytes:
    """The bytes of so many bits; refuses more or fewer bytes, and unused bits that are set."""
    if len(data) != (pairs + 7) // 8:
        raise ParameterError(f"{what} has {len(data)} bytes; {pairs} pairs need {(pairs + 7) // 8}")
    if pairs % 8 and data[-1] & (255 >> pairs % 8):
        raise ParameterError(f"{what} has bits set beyond its {pairs} pairs")
    return np.frombuffer(data, dtype=np.uint8)


# Kernels read and write packed bits where they are: nothing is built that has a byte, or a number, for every pair.


@kernel
def bit_at(packed: Any, place: Any) -> Any:
    """The bit at a place, the highest of each byte first."""
    return packed[place >> 3] >> (7 - (place & 7)) & 1


@kernel
def _set_pair(matrix: Any, one: Any, other: Any) -> None:
    low, high = min(one, other), max(one, other)
    matrix[low, high >> 3] |= np.uint8(1 << (high & 7))


@kernel
def _set_answers(
    matrix: Any, people: Any, starts: Any, packed: Any, ranks: Any, everything: Any, key: Any, below: Any
) -> None:
    for row in range(len(people)):
        person, place = people[row], 8 * starts[row]
        for j in range(len(matrix)):
            if j != person and owner(ranks, person, j) == person and has_owner(everything, key, below, person, j):
                if bit_at(packed, place):
                    _set_pair(matrix, person, j)
                place += 1


@kernel
def _set_public(
    matrix: Any, missing: Any, coin: Any, stranger: Any, ranks: Any, everything: Any, key: Any, below: Any
) -> None:
    for person in missing:
        for j in range(len(matrix)):
            mine = j != person and owner(ranks, person, j) == person and has_owner(everything, key, below, person, j)
            if mine and word_at(coin, np.uint64(person), np.uint64(j)) < stranger:
                _set_pair(matrix, person, j)


@kernel
def _gather(packed: Any, matrix: Any, n_people: Any, everything: Any, key: Any, below: Any) -> None:
    place = 0
    for j in range(n_people):
        for k in range(j + 1, n_people):
            if has_owner(everything, key, below, j, k):
                packed[place >> 3] |= np.uint8((matrix[j, k >> 3] >> (k & 7) & 1) << (7 - (place & 7)))
                place += 1


@kernel
def _scatter(packed: Any, matrix: Any, n_people: Any, everything: Any, key: Any, below: Any) -> None:
    place = 0
    for j in range(n_people):
        for k in range(j + 1, n_people):
            if has_owner(everything, key, below, j, k):
                matrix[j, k >> 3] |= np.uint8(bit_at(packed, place) << (k & 7))
                place += 1
