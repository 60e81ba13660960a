"""Exact draws from a ladder by lazy inversion: no floating-point number decides, and time hardly depends on the data.

Rung t is drawn with probability proportional to n_t e^{-g t}, n_t the number of integers on it, then one of these
integers uniformly. A uniform number in [0, 1) is known to some bits; the sums of the weights are enclosed by decimals
rounded down and up, the infinite rest of the ladder by a geometric series. As soon as the known part of the number lies
within one rung for certain, that rung is the answer; otherwise more bits are drawn and the enclosures tightened, which
happens with a probability near 2^-48. (Rejection would be simpler, but its running time tells how wide the rungs are.)
"""

from __future__ import annotations

import math
from bisect import bisect_right
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.source import Noise

BITS = 48  # of the uniform number, drawn at a time
SPARE_DIGITS = 16


class Rungs(Protocol):
    """A symmetric law on integers: constant on each rung, e^-rate times as likely on the next."""

    @property
    def rate(self) -> Fraction:
        """What one rung costs."""
        ...

    def reach(self, count: int) -> NDArray[np.int64]:
        """The largest distance from the middle on each of the first rungs."""
        ...

    def tail(self, last_size: int) -> tuple[Fraction, Fraction]:
        """(a, r): after a rung t >= 1 of this size the next ones hold at most a, a r, a r^2 ...; r < e^rate."""
        ...


def sample_ladder(noise: Noise, middle: int, rungs: Rungs) -> int:
    """An integer X with P(X = x) proportional to exp(-rate rung(x - middle))."""
    bits, draw = 0, 0
    while True:
        bits += BITS
        draw = draw << BITS | noise.bits(BITS)
        reach: list[int] = rungs.reach(_terms(rungs, bits)).tolist()
        rung = _find_rung(draw, bits, reach, rungs)
        if rung is not None:
            return middle + _sample_on_rung(noise, reach, rung)


def rung_sizes(reach: list[int]) -> list[int]:
    """How many integers each rung holds."""
    return [2 * reach[0] + 1] + [2 * (far - near) for near, far in pairwise(reach)]


def _terms(rungs: Rungs, bits: int) -> int:
    """Enough rungs that the rest weighs about 2^-bits; only speed depends on it."""
    decay = float(rungs.rate) - math.log(rungs.tail(1)[1])
    return max(2, math.ceil((bits * math.log(2) + 8) / decay))


def _find_rung(draw: int, bits: int, reach: list[int], rungs: Rungs) -> int | None:
    """The rung that holds every number in [draw, draw + 1) 2^-bits of the total weight, if there is one."""
    digits = math.ceil(bits * math.log10(2)) + SPARE_DIGITS
    down = Context(prec=digits, rounding=ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    up = Context(prec=digits, rounding=ROUND_CEILING, Emax=MAX_EMAX, Emin=MIN_EMIN)
    sizes = rung_sizes(reach)
    # the decimal module's exp is within half a unit of the last digit whatever the rounding of its context
    smallest_ratio = down.next_minus(down.exp(_decimal(rungs.rate, up).copy_negate()))
    largest_ratio = up.next_plus(up.exp(_decimal(rungs.rate, down).copy_negate()))
    least, _ = _cumulate(sizes, smallest_ratio, down)
    most, power = _cumulate(sizes, largest_ratio, up)
    size, growth = rungs.tail(sizes[-1])
    beyond = down.subtract(Decimal(1), up.multiply(largest_ratio, _decimal(growth, up)))
    rest = up.divide(up.multiply(_decimal(size, up), power), beyond)
    cells = Decimal(1 << bits)
    low = down.divide(down.multiply(Decimal(draw), least[-1]), cells)
    high = up.divide(up.multiply(Decimal(draw + 1), up.add(most[-1], rest)), cells)
    rung = bisect_right(most, low) - 1
    return rung if rung < len(sizes) and high <= least[rung + 1] else None


def _cumulate(sizes: list[int], ratio: Decimal, context: Context) -> tuple[list[Decimal], Decimal]:
    """0 and the running sums of sizes[t] ratio^t, and the next power, all rounded the context's way."""
    sums, power = [Decimal(0)], Decimal(1)
    for size in sizes:
        sums.append(context.fma(Decimal(size), power, sums[-1]))
        power = context.multiply(power, ratio)
    return sums, power


def _decimal(x: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(x.numerator), Decimal(x.denominator))


def _sample_on_rung(noise: Noise, reach: list[int], rung: int) -> int:
    if rung == 0:
        return noise.below(2 * reach[0] + 1) - reach[0]
    distance = reach[rung - 1] + 1 + noise.below(reach[rung] - reach[rung - 1])
    return distance if noise.bits(1) else -distance
