"""Compiled exact samplers read one endless stream of random 32-bit halves; this module hands it out in chunks.

Resuming. Sample i is a deterministic function of the stream from where sample i - 1 stopped reading. When a chunk ends
within a sample, that sample is not finished, guessed or dropped (dropping would favour the samples that read little,
which are the small ones): it starts again at its own first half with a longer chunk, so it reads the same halves as
before and then fresh ones. What comes out is thus one function of the endless stream, the same for every way of cutting
it into chunks, and a cut cannot bias it. Halves that no sample read are independent of those read; they are let go.

A kernel that fills an array has the form `fill(halves, out, done, *parameters) -> (done, position)`: it writes samples
from entry `done` on, reads with a one-entry array `cursor`, and where `ran_out` says so after a sample it returns that
sample's number and where it started.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.kernels import light_kernel
from graphveil.mechanisms.noise.source import Noise

CHUNK_WORDS = 2**14  # 128 kB: stays in the processor's cache


def fill_from_stream(noise: Noise, out: AnyArray, fill: Callable[..., Any], *parameters: Any) -> None:
    """Fill an array with samples of a compiled law."""
    halves = np.empty(0, dtype=np.uint32)
    done = position = 0
    while done < len(out):
        fresh = noise.words(min(CHUNK_WORDS, 64 + 8 * (len(out) - done)))
        halves = np.concatenate([halves[position:], fresh.view(np.uint32)])
        done, position = fill(halves, out, done, *parameters)


@light_kernel
def ran_out(halves: Any, cursor: Any) -> Any:
    """Whether a sample asked for more than the chunk holds; it is then worthless."""
    return cursor[0] > len(halves)


@light_kernel
def below(halves: Any, cursor: Any, bound: Any) -> Any:
    """Uniform in 0..bound-1; past the end of the chunk bound - 1, which ends the run of coins below."""
    one, low_bits = np.uint64(1), np.uint64(0xFFFFFFFF)
    if bound <= low_bits:  # Lemire (2019): multiply, and reject the few products that would favour some results
        while cursor[0] < len(halves):
            product = np.uint64(halves[cursor[0]]) * bound
            cursor[0] += 1
            low = product & low_bits
            if low >= bound or low >= (low_bits - bound + one) % bound:
                return product >> np.uint64(32)
    else:
        mask = bound - one
        for shift in (1, 2, 4, 8, 16, 32):
            mask |= mask >> np.uint64(shift)
        while cursor[0] + 1 < len(halves):
            high, low = np.uint64(halves[cursor[0]]), np.uint64(halves[cursor[0] + 1])
            cursor[0] += 2
            draw = (high << np.uint64(32) | low) & mask
            if draw < bound:
                return draw
    cursor[0] = len(halves) + 1
    return bound - one


@light_kernel
def exp_coin(halves: Any, cursor: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """True with probability exp(-(a/b)(c/d)), both ratios at most 1: the parity of a run of coins (a/b)(c/d)/k.

    False past the end of the chunk: a loop that goes on after tails has to ask `ran_out`.
    """
    k = np.uint64(1)
    while (
        (k == np.uint64(1) or below(halves, cursor, k) == np.uint64(0))
        and (a == b or below(halves, cursor, b) < a)
        and (c == d or below(halves, cursor, d) < c)
    ):
        k += np.uint64(1)
    return k & np.uint64(1) == np.uint64(1) and not ran_out(halves, cursor)
