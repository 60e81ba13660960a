"""Answers of people about the pairs they own: all written out, or decided only when somebody looks.

A simulation of everybody keeps the lists and a key, from which each answer follows; nothing of the size of all pairs is
ever built. The few answers of single people are written out. Both read the same words under one seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Bytes, Integers
from graphveil.errors import ReportRefused
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.messages import Reason
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.response import PairResponse
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import Noise

BLOCK_PAIRS = 2**20  # whose answers are decided at once


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """Written out, eight to a byte: each person's answers about their partners in rising order, in whole bytes."""

    counts: Integers  # how many answers each person gives
    packed: Bytes  # one person's after the other's

    @property
    def byte_starts(self) -> Integers:
        """Where the bytes of each person begin, and the end."""
        return np.concatenate(([0], np.cumsum((self.counts + 7) // 8)))

    @property
    def starts(self) -> Integers:
        """Where the bits of each person begin among all `bits`, and the end."""
        return np.concatenate(([0], np.cumsum(self.counts)))

    @property
    def bits(self) -> Bits:
        """All answers, one after the other, a byte each: for few people."""
        ends = zip(self.pack(), self.counts.tolist(), strict=True)
        rows = [np.unpackbits(np.frombuffer(row, dtype=np.uint8), count=count) for row, count in ends]
        return np.concatenate([np.empty(0, dtype=np.uint8), *rows]).astype(np.bool_)

    def pack(self) -> list[bytes]:
        """Each row in whole bytes."""
        starts = self.byte_starts
        return [self.packed[start:end].tobytes() for start, end in pairwise(starts.tolist())]


@dataclass(frozen=True, slots=True, eq=False)
class LazyReplies:
    """Everybody's answers, to be decided; for simulations, since the lists themselves are kept."""

    lists: Lists
    owners: PairOwners
    response: PairResponse
    noise: CrowdNoise

    def write_out(self) -> Replies:
        """Decide all answers now and write them out as bits."""
        return _write_out(self.lists, self.owners, self.response, self.noise)

    def pack(self) -> list[bytes]:
        """Each row in whole bytes."""
        return self.write_out().pack()


@dataclass(frozen=True, slots=True, eq=False)
class OwnPairs:
    """The exact value of a person's answers: the list, and the public rule that says which of its entries are owned."""

    lists: Lists
    owners: PairOwners

    @classmethod
    def unless(cls, closed: Bits, lists: Lists, owners: PairOwners) -> OwnPairs:
        """Where people may keep their lists closed: these answer as if they had no friends."""
        return cls(owners.without_answers_of(lists.people[closed], lists) if closed.any() else lists, owners)

    def bits(self) -> tuple[Integers, Bits]:
        """For all of them the partners that they answer for, and whether each is a friend."""
        starts, partners = self.owners.owned(self.lists.people)
        return partners, _are_friends(starts, partners, self.lists.indptr, self.lists.indices, self.lists.n_people)


@dataclass(frozen=True, slots=True)
class PairAnswers:
    """An answer by randomised response for each pair that a person owns, of which `sensitivity` may change."""

    answer_epsilon: Fraction
    kept: Fraction = Fraction(1)
    sensitivity: int = 1

    @property
    def epsilon(self) -> Fraction:
        """The loss of as many answers as may change."""
        return self.sensitivity * self.answer_epsilon

    @property
    def response(self) -> PairResponse:
        """How one pair is answered for."""
        return PairResponse(self.answer_epsilon, self.kept)

    def draw(self, people: Integers, exact: OwnPairs, noise: Noise) -> Replies | LazyReplies:
        """The answers of these people."""
        return reply(exact.lists, exact.owners, self.response, noise)

    def distance(self, first: OwnPairs, second: OwnPairs) -> float:
        """How many answers differ; without end where other pairs are answered for."""
        (partners, ours), (others, theirs) = first.bits(), second.bits()
        return float((ours != theirs).sum()) if np.array_equal(partners, others) else float("inf")


def reply(lists: Lists, owners: PairOwners, response: PairResponse, noise: Noise) -> Replies | LazyReplies:
    """Answers of these people.

    A whole crowd that reads one secret stream is given a key drawn from it: such a run shows errors, it is not what
    clients send. A client, a crowd of one, draws every answer from its own secret stream.
    """
    if len(lists) > 1 and np.array_equal(lists.people, np.arange(lists.n_people)):
        crowd = noise if isinstance(noise, CrowdNoise) else CrowdNoise(noise.bits(128), lists.people)
        return LazyReplies(lists, owners, response, crowd)
    return _write_out(lists, owners, response, noise)


def _write_out(lists: Lists, owners: PairOwners, response: PairResponse, noise: Noise) -> Replies:
    """Decided for a block of people at a time, so that nothing grows with the pairs of all of them but the answers."""
    counts = np.zeros(len(lists), dtype=np.int64)
    packed = [np.empty(0, dtype=np.uint8)]
    rows = max(1, BLOCK_PAIRS // lists.n_people)
    for block in (slice(start, start + rows) for start in range(0, len(lists), rows)):
        people, indptr = lists.people[block], lists.indptr[block.start : block.stop + 1]
        starts, partners = owners.owned(people)
        friends = _are_friends(starts, partners, indptr, lists.indices, lists.n_people)
        if isinstance(noise, CrowdNoise):
            words = noise.words_at(np.repeat(noise.people[block], np.diff(starts)), partners)
        else:
            words = noise.words(len(partners))
        bits, counts[block] = response.reported(friends, words), np.diff(starts)
        packed += [np.packbits(bits[start:end]) for start, end in pairwise(starts.tolist())]
    return Replies(counts, np.concatenate(packed))


def unpack_replies(payloads: Sequence[bytes], people: Integers, owners: PairOwners) -> Replies:
    """As many answers as each person has partners; they stay as they were sent, eight to a byte."""
    counts = owners.count(people)
    for payload, count in zip(payloads, counts.tolist(), strict=True):
        if len(payload) != (count + 7) // 8:
            raise ReportRefused(Reason.MALFORMED, f"this person answers for {count} pairs, one bit each")
        if count % 8 and payload[-1] & (255 >> count % 8):
            raise ReportRefused(Reason.MALFORMED, "the unused bits of a payload must be zero")
    return Replies(counts, np.frombuffer(b"".join(payloads), dtype=np.uint8))


@kernel
def _are_friends(starts: Any, partners: Any, indptr: Any, indices: Any, n_people: Any) -> Any:
    friends = np.zeros(len(partners), dtype=np.bool_)
    marked = np.zeros(n_people, dtype=np.bool_)
    for row in range(len(indptr) - 1):
        for entry in range(indptr[row], indptr[row + 1]):
            marked[indices[entry]] = True
        for place in range(starts[row], starts[row + 1]):
            friends[place] = marked[partners[place]]
        for entry in range(indptr[row], indptr[row + 1]):
            marked[indices[entry]] = False
    return friends
