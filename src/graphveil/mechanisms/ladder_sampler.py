"""Exact draws from a ladder by lazy inversion: no floating-point number decides, and time hardly depends on the data.

Rung t is drawn with probability proportional to n_t e^{-g t}, n_t the number of integers on it, then one of these
integers uniformly. A uniform number in [0, 1) is known to some bits; the sums of the weights are enclosed by decimals
rounded down and up, the infinite rest of the ladder by a geometric series. As soon as the known part of the number lies
within one rung for certain, that rung is the answer; otherwise more bits are drawn and the enclosures tightened, which
happens with a probability near 2^-48. (Rejection would be simpler, but its running time tells how wide the rungs are.)

From a public rung on, those of most ladders are equally wide. The rungs from there on are drawn as one, and how far up
by a geometric number: a list of all that might be drawn would grow with 1 / epsilon.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, TypeAlias

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.mechanisms.noise.bernoulli import sample_uniform_each
from graphveil.mechanisms.noise.samplers import sample_geometric
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure
from graphveil.privacy.rounding import directed, quotient

BITS = 48  # of the uniform number, drawn at a time
SPARE_DIGITS = 16
LARGEST = 2**61  # distances up to here fit 64 bits, and so do twice as large ones


class Rungs(Protocol):
    """A symmetric law on integers: constant on each rung, e^-rate times as likely on the next."""

    @property
    def epsilon(self) -> Fraction:
        """The loss of one draw, proved where the law is defined."""
        ...

    @property
    def rate(self) -> Fraction:
        """The loss for moving an outcome by one rung."""
        ...

    @property
    def steady(self) -> int | None:
        """A public number, at least 1, of the first rung that is as wide as all later ones, if there is one."""
        ...

    def reach(self, count: int) -> Integers:
        """The largest distance from the middle on each of the first rungs; Python's own integers where 64 bits end."""
        ...

    def tail(self, last_size: int) -> tuple[Fraction, Fraction]:
        """(a, r): after a rung t >= 1 of this size the next ones hold at most a, a r, a r^2 ...; r < e^rate."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderInteger:
    """A whole number with noise from the rungs of a ladder around it: a measurement."""

    what: str
    exact: int
    rungs: Rungs
    _sums: Sums = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def loss(self) -> Pure:
        """The epsilon of the ladder's law."""
        return Pure(self.rungs.epsilon)

    @property
    def text(self) -> str:
        """What is measured, and how; the widths of the rungs are private."""
        return f"measured the {self.what} with ladder noise, as wide as what one change can do near this graph"

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The number with noise, many times."""
        if runs == 1:
            return _whole([sample_ladder(noise, self.exact, self.rungs, self._sums)])
        return sample_ladder_vector(noise, self.exact, self.rungs, runs, self._sums)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LadderVector:
    """Whole numbers, each with noise from the rungs of its own ladder; one change moves `at_once` of them at most.

    It moves neither the other numbers nor their ladders, so the loss is `at_once` times that of one number.
    """

    what: str
    exact: tuple[int, ...]
    rungs: tuple[Rungs, ...]
    at_once: int

    @property
    def loss(self) -> Pure:
        """What the numbers cost that one change moves."""
        return Pure(self.at_once * max(rungs.epsilon for rungs in self.rungs))

    @property
    def text(self) -> str:
        """What is measured, and how; the widths of the rungs are private."""
        return (
            f"measured the {self.what}, {len(self.exact):,} numbers of which one change moves {self.at_once} at most, "
            "with ladder noise, as wide as what one change can do near this graph"
        )

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The numbers with noise, a row a run."""
        columns = [
            LadderInteger(what=self.what, exact=exact, rungs=rungs).draws(noise, runs)
            for exact, rungs in zip(self.exact, self.rungs, strict=True)
        ]
        return np.column_stack(columns)


def sample_ladder(noise: Noise, middle: int, rungs: Rungs, sums: Sums | None = None) -> int:
    """An integer X with P(X = x) proportional to exp(-rate rung(x - middle)).

    `sums` keeps the enclosures of these rungs for later draws. They are private, so they live no longer than that.
    """
    known = _Known(rungs, {} if sums is None else sums)
    return middle + _sample_distance(noise, known, noise.bits(BITS), BITS, rungs.steady)


def sample_ladder_vector(noise: Noise, middle: int, rungs: Rungs, size: int, sums: Sums | None = None) -> Integers:
    """That many of them: the sums are enclosed once, and the few draws which that does not settle go on one by one."""
    known = _Known(rungs, {} if sums is None else sums)
    cells = known.enclose(BITS, None)
    if max(cells.reach[-1], abs(middle)) > LARGEST:
        return _whole([sample_ladder(noise, middle, rungs, known.sums) for _ in range(size)])
    starts, ends = cells.borders()
    draws = (noise.words(size) >> np.uint64(64 - BITS)).astype(np.int64)
    found = np.minimum(np.searchsorted(starts, draws, side="right") - 1, len(ends) - 1)
    settled = draws < ends[found]
    reach = np.array(cells.reach)
    place = sample_uniform_each(noise, np.array(rung_sizes(cells.reach))[found])
    far = reach[found - 1] + 1 + place // 2
    distances = np.where(found == 0, place - reach[0], np.where(place % 2, far, -far))
    for i in np.flatnonzero(~settled):
        distances[i] = _sample_distance(noise, known, int(draws[i]), BITS, None)
    return np.asarray(middle + distances, dtype=np.int64)


def _whole(drawn: list[int]) -> AnyArray:
    """64-bit integers, or Python's own where one is too large."""
    return np.array(drawn, dtype=np.int64 if max(map(abs, drawn)) <= 2 * LARGEST else object)


