"""Many exact coins and uniform integers at once.

The coins of randomised response have probability k / 2^64 for a public integer k: heads is a 64-bit word below k. Every
k comes from `keep_threshold`, rounded so that the coin tells less, not more, than the epsilon it is made for:

    A report falls in a near set of a outcomes with probability P <= a e^epsilon / (a e^epsilon + b), evenly, and else
    in a far set of b outcomes, evenly. Then (P / a) / ((1 - P) / b) <= e^epsilon, whichever P of the grid that is.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers, Words
from graphveil.errors import ParameterError
from graphveil.kernels import light_kernel
from graphveil.mechanisms.noise.bulk import fit_rate
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noise.stream import exp_coin, fill_from_stream, ran_out
from graphveil.privacy.rounding import exp_bounds

GRID = 2**64
CHUNK = 2**20


@lru_cache(maxsize=1024)
def keep_threshold(epsilon: Fraction, *, near: int = 1, far: int = 1) -> int:
    """A k with k / 2^64 <= near e^epsilon / (near e^epsilon + far), the largest one or the next below it.

    >>> keep_threshold(Fraction(1)) / GRID
    0.7310585786300049
    """
    _, inverse = exp_bounds(-epsilon, bits=80)
    return int(GRID / (1 + Fraction(far, near) * inverse))


def flip_coins(noise: Noise, threshold: int, size: int) -> Bits:
    """That many independent coins, each true with probability threshold / 2^64."""
    if not 0 <= threshold < GRID:
        raise ParameterError(f"a coin's threshold lies in 0..2^64-1, not at {threshold}")
    coins = np.empty(size, dtype=np.bool_)
    for start in range(0, size, CHUNK):
        part = coins[start : start + CHUNK]
        np.less(noise.words(len(part)), np.uint64(threshold), out=part)
    return coins


def flip_exp_coins(noise: Noise, gaps: Integers, rate: Fraction) -> Bits:
    """One coin for each gap >= 0, true with probability exp(-rate gap).

    Gaps are cut where rate x gap passes 4096 or more, which can only bring two inputs closer together.
    """
    fitted = fit_rate(rate)
    heads = np.empty(len(gaps), dtype=np.bool_)
    near = np.minimum(gaps, 2**62 // fitted.numerator).astype(np.uint64)
    numerator, denominator = np.uint64(fitted.numerator), np.uint64(fitted.denominator)
    fill_from_stream(noise, heads, _fill_exp_coins, near, numerator, denominator)
    return heads


def flip_odds(noise: Noise, rate: Fraction, size: int) -> Bits:
    """That many coins of odds e^-rate, exactly: probability 1 / (1 + e^rate).

    A fair coin falls tails, and that is it, or heads, and then a coin of probability e^-rate has to agree; else again.
    """
    heads = np.zeros(size, dtype=np.bool_)
    waiting = np.arange(size)
    while len(waiting):
        waiting = waiting[noise.words(len(waiting)) >> np.uint64(63) == 1]
        agreed = flip_exp_coins(noise, np.ones(len(waiting), dtype=np.int64), rate)
        heads[waiting[agreed]] = True
        waiting = waiting[~agreed]
    return heads


@light_kernel
def _fill_exp_coins(halves: Any, out: Any, done: Any, gaps: Any, numerator: Any, denominator: Any) -> Any:
    cursor = np.zeros(1, dtype=np.int64)
    one = np.uint64(1)
    for i in range(done, len(out)):
        start = cursor[0]
        exponent = gaps[i] * numerator
        heads = exp_coin(halves, cursor, exponent % denominator, denominator, one, one)
        for _ in range(exponent // denominator):
            if not heads:
                break
            heads = exp_coin(halves, cursor, one, one, one, one)
        if ran_out(halves, cursor):
            return i, start
        out[i] = heads
    return len(out), cursor[0]


def sample_uniform(noise: Noise, bound: int, size: int) -> Integers:
    """That many uniform integers in 0..bound-1."""
    if not 1 <= bound <= 2**63:
        raise ParameterError(f"a bound for uniform integers lies in 1..2^63, not at {bound}")
    return _reduce(noise, noise.words(size), np.uint64(bound))


def sample_uniform_each(noise: Noise, bounds: Integers) -> Integers:
    """A uniform integer in 0..bound-1 for each of the bounds, all of them at least 1."""
    return _reduce(noise, noise.words(len(bounds)), bounds.astype(np.uint64))


def _reduce(noise: Noise, drawn: Words, bound: Any) -> Integers:
    """Words modulo a bound or one bound each; those from the largest multiple of it on are drawn again."""
    last, one = np.uint64(GRID - 1), np.uint64(1)
    top = last - (last % bound + one) % bound
    words = drawn.copy()
    while len(rejected := np.flatnonzero(words > top)):
        words[rejected] = noise.words_again(rejected)
    return np.asarray(words % bound, dtype=np.int64)
