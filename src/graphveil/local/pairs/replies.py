"""Answers of people about the pairs they own: all written out, or decided only when somebody looks.

A simulation of everybody keeps the lists and a key, from which each answer follows; nothing of the size of all pairs is
ever built. The few answers of single people are written out. Both read the same words under one seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.errors import ReportRefused
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.messages import Reason
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.response import PairResponse
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import Noise


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """Written out: row r has the answers of one person about their partners in rising order."""

    starts: Integers
    bits: Bits

    def pack(self) -> list[bytes]:
        """Each row in whole bytes."""
        ends = zip(self.starts[:-1], self.starts[1:], strict=True)
        return [np.packbits(self.bits[start:end]).tobytes() for start, end in ends]


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
    starts, partners = owners.owned(lists.people)
    friends = _are_friends(starts, partners, lists.indptr, lists.indices, lists.n_people)
    if isinstance(noise, CrowdNoise):
        words = noise.words_at(np.repeat(noise.people, np.diff(starts)), partners)
    else:
        words = noise.words(len(partners))
    return Replies(starts, response.reported(friends, words))


def unpack_replies(payloads: Sequence[bytes], people: Integers, owners: PairOwners) -> Replies:
    """As many answers as each person has partners."""
    starts, _ = owners.owned(people)
    bits = np.empty(int(starts[-1]), dtype=np.bool_)
    for payload, start, end in zip(payloads, starts[:-1], starts[1:], strict=True):
        if len(payload) != (end - start + 7) // 8:
            raise ReportRefused(Reason.MALFORMED, f"this person answers for {end - start} pairs, one bit each")
        row = np.unpackbits(np.frombuffer(payload, dtype=np.uint8)).astype(np.bool_)
        if row[end - start :].any():
            raise ReportRefused(Reason.MALFORMED, "the unused bits of a payload must be zero")
        bits[start:end] = row[: end - start]
    return Replies(starts, bits)


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