def _sample_distance(noise: Noise, known: _Known, draw: int, bits: int, steady: int | None) -> int:
    """The distance from the middle that goes with a uniform number whose first bits are known.

    Cells hold a rung each, but for the last one if rungs from `steady` on are drawn as one.
    """
    while True:
        cells = known.enclose(bits, steady)
        rung = cells.find(draw)
        if rung is not None:
            beyond = cells.last_is_endless and rung == len(cells.reach) - 1
            steps = sample_geometric(noise, known.rungs.rate) if beyond else 0
            return _sample_on_rung(noise, cells.reach, rung, steps)
        bits += BITS
        draw = draw << BITS | noise.bits(BITS)


def rung_sizes(reach: list[int]) -> list[int]:
    """How many integers each rung holds."""
    return [2 * reach[0] + 1] + [2 * (far - near) for near, far in pairwise(reach)]


def _terms(rungs: Rungs, bits: int) -> int:
    """Enough rungs that the rest weighs about 2^-bits; only speed depends on it."""
    decay = float(rungs.rate) - math.log(rungs.tail(1)[1])
    return max(2, math.ceil((bits * math.log(2) + 8) / decay))


@dataclass(frozen=True, slots=True)
class _Enclosure:
    """Between which sums every rung certainly lies, for uniform numbers known to some bits."""

    reach: list[int]
    least: list[Decimal]
    most: list[Decimal]
    total: tuple[Decimal, Decimal]  # at least, at most, with the infinite rest of the ladder
    last_is_endless: bool  # whether the last sum holds all later rungs, too
    bits: int
    down: Context
    up: Context

    def find(self, draw: int) -> int | None:
        """The rung that holds every number in [draw, draw + 1) 2^-bits of the total weight, if there is one."""
        cells = Decimal(1 << self.bits)
        low = self.down.divide(self.down.multiply(Decimal(draw), self.total[0]), cells)
        high = self.up.divide(self.up.multiply(Decimal(draw + 1), self.total[1]), cells)
        rung = bisect_right(self.most, low) - 1
        return rung if rung < len(self.reach) and high <= self.least[rung + 1] else None

    def borders(self) -> tuple[Integers, Integers]:
        """(starts, ends): rung r certainly holds the numbers from starts[r] to before ends[r]."""
        cells = Decimal(1 << self.bits)
        starts = [math.ceil(self.up.divide(self.up.multiply(sum_, cells), self.total[0])) for sum_ in self.most[:-1]]
        ends = [math.floor(self.down.divide(self.down.multiply(sum_, cells), self.total[1])) for sum_ in self.least[1:]]
        return np.array(starts), np.array(ends)


Sums: TypeAlias = dict[tuple[int, int | None], _Enclosure]


@dataclass(frozen=True, slots=True)
class _Known:
    """Rungs with the enclosures that have been computed for them."""

    rungs: Rungs
    sums: Sums

    def enclose(self, bits: int, steady: int | None) -> _Enclosure:
        """The enclosure for uniform numbers of so many bits, computed once."""
        if (bits, steady) not in self.sums:
            self.sums[bits, steady] = _enclose(self.rungs, bits, steady)
        return self.sums[bits, steady]


def _enclose(rungs: Rungs, bits: int, steady: int | None) -> _Enclosure:
    """Sums for enough rungs, and what the rest weighs at most; or up to `steady`, which stands for all the rest."""
    needed = _terms(rungs, bits)
    endless = steady is not None and steady < needed
    reach: list[int] = rungs.reach(steady + 1 if steady is not None and endless else needed).tolist()
    digits = math.ceil(bits * math.log10(2)) + SPARE_DIGITS
    down, up = directed(digits)
    sizes = rung_sizes(reach)
    # the decimal module's exp is within half a unit of the last digit whatever the rounding of its context
    smallest_ratio = down.next_minus(down.exp(quotient(rungs.rate, up).copy_negate()))
    largest_ratio = up.next_plus(up.exp(quotient(rungs.rate, down).copy_negate()))
    least, small_power = _cumulate(sizes, smallest_ratio, down)
    most, power = _cumulate(sizes, largest_ratio, up)
    if endless:  # all further rungs are as large as the last, whose weight is in already
        fewest = down.divide(down.multiply(Decimal(sizes[-1]), small_power), up.subtract(Decimal(1), smallest_ratio))
        least[-1] = down.add(least[-1], fewest)
        size, growth = Fraction(sizes[-1]), Fraction(1)
    else:
        size, growth = rungs.tail(sizes[-1])
    beyond = down.subtract(Decimal(1), up.multiply(largest_ratio, quotient(growth, up)))
    rest = up.divide(up.multiply(quotient(size, up), power), beyond)
    total = (least[-1], up.add(most[-1], rest))
    if endless:
        most[-1] = total[1]
    return _Enclosure(reach, least, most, total, endless, bits, down, up)


def _cumulate(sizes: list[int], ratio: Decimal, context: Context) -> tuple[list[Decimal], Decimal]:
    """0 and the running sums of sizes[t] ratio^t, and the next power, all rounded the context's way."""
    sums, power = [Decimal(0)], Decimal(1)
    for size in sizes:
        sums.append(context.fma(Decimal(size), power, sums[-1]))
        power = context.multiply(power, ratio)
    return sums, power


def _sample_on_rung(noise: Noise, reach: list[int], rung: int, steps: int) -> int:
    """A place on that rung, or so many steps further up, where rungs are as wide."""
    if rung == 0:
        return noise.below(2 * reach[0] + 1) - reach[0]
    width = reach[rung] - reach[rung - 1]
    distance = reach[rung - 1] + steps * width + 1 + noise.below(width)
    return distance if noise.bits(1) else -distance
