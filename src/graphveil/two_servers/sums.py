"""Adding up what people hold, so that no server sees a single answer.

A person splits a vector v of whole numbers in two: the helper gets a secret key, from which it computes a mask m, and
the leader gets v - m, all modulo 2^64. Either share alone is uniform, whatever v is. Each server adds up the shares of
everybody who reached both servers and adds noise of its own before it tells the other server its sum. Both sums
together are the sum of all v and two draws of noise.

Privacy. A server knows its own noise and can subtract it. What remains is the sum of all v with the noise of the other
server. So each server adds the whole noise that epsilon asks for, not half of it. The public sees both draws.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers, Words
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.two_servers.streams import KEY_BYTES, mask_words


@dataclass(frozen=True, slots=True)
class SumTerms:
    """What everybody agrees on: the campaign, the statistic, how many numbers a person sends, and the noise."""

    campaign: str
    statistic: str
    length: int
    rate: Fraction

    def mask(self, key: bytes, person: int) -> Words:
        """The mask that a person's key stands for; no other person, statistic or campaign has the same."""
        return mask_words(key, ("sum", self.campaign, self.statistic, self.length, person), self.length)


def split_vector(terms: SumTerms, person: int, vector: Integers, key: bytes | None = None) -> tuple[bytes, bytes]:
    """What a person sends to the leader and to the helper: the masked vector, and the key of the mask."""
    if vector.shape != (terms.length,):
        raise ParameterError(f"{terms.statistic} needs {terms.length} numbers a person, not {vector.shape}")
    fresh = secrets.token_bytes(KEY_BYTES) if key is None else key
    masked = vector.astype(np.int64).view(np.uint64) - terms.mask(fresh, person)
    return masked.astype("<u8").tobytes(), fresh


@dataclass(slots=True)
class SumServer:
    """One of the two servers of a sum: it takes one share from each person and tells its noisy total once."""

    terms: SumTerms
    is_leader: bool
    shares: dict[int, bytes] = field(default_factory=dict)
    told: Words | None = None

    def accept(self, person: int, share: bytes) -> None:
        """Keep a person's share; the same bytes again change nothing, other bytes are refused."""
        expected = 8 * self.terms.length if self.is_leader else KEY_BYTES
        if len(share) != expected:
            raise ParameterError(f"a share has {expected} bytes here, not {len(share)}")
        if self.shares.setdefault(person, share) != share:
            raise ParameterError(f"person {person} has sent another share before")

    def tell(self, people: Iterable[int], noise: Noise) -> Words:
        """The sum of the shares of these people with noise; drawn once, the same words ever after."""
        if self.told is None:
            self.told = self.total(people) + draw_noise(self.terms, noise).view(np.uint64)
        return self.told

    def total(self, people: Iterable[int]) -> Words:
        """The sum of the shares of these people: never told without noise."""
        total = np.zeros(self.terms.length, dtype=np.uint64)
        for person in people:
            total += self._share(person)
        return total

    def _share(self, person: int) -> Words:
        if self.is_leader:
            return np.frombuffer(self.shares[person], dtype="<u8").astype(np.uint64)
        return self.terms.mask(self.shares[person], person)


def draw_noise(terms: SumTerms, noise: Noise) -> Integers:
    """The noise of one server, the same law for both."""
    return add_discrete_laplace(noise, np.zeros(terms.length, dtype=np.int64), terms.rate)


def common_people(leader: SumServer, helper: SumServer) -> list[int]:
    """Who reached both servers; a share that reached one only never counts."""
    return sorted(leader.shares.keys() & helper.shares.keys())


def open_sum(leader: Words, helper: Words) -> Integers:
    """The noisy sum from what both servers told."""
    return (leader + helper).view(np.int64)
