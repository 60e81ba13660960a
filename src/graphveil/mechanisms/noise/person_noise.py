"""Discrete Laplace noise for each person of a crowd, drawn from that person's own stream and at that person's own rate.

The law is that of `bulk`; only the layout differs, and `fill_personal` has it for any compiled law. Everybody first
gets the same number of words. Whoever needs more gets more from their side stream and starts again at their own first
word, so a sample is one function of one endless stream, the same for every way of cutting it (`stream` says why that
matters).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers, Words
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.mechanisms.noise.bulk import LIMIT, MAX_RATE, draw_laplace, fit_rate
from graphveil.mechanisms.noise.person_streams import in_parts
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noise.stream import ran_out

WORDS = 16  # enough for all but a few people


def add_personal_laplace(noise: Noise, values: ArrayLike, rate: Fraction | tuple[ArrayLike, ArrayLike]) -> Integers:
    """Each person's integer plus noise X with P(X = x) proportional to exp(-rate |x|).

    A rate for each person is given as arrays of numerators and denominators, from 1 to 2^50.

    >>> from graphveil.mechanisms.noise.person_streams import CrowdNoise
    >>> add_personal_laplace(CrowdNoise(1, range(4)), [0, 0, 0, 0], Fraction(1, 9)).tolist()
    [-40, -25, -20, 16]
    >>> add_personal_laplace(CrowdNoise(1, [2]), [0], ([1], [9])).tolist()
    [-20]
    """
    centres = np.asarray(values, dtype=np.int64)
    above, below = _ratios(rate, len(centres))
    noisy = centres.copy()
    for part, part_noise in in_parts(noise, len(centres), WORDS):
        noisy[part] += fill_personal(part_noise, part.stop - part.start, _fill_rows, above[part], below[part])
    return noisy


def _ratios(rate: Fraction | tuple[ArrayLike, ArrayLike], people: int) -> tuple[Words, ...]:
    if isinstance(rate, Fraction):
        fitted = fit_rate(rate)
        rate = ([fitted.numerator] * people, [fitted.denominator] * people)
    above, below = (np.asarray(side, dtype=np.int64) for side in rate)
    if above.shape != (people,) or below.shape != (people,):
        raise ParameterError(f"{people} people need as many rates, not {above.shape} over {below.shape}")
    if people and not (
        above.min() >= 1 and below.min() >= 1 and below.max() <= LIMIT and (above / below).max() <= MAX_RATE
    ):
        raise ParameterError(f"noise rates need parts from 1 to 2^50 and lie at or below {MAX_RATE}")
    return above.astype(np.uint64), below.astype(np.uint64)


def fill_personal(noise: Noise, people: int, fill_rows: Callable[..., Any], *parameters: Any) -> Integers:
    """One sample a person of a compiled law.

    `fill_rows(halves, out, waiting, *parameters)` draws for person waiting[i] from row i, and says for each row whether
    it was long enough.
    """
    out = np.zeros(people, dtype=np.int64)
    waiting = np.arange(people)
    words = noise.words(people * WORDS).reshape(people, WORDS)
    while True:
        finished = fill_rows(words.view(np.uint32), out, waiting, *parameters)
        if finished.all():
            return out
        waiting, words = waiting[~finished], words[~finished]
        places = (waiting[:, np.newaxis] * WORDS + np.arange(WORDS)).ravel()
        words = np.hstack((words, noise.words_again(places).reshape(len(waiting), WORDS)))


@kernel
def _fill_rows(halves: Any, out: Any, waiting: Any, above: Any, below: Any) -> Any:
    finished = np.zeros(len(waiting), dtype=np.bool_)
    for i in range(len(waiting)):
        person = waiting[i]
        cursor = np.zeros(1, dtype=np.int64)
        x = draw_laplace(halves[i], cursor, above[person], below[person])
        if not ran_out(halves[i], cursor):
            out[person] = x
            finished[i] = True
    return finished
