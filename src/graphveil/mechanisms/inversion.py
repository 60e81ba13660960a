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

from graphveil.mechanisms.enclosure import exp_bounds
from graphveil.mechanisms.source import Noise


def sample_exp_weights(noise: Noise, exponents: Sequence[Fraction], counts: Sequence[int]) -> int:
    """An index i with probability proportional to counts[i] exp(-exponents[i]); the least exponent must be 0.

    >>> from graphveil.mechanisms.source import SeededNoise
    >>> sample_exp_weights(SeededNoise(3), [Fraction(0), Fraction(5)], [1, 1000])
    1
    """
    bits = 64
    drawn = noise.bits(bits)
    while True:
        bounds = [_scaled_weight(x, count, bits) for x, count in zip(exponents, counts, strict=True)]
        low = list(accumulate(least for least, _ in bounds))
        high = list(accumulate(most for _, most in bounds))
        # the uniform number lies in [drawn, drawn + 1) / 2^bits, the total weight in [low[-1], high[-1]]
        index = min(bisect_left(low, -(-(drawn + 1) * high[-1] >> bits)), len(low) - 1)
        if index == 0 or high[index - 1] << bits <= drawn * low[-1]:
            return index
        drawn = drawn << bits | noise.bits(bits)
        bits *= 2


def _scaled_weight(exponent: Fraction, count: int, bits: int) -> tuple[int, int]:
    """Integers around count exp(-exponent) 2^bits."""
    if exponent == 0:
        return count << bits, count << bits
    if exponent > bits:
        return 0, count
    low, high = exp_bounds(-exponent, bits)
    scale = count << bits
    return int(low * scale), ceil(high * scale)
