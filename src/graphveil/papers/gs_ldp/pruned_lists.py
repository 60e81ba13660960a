"""Pruned friend lists with randomised bits (GS-LDP, Algorithm 2 and the first rounds of 3 and 4), as published.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithm 2 (Prune) with line 4 of Algorithms 3 and 4
Unit       edge (Algorithm 4: epsilon for each bit) or node (Algorithm 3: epsilon / threshold for each bit)
Trust      local
Guarantee  claimed epsilon, refuted wherever ids are sent: no epsilon holds; it holds if no id is sent
Estimator  none of its own: the collector joins the reports to a noisy graph
Cost       `threshold` numbers a person
Differs    coins have probabilities on a grid of 2^-64, rounded towards more noise

A person with more friends than the threshold lists a random selection of them; any other lists all friends and random
strangers to fill up. Then every bit is flipped with probability q. The paper does not say how the collector learns
which people the bits belong to, so there are three readings (`Travel`):

- ids and bits are sent. A person who is not listed is no friend of anybody below the threshold: never happens for a
  friend, happens to a stranger with probability (n - 1 - threshold) / (n - 1 - d).
- only ids whose noisy bit is 1 are sent. Above the threshold no stranger is ever listed, so an id proves a friend.
- no id is sent, only the shuffled bits. Then epsilon holds (one friend changes one bit), but nobody can build a graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Bits, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import flip_coins, keep_threshold
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import Kind


class Travel(StrEnum):
    """How ids travel with the noisy bits."""

    IDS_AND_BITS = "ids-and-bits"
    IDS_OF_ONES = "ids-of-ones"
    BITS_ONLY = "bits-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunedLists:
    """Public parameters; friend lists are rows of bits, one for every other person.

    >>> scheme = PrunedLists(epsilon=Fraction(20), threshold=3, unit=Kind.EDGE, travel=Travel.IDS_AND_BITS)
    >>> scheme.perturb([[1, 0, 0, 1, 0], [1, 1, 1, 1, 1]], SeededNoise(1)).tolist()
    [[2, 0, 1, 2, 0], [0, 2, 2, 0, 2]]
    """

    epsilon: Fraction
    threshold: int
    unit: Kind
    travel: Travel

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.threshold < 1:
            raise ParameterError(f"threshold must be at least 1, not {self.threshold}")

    @property
    def claim(self) -> PublishedClaim:
        """The paper's claim under this reading."""
        theorem = "Theorem 9" if self.unit is Kind.EDGE else "Theorem 6"
        statement = f"pruning and randomised response satisfy epsilon-{self.unit}-LDP"
        if self.travel is Travel.BITS_ONLY:
            reason = "one friend changes one of the bits, and nothing says whose they are; but no graph follows"
            return PublishedClaim(f"Fu et al. 2024, {theorem}", statement, Verdict.HOLDS, reason, self.epsilon)
        reason = {
            Travel.IDS_AND_BITS: "below the threshold every friend is listed, so who is not listed is no friend",
            Travel.IDS_OF_ONES: "above the threshold only friends are listed, so every id that is sent is a friend",
        }[self.travel]
        return PublishedClaim(f"Fu et al. 2024, {theorem}", statement, Verdict.REFUTED, reason, None)

    @property
    def bit_epsilon(self) -> Fraction:
        """What randomised response gets for one bit."""
        return self.epsilon if self.unit is Kind.EDGE else self.epsilon / self.threshold

    def prune(self, lists: ArrayLike, noise: Noise) -> tuple[Integers, Bits]:
        """Algorithm 2 for every row: who is listed, in random order, and whether they are friends."""
        friends = np.asarray(lists, dtype=np.bool_)
        if friends.ndim != 2 or friends.shape[1] < self.threshold:
            raise ParameterError(f"lists must be rows of at least {self.threshold} bits, not of shape {friends.shape}")
        lots = noise.words(friends.size).reshape(friends.shape) >> np.uint64(1)
        friends_first = np.where(friends, lots, lots | np.uint64(1 << 63))
        listed = np.argsort(friends_first, axis=1)[:, : self.threshold]
        shuffle = np.argsort(noise.words(listed.size).reshape(listed.shape), axis=1)
        listed = np.take_along_axis(listed, shuffle, axis=1)
        return listed, np.take_along_axis(friends, listed, axis=1)

    def perturb(self, lists: ArrayLike, noise: Noise) -> Integers:
        """One report for each row: shuffled bits, or for every other person 0 (not mentioned), 1 (bit 0), 2 (bit 1)."""
        return self.report(*self.prune(lists, noise), np.shape(lists)[1], noise)

    def report(self, listed: Integers, bits: Bits, n_others: int, noise: Noise) -> Integers:
        """Randomised response on pruned lists (line 4), in the form in which it travels."""
        kept = flip_coins(noise, keep_threshold(self.bit_epsilon), bits.size).reshape(bits.shape)
        noisy = (bits ^ ~kept).astype(np.int64)
        if self.travel is Travel.BITS_ONLY:
            return noisy
        marks = 1 + noisy if self.travel is Travel.IDS_AND_BITS else 2 * noisy
        reports = np.zeros((len(bits), n_others), dtype=np.int64)
        np.put_along_axis(reports, listed, marks, axis=1)
        return reports
