"""Drawing from weights that are known only between bounds, by inversion and exactly.

A uniform number is drawn bit by bit. After some bits it is known up to an interval, and so are the cumulated weights;
as soon as all they may be agree on one outcome, that is the outcome. Otherwise more bits are drawn and the weights
computed more closely. The outcome is that of the endless uniform number on the true weights, whatever the bounds were.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil

import numpy as np

from graphveil.arrays import Integers
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.rounding import exp_bounds

BITS = 64  # of the uniform number, drawn at first
LARGEST_WORD = 2**64 - 1


def sample_exp_weights(noise: Noise, exponents: Sequence[Fraction], counts: Sequence[int], size: int) -> Integers:
    """That many i with probability proportional to counts[i] exp(-exponents[i]); the least exponent must be 0.

    The sums are enclosed once, and the few draws which that does not settle go on one by one.

    >>> sample_exp_weights(SeededNoise(3), [Fraction(0), Fraction(5)], [1, 1000], 4).tolist()
    [1, 1, 1, 1]
    """
    low, high = _enclose(exponents, counts, BITS)
    firsts = [-(-(most << BITS) // low[-1]) for most in (0, *high[:-1])]
    afters = [(least << BITS) // high[-1] for least in low]
    starts, ends = (np.array([min(x, LARGEST_WORD) for x in cuts], dtype=np.uint64) for cuts in (firsts, afters))
    drawn = noise.words(size)
    index = np.searchsorted(starts, drawn, side="right") - 1
    for i in np.flatnonzero(drawn >= ends[index]):
        index[i] = _find(noise, int(drawn[i]), exponents, counts)
    return index


def _find(noise: Noise, drawn: int, exponents: Sequence[Fraction], counts: Sequence[int]) -> int:
    """The index that goes with a uniform number whose first bits are known."""
    bits = BITS
    while True:
        low, high = _enclose(exponents, counts, bits)
        # the uniform number lies in [drawn, drawn + 1) / 2^bits, the total weight in [low[-1], high[-1]]
        index = min(bisect_left(low, -(-(drawn + 1) * high[-1] >> bits)), len(low) - 1)
        if index == 0 or high[index - 1] << bits <= drawn * low[-1]:
            return index
        drawn = drawn << bits | noise.bits(bits)
        bits *= 2


def _enclose(exponents: Sequence[Fraction], counts: Sequence[int], bits: int) -> tuple[list[int], list[int]]:
    """Integers below and above the running sums of the weights times 2^bits."""
    bounds = [_scaled_weight(x, count, bits) for x, count in zip(exponents, counts, strict=True)]
    return list(accumulate(least for least, _ in bounds)), list(accumulate(most for _, most in bounds))


def _scaled_weight(exponent: Fraction, count: int, bits: int) -> tuple[int, int]:
    """Integers around count exp(-exponent) 2^bits."""
    if exponent == 0:
        return count << bits, count << bits
    if exponent > bits:
        return 0, count
    low, high = exp_bounds(-exponent, bits)
    scale = count << bits
    return int(low * scale), ceil(high * scale)
