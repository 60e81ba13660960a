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
from dataclasses import dataclass
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


def add_shares(terms: SumTerms, shares: Iterable[tuple[int, bytes]], *, is_leader: bool) -> Words:
    """The sum of the shares that a server holds, with the person of each: never told without noise."""
    total = np.zeros(terms.length, dtype=np.uint64)
    for person, share in shares:
        total += np.frombuffer(share, dtype="<u8").astype(np.uint64) if is_leader else terms.mask(share, person)
    return total


def draw_noise(length: int, rate: Fraction, noise: Noise) -> Integers:
    """The noise of one server on so many numbers: the same law for both servers, for sums and for counts."""
    return add_discrete_laplace(noise, np.zeros(length, dtype=np.int64), rate)


def open_sum(leader: Words, helper: Words) -> Integers:
    """The noisy sum from what both servers told."""
    return (leader + helper).view(np.int64)
