"""The noisy graph that a collector publishes, and the capped counts that everybody makes in it.

`count` gives for every list the number of noisy edges among the people on it, scanned in the order of their numbers; an
edge is accepted while both ends have fewer than the list's cap of accepted ones.

Sensitivity of a capped count (Day, Li and Lyu 2016, and the repair of Fu et al. 2024 here): one more person on a list
raises it by 0..cap. Let D(u) be the accepted edges of u with that person less those without. An edge accepted only
without finds an end with D >= 1 and lowers D at both ends; one accepted only with finds an end with D <= -1 and raises
both; the sum of |D| does not grow. Each accepted edge of the new person raises it by at most one. So the sum of D is at
most the number of those, which is at most the cap, and the change is half of both together.

One person's role needs a part of the graph only: the pairs of all people whom that person could ever count. Which pairs
these are follows from the order, the key and the person's number, all public: whoever fetches a part tells nothing
about the own list, and the part is the same whatever the list is. A third of all pairs on average, and one pair in m of
that where one in m is looked at. A client puts the part in its place in an empty graph and counts there: it never looks
at any other pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Bytes, Integers
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import EVERY_PAIR, Looks, Small, count_in_bits
from graphveil.local.pairs.lazy_count import count_lazily
from graphveil.local.pairs.pair_owners import PairOwners, has_owner, owner
from graphveil.local.pairs.replies import LazyReplies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Received
from graphveil.mechanisms.noise.person_streams import CrowdNoise, word_at


def bits_among(people: Integers, matrix: Bytes) -> Bits:
    """Row a, column b: the answer about people[a] and people[b]; nobody answers about one person alone."""
    low, high = np.minimum.outer(people, people), np.maximum.outer(people, people)
    bits: Bits = (matrix[low, high >> 3] >> (high & 7) & 1).astype(np.bool_)
    np.fill_diagonal(bits, val=False)
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
        packed: Bytes = _gather(self.matrix, self.n_people, *owners.marks[1:])
        return np.packbits(packed).tobytes()

    @classmethod
    def read(cls, data: bytes, owners: PairOwners) -> PairBits:
        """From bytes; refuses what cannot be such a graph."""
        bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
        matrix, needed = _scatter(bits, owners.n_people, *owners.marks[1:])
        _check_bits(bits, needed, "the published graph")
        return cls(owners.n_people, matrix)


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
    absent, strangers, filled = public_answers(missing, owners, response)
    matrix = np.zeros((owners.n_people, (owners.n_people + 7) // 8), dtype=np.uint8)
    _, partners = owners.owned(received.people)
    _set_bits(matrix, received.people, received.batch.starts, partners, received.batch.bits)
    _set_bits(matrix, missing, absent, strangers, filled)
    return PairBits(owners.n_people, matrix)


def public_answers(missing: Integers, owners: PairOwners, response: PairResponse) -> tuple[Integers, Integers, Bits]:
    """What stands for people who did not answer: row starts, partners, bits."""
    starts, partners = owners.owned(missing)
    key = CrowdNoise(owners.salt, ()).key("public:absent")
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
            if has_owner(everything, key, below, j, k):
                out[place] = matrix[j, k >> 3] >> (k & 7) & 1
                place += 1
    return out[:place]


@kernel
def _scatter(bits: Any, n_people: Any, everything: Any, key: Any, below: Any) -> Any:
    matrix = np.zeros((n_people, (n_people + 7) // 8), dtype=np.uint8)
    place = 0
    for j in range(n_people):
        for k in range(j + 1, n_people):
            if has_owner(everything, key, below, j, k):
                if place < len(bits) and bits[place]:
                    matrix[j, k >> 3] |= np.uint8(1 << (k & 7))
                place += 1
    return matrix, place


_COUNT, _WRITE, _READ = 0, 1, 2


def write_part(graph: PairBits, counted: Lists, looks: Looks) -> bytes:
    """The answers about the pairs of all people whom one person could count, in the order of their numbers."""
    walk = _numbered(counted, looks)
    bits = np.empty(_walk(*walk, graph.matrix, np.empty(0, dtype=np.uint8), _COUNT), dtype=np.uint8)
    _walk(*walk, graph.matrix, bits, _WRITE)
    return np.packbits(bits).tobytes()


def read_part(data: bytes, counted: Lists, looks: Looks) -> PairBits:
    """A graph in which a person's own pairs are as they were written, and no other is."""
    walk = _numbered(counted, looks)
    matrix = np.zeros((counted.n_people, (counted.n_people + 7) // 8), dtype=np.uint8)
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
    _check_bits(bits, _walk(*walk, matrix, np.empty(0, dtype=np.uint8), _COUNT), "this part of the graph")
    _walk(*walk, matrix, bits, _READ)
    return PairBits(counted.n_people, matrix)


def _check_bits(bits: Bytes, pairs: int, what: str) -> None:
    """Refuse more or fewer bytes than so many pairs need, and unused bits that are set."""
    if len(bits) != 8 * ((pairs + 7) // 8):
        raise ParameterError(f"{what} has {len(bits) // 8} bytes; {pairs} pairs need {(pairs + 7) // 8}")
    if bits[pairs:].any():
        raise ParameterError(f"{what} has bits set beyond its {pairs} pairs")


def _numbered(counted: Lists, looks: Looks) -> tuple[Integers, Small, Small]:
    """People with their numbers; where every pair is looked at, all numbers agree."""
    alike = np.zeros(len(counted.indices), dtype=np.int32)
    first, second = looks if len(looks.first) else (alike, alike)
    return counted.indices.astype(np.int64), first, second


@kernel
def _walk(people: Any, first: Any, second: Any, matrix: Any, bits: Any, task: Any) -> Any:
    """Count, write out or read in pairs a < b whose numbers agree: through everybody by their second number."""
    starts = np.zeros(max(first.max(), second.max()) + 2 if len(people) else 1, dtype=np.int64)
    for number in second:
        starts[number + 1] += 1
    starts = np.cumsum(starts)
    order = np.argsort(second, kind="mergesort")
    heads, found = starts.copy(), 0
    for a in range(len(people)):
        number, j = first[a], people[a]
        while heads[number] < starts[number + 1] and order[heads[number]] <= a:
            heads[number] += 1
        if task == 0:
            found += starts[number + 1] - heads[number]
            continue
        for place in range(heads[number], starts[number + 1]):
            k = people[order[place]]
            if task == 1:
                bits[found] = matrix[j, k >> 3] >> (k & 7) & 1
            else:
                matrix[j, k >> 3] |= np.uint8(bits[found] << (k & 7))
            found += 1
    return found
