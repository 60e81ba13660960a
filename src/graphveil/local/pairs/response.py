"""Randomised response on pairs, with a flip probability that is a short public fraction.

Counts of noisy edges are corrected by the flip probability q before noise is added to them. With q = a / 2^16 all
corrected counts lie on one public grid, whatever the list, and so does the noise; a grid that depends on the list, or
on rounding, would give lists away for certain. a is rounded up: ln((1 - q) / q) is at most epsilon.

Of the friends and strangers so reported a share may be dropped again (the asymmetric response of Imola, Murakami and
Chaudhuri 2022): friends are reported with probability at most kept (1 - q), strangers at least kept q. Dropping is
post-processing; rounding one probability down and the other up brings them closer together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from graphveil.arrays import Bits, Words
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import GRID, keep_threshold

PARTS = 2**16
_WORDS_PER_PART = GRID // PARTS


@dataclass(frozen=True, slots=True)
class PairResponse:
    """A friend is reported with probability 1 - q, a stranger with probability q.

    >>> PairResponse(Fraction(1)).flip_probability
    Fraction(8813, 32768)
    """

    epsilon: Fraction
    kept: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not 0 < self.kept <= 1:
            raise ParameterError(
                f"the share of reports that are kept lies above 0 and at or below 1, not at {self.kept}"
            )
        if self.flip_parts >= self.friend_parts:
            given = f"epsilon {float(self.epsilon):.3g}"
            if self.kept < 1:
                given += f" with a share of {float(self.kept):.2g} of reports"
            raise ParameterError(f"{given} is too small: reports would say nothing")

    @property
    def flip_parts(self) -> int:
        """a, where strangers are reported with probability a / 2^16."""
        return math.ceil(_flip_parts(self.epsilon) * self.kept)

    @property
    def friend_parts(self) -> int:
        """The parts of 2^16 with which a friend is reported as one."""
        return int((PARTS - _flip_parts(self.epsilon)) * self.kept)

    @property
    def flip_probability(self) -> Fraction:
        """That strangers are reported as friends; q where all reports are kept."""
        return Fraction(self.flip_parts, PARTS)

    @property
    def friend_probability(self) -> Fraction:
        """That friends are reported; 1 - q where all reports are kept."""
        return Fraction(self.friend_parts, PARTS)

    @property
    def gain(self) -> Fraction:
        """By how much likelier a friend is reported."""
        return self.friend_probability - self.flip_probability

    @property
    def variance(self) -> float:
        """Of one corrected answer about strangers, (answer - flip_probability) / gain."""
        q = self.flip_probability
        return float(q * (1 - q) / self.gain**2)

    @property
    def words(self) -> tuple[np.uint64, np.uint64]:
        """A pair is reported if a 64-bit word lies below the first (friends) or the second (strangers)."""
        return np.uint64(self.friend_parts * _WORDS_PER_PART), np.uint64(self.flip_parts * _WORDS_PER_PART)

    def reported(self, friends: Bits, words: Words) -> Bits:
        """One answer for each pair."""
        friend, stranger = self.words
        return words < np.where(friends, friend, stranger)


@lru_cache(maxsize=256)
def _flip_parts(epsilon: Fraction) -> int:
    return -(-(GRID - keep_threshold(epsilon)) // _WORDS_PER_PART)
