"""Whole numbers k with probability proportional to 1 / (1 + (k / s)^4), drawn exactly by rejection.

|k| falls into [0, w), [w, 2w), [2w, 4w) ... with w = ceil(s); on [w 2^(j-1), w 2^j) the law is at most 16^(1-j) times
its height at 0, so the blocks weigh 1, 1, 1/8, 1/64 ... . Acceptance is a fraction, and about one half for every s.

In bulk, acceptance compares a 64-bit word with a floating-point number where the two are so far apart that rounding
cannot matter, and with the fraction itself, by as many more bits as it takes, where they are not.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Integers
from graphveil.mechanisms.noise.bernoulli import sample_uniform
from graphveil.mechanisms.noise.samplers import bernoulli
from graphveil.mechanisms.noise.source import Noise

BITS = 64
FAR = 1e-9  # of an acceptance probability; rounding moves it by 1e-14
WIDEST = 2**60
DIGITS = 21  # of three bits each, in a word


def sample_heavy_tail(noise: Noise, scale: Fraction) -> int:
    """An integer k with probability proportional to 1 / (1 + (k / scale)^4); 0 for scale 0."""
    if scale == 0:
        return 0
    while True:
        proposed = _propose(noise, scale, _sample_block(noise))
        if proposed is not None:
            return proposed


def sample_heavy_tail_vector(noise: Noise, scale: Fraction, size: int) -> Integers:
    """Independent integers, each with the law of `sample_heavy_tail`."""
    drawn = np.zeros(size, dtype=np.int64)
    waiting = np.arange(size if scale else 0)
    while len(waiting):
        blocks = _sample_blocks(noise, len(waiting))
        accepted = np.zeros(len(waiting), dtype=np.bool_)
        for block in np.unique(blocks).tolist():
            mine = np.flatnonzero(blocks == block)
            drawn[waiting[mine]], accepted[mine] = _propose_many(noise, scale, block, len(mine))
        waiting = waiting[~accepted]
    return drawn


def _propose(noise: Noise, scale: Fraction, block: int) -> int | None:
    """A number of this block, or none if it is turned down."""
    start, width = _block_range(scale, block)
    size = start + noise.below(width)
    negative = noise.bits(1) == 1
    if (size or not negative) and bernoulli(noise, _height(scale, block, size)):
        return -size if negative else size
    return None


def _propose_many(noise: Noise, scale: Fraction, block: int, count: int) -> tuple[Integers, NDArray[np.bool_]]:
    """Numbers of this block, and which of them are accepted."""
    start, width = _block_range(scale, block)
    if start + width > WIDEST:
        tries = [_propose(noise, scale, block) for _ in range(count)]
        return np.array([k or 0 for k in tries], dtype=np.int64), np.array([k is not None for k in tries])
    sizes = start + sample_uniform(noise, width, count)
    negative = (noise.words(count) & np.uint64(1)) == 1
    heights = 16.0 ** max(0, block - 1) / (1 + (sizes / float(scale)) ** 4)
    words = noise.words(count)
    uniform = words / 2.0**BITS
    heads = uniform < heights
    for i in np.flatnonzero(np.abs(uniform - heights) < FAR):
        heads[i] = _lies_below(noise, int(words[i]), _height(scale, block, int(sizes[i])))
    return np.where(negative, -sizes, sizes), heads & ((sizes > 0) | ~negative)


def _block_range(scale: Fraction, block: int) -> tuple[int, int]:
    """Where a block starts, and how many numbers it holds."""
    width = math.ceil(scale)
    start = 0 if block == 0 else width << (block - 1)
    return start, max(start, width)


def _height(scale: Fraction, block: int, size: int) -> Fraction:
    """The law at this size over its bound on the block."""
    fourth, unit = scale.numerator**4, scale.denominator**4
    return Fraction(fourth, fourth + unit * size**4) * (1 << 4 * max(0, block - 1))


def _lies_below(noise: Noise, drawn: int, probability: Fraction) -> bool:
    """Whether a uniform number whose first bits are known lies below a fraction."""
    bits = BITS
    while True:
        border = probability * (1 << bits)
        if drawn + 1 <= border or drawn >= border:
            return drawn < border
        drawn = drawn << BITS | noise.bits(BITS)
        bits += BITS


def _sample_block(noise: Noise) -> int:
    """Block 0, 1, 2, 3 ... with weights 1, 1, 1/8, 1/64 ... (their sum is 15/7)."""
    return 0 if noise.below(15) < 7 else 1 + _count_zeros(noise)


def _count_zeros(noise: Noise) -> int:
    """How many octal digits are zero before one is not."""
    zeros = 0
    while noise.bits(3) == 0:
        zeros += 1
    return zeros


def _sample_blocks(noise: Noise, count: int) -> Integers:
    words = noise.words(count) >> np.uint64(1)  # 21 octal digits
    lowest = words & (~words + np.uint64(1))
    zeros = np.where(words > 0, np.bitwise_count(lowest - np.uint64(1)).astype(np.int64) // 3, DIGITS)
    for i in np.flatnonzero(words == 0):
        zeros[i] += _count_zeros(noise)
    return np.where(sample_uniform(noise, 15, count) < 7, 0, 1 + zeros)
