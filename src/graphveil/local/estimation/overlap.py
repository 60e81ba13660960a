"""How many people count the same pair: what answers about pairs do to a total, from noisy answers alone.

Let c(j, k) be the number of people who count the pair j, k, which are those that have both on their counted lists. An
answer's error is felt c times, so the variance that answers bring to the sum of all counts is v times the sum of c^2,
with v the variance of one corrected answer: exact, while no cap binds. W = sum of c is known well from noisy sizes. The
rest is the mean c that a counted pair has, (sum of c^2) / W. It is measured among some of the people, from the very
answers: with z = (answer - q) / gain, the mean of z is 1 for friends and 0 for strangers, so that

    sum over i of z_ij z_ik                              has the mean c(j, k) and
    its square less the sum over i of (z_ij z_ik)^2      the mean c (c - 1)

where i runs over the measured people who count j and k. Nothing else is private or needed. What chance adds to the
second sum, were all strangers, has the deviation 2 v^2 root(m), m the number of sets of four in it.

The variance that answers about pairs bring to a total of counts, from what was released: v W c (`overlap` has it).

W comes from everybody's noisy list length. The mean c is measured among the best connected, as far as they are known,
for whom it is about what it is for all; one deviation of chance is added, so that this errs on the side of wide
intervals. While chance would add more than a tenth of the variance that is there anyway, fewer people are tried, and
the number of them at which chance does least is taken. Where it does much even then (a small epsilon, at which answers
matter little beside the noise of counts), c is at most four times the mean length of a list as an entry sees it: a rule
of thumb, which no network that we know comes near.

The number of all pairs that two entries of one list make, from noisy list lengths; unbiased, with its variance.

For discrete Laplace noise of variance s a noisy length l has E[l (l - 1)] = d (d - 1) + s, and noise of this law has
the fourth moment s + 6 s^2, so that Var[l (l - 1)] = (2 d - 1)^2 s + s + 5 s^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.kernels import kernel
from graphveil.local.pairs.dense import ones_in
from graphveil.local.pairs.response import PairResponse
from graphveil.mechanisms.staircase import staircase_variance


@dataclass(frozen=True, slots=True)
class Overlap:
    """Among some people: estimates of W and of the sum of c^2, and what chance does to each."""

    counted: float
    squares: float
    counted_std: float
    squares_std: float


def measure_overlap(bits: Bits, response: PairResponse, *, whole: bool = False) -> Overlap:
    """From a square table of answers; everybody counts among those that follow, or (`whole`) among all others.

    >>> all_friends, sure = ~np.eye(5, dtype=bool), PairResponse(Fraction(30))
    >>> found = measure_overlap(all_friends, sure)
    >>> round(found.counted, 2), round(found.squares, 2)
    (10.0, 20.0)
    """
    n = len(bits)
    table = bits if whole else np.triu(bits, 1)
    padded = np.zeros((n, -(-n // 64) * 8), dtype=np.uint8)
    packed = np.packbits(table, axis=0, bitorder="little").T
    padded[:, : packed.shape[1]] = packed
    q, gain = float(response.flip_probability), float(response.gain)
    counted, squares = _sums(padded.view(np.uint64), bits, whole, (1 - q) / gain, -q / gain)
    v, triples, fours = response.variance, math.comb(n, 3), math.comb(n, 4)
    ways = 3 if whole else 1  # in which three people make a count, and four people two of the same pair
    return Overlap(counted, squares, v * math.sqrt(ways * triples), 2 * v**2 * math.sqrt(ways * fours))


@kernel
def _sums(columns: Any, bits: Any, whole: Any, one: Any, zero: Any) -> Any:
    """Column j of the table is a row of words here. Of those who may count j and k: how many answers are both one."""
    n = len(bits)
    counted, squares = 0.0, 0.0
    ones = np.zeros(n, dtype=np.int64)
    for j in range(n):
        for word in columns[j]:
            ones[j] += np.int64(ones_in(word))
    for k in range(n):
        of_k = 0
        for j in range(k):
            both = np.int64(0)
            for w in range(len(columns[j]) if whole else (j >> 6) + 1):
                both += np.int64(ones_in(columns[j, w] & columns[k, w]))
            one_j, one_k, people = ones[j], of_k, j
            if whole:
                one_j, one_k, people = ones[j] - bits[j, k], ones[k] - bits[j, k], n - 2
            single = one_j + one_k - 2 * both
            none = people - single - both
            c = both * one**2 + single * one * zero + none * zero**2
            counted += c
            squares += c + c**2 - (both * one**4 + single * (one * zero) ** 2 + none * zero**4)
            of_k += bits[j, k]
    return counted, squares


MEASURED = (2048, 1024, 512, 256, 128)  # people
MOST_LENGTHS = 4
SHARE_OF_CHANCE = 0.1


def answer_variance(
    measure: Callable[[int], Overlap], pairs: float, entries: float, response: PairResponse, other_variance: float
) -> float:
    """Of the sum of all counts over the gain.

    `measure` takes how many people, `pairs` and `entries` are estimates of what stands on all counted lists.
    """
    counted = max(pairs, 0.0)
    most = MOST_LENGTHS * (1 + 2 * counted / max(entries, 1.0))
    mean, least_chance = most, math.inf
    for people in MEASURED:
        overlap = measure(people)
        measured = max(overlap.counted, overlap.counted_std, 1e-9)
        chance = overlap.squares_std / measured
        if chance < least_chance:
            least_chance, mean = chance, min(max(overlap.squares / measured + chance, 1.0), most)
        if response.variance * counted * chance <= SHARE_OF_CHANCE * other_variance:
            break
    return response.variance * counted * mean


def unbiased_pairs(noisy_lengths: Integers, epsilon: Fraction) -> float:
    """The number of pairs on all lists, from lengths with discrete Laplace noise of rate epsilon.

    >>> import numpy as np
    >>> unbiased_pairs(np.array([3, 2]), Fraction(40))
    4.0
    """
    return float((noisy_lengths * (noisy_lengths - 1.0) - _spread(epsilon)).sum()) / 2


def pairs_variance(noisy_lengths: Integers, epsilon: Fraction) -> float:
    """Of that number; (2 l - 1)^2 - 4 s is unbiased for (2 d - 1)^2."""
    spread = _spread(epsilon)
    squares = float(((2 * noisy_lengths - 1.0) ** 2 - 4 * spread).sum())
    return (max(squares, 0.0) * spread + len(noisy_lengths) * (spread + 5 * spread**2)) / 4


def _spread(epsilon: Fraction) -> float:
    return float(staircase_variance(epsilon, [1])[0])  # of width 1, which is that of Laplace noise
