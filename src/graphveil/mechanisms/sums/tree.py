"""Sums over time from noisy blocks of steps: a tree without a root.

A number changes from step to step, and its value after every step is to be published. Level 1 has a block for each
step, level 2 one for each b_1 steps, level 3 one for each b_1 b_2 steps, and so on; the highest level goes on for ever.
When a block ends, its change gets noise once, and is never drawn again. The value after step t is the sum of the blocks
that cover 1 to t.

Theorem. Let the changes of two neighbouring streams differ by at most D in all, and let h be the number of levels.
Blocks with discrete Laplace noise of rate epsilon / (h D) are epsilon-private together, for however many steps, also
where later events depend on earlier answers. Proof: the blocks of one level are disjoint, so their sums differ by at
most D in all; h levels differ by h D. A block depends on steps up to its end alone, so blocks can be taken in the order
of their ends, and the differences add up to h D on every path.

A block of a higher level is known twice: by its own noise, and by the sum of its parts. The mean of both is used, with
weights in inverse proportion to their variances. With v_1 = 1, its variance over that of one noise is v_(l+1) =
1 / (1 + 1 / (b_l v_l)). Answers are weighted sums of the noisy blocks, and their weights are public.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from graphveil.arrays import Floats
from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import LEVELS, discrete_laplace_std

WIDEST = 40  # parts of a block
LARGEST_GRID = 1 << 18
FINE = Fraction(1, 64)  # rate of discrete noise that stands for continuous noise
SPREAD = 35  # standard deviations within which noise is looked at: beyond lies less than 1e-15


@dataclass(frozen=True)
class Tree:
    """Blocks of steps; `radix` says how many blocks of each level make one of the next.

    >>> Tree((3,)).finished(6), Tree((3,)).cover(8)
    ([0, 1], [(1, 0), (1, 1), (0, 6), (0, 7)])
    """

    radix: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if any(parts < 2 for parts in self.radix):
            raise ParameterError(f"a block has at least 2 parts, not {min(self.radix)}")

    @property
    def height(self) -> int:
        """The number of levels, by which epsilon is divided."""
        return len(self.radix) + 1

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """How many steps a block of each level has."""
        return tuple(math.prod(self.radix[:level]) for level in range(self.height))

    @cached_property
    def variances(self) -> tuple[Fraction, ...]:
        """The variance of what is known of a finished block of each level, over that of one noise."""
        known = [Fraction(1)]
        for parts in self.radix:
            known.append(1 / (1 + 1 / (parts * known[-1])))
        return tuple(known)

    def finished(self, step: int) -> list[int]:
        """The levels of the blocks that end with this step, each of which is drawn now."""
        return [level for level, width in enumerate(self.widths) if step % width == 0]

    def cover(self, step: int) -> list[tuple[int, int]]:
        """The fewest finished blocks that make up the steps 1 to this one: (level, number of the block)."""
        blocks, done = [], 0
        for level in reversed(range(self.height)):
            width = self.widths[level]
            while done + width <= step:
                blocks.append((level, done // width))
                done += width
        return blocks

    def weights(self, step: int) -> dict[tuple[int, int], Fraction]:
        """What every noisy block counts in the value after this step."""
        return dict(part for block in self.cover(step) for part in self._parts(*block, Fraction(1)))

    def _parts(self, level: int, index: int, weight: Fraction) -> Iterator[tuple[tuple[int, int], Fraction]]:
        own = self.variances[level]
        yield (level, index), weight * own
        if level:
            for part in range(self.radix[level - 1]):
                yield from self._parts(level - 1, index * self.radix[level - 1] + part, weight * (1 - own))

    def spread(self, steps: int) -> Floats:
        """The variance after every step from 1 on, over that of one noise."""
        left = np.arange(1, steps + 1)
        total = np.zeros(steps)
        for level in reversed(range(self.height)):
            count, left = np.divmod(left, self.widths[level])
            total += count * float(self.variances[level])
        return total

    def rms(self, rate: Fraction, steps: int) -> float:
        """The root mean square error over so many steps, where `rate` is epsilon over the change of one unit."""
        return discrete_laplace_std(rate / self.height) * math.sqrt(float(self.spread(steps).mean()))


@cache
def best_tree(steps: int, rate: Fraction) -> Tree:
    """The tree of up to three levels with the smallest mean square error over so many steps.

    >>> best_tree(12, Fraction(1)).radix, best_tree(365, Fraction(1)).radix
    ((), (18,))
    """
    most = min(WIDEST, steps)
    shapes: list[tuple[int, ...]] = [(), *((parts,) for parts in range(2, most + 1))]
    if steps > 100:
        shapes += [(first, second) for first in range(3, 25, 2) for second in range(3, 25, 2)]
    return min((Tree(shape) for shape in shapes), key=lambda tree: tree.rms(rate, steps))


def noise_reach(weights: list[Fraction], rate: Fraction, levels: tuple[float, ...] = LEVELS) -> tuple[float, ...]:
    """How far a weighted sum of independent discrete Laplace noises lies from 0, at most, with each probability.

    Weights are fractions, so the sum lies on a grid; its exact law is found from the product of the characteristic
    functions on it. Where the grid would be large, the law of continuous noise gives a bound (`_continuous_reach`).

    >>> noise_reach([Fraction(1)], Fraction(1), (0.95,))
    (3.0,)
    """
    counts = Counter(weights)
    step = math.lcm(*(weight.denominator for weight in counts))
    deviation = discrete_laplace_std(rate) * math.sqrt(sum(float(w) ** 2 * n for w, n in counts.items()))
    size = 1 << math.ceil(math.log2(2 * step * (SPREAD * deviation + 4)))
    if size > LARGEST_GRID and rate < FINE:
        half = float(sum(weights)) / 2
        return tuple(reach / float(rate) + half for reach in _continuous_reach(tuple(sorted(weights)), levels))
    angles = 2 * np.pi * np.arange(size) / size
    ratio = math.exp(-float(rate))
    law = np.ones(size)
    for weight, count in counts.items():
        whole = int(weight * step)
        law *= ((1 - ratio) ** 2 / (1 - 2 * ratio * np.cos(whole * angles % (2 * np.pi)) + ratio**2)) ** count
    mass = np.maximum(0.0, np.fft.fft(law).real / size)[: size // 2]
    within = mass[0] + 2 * np.cumsum(np.concatenate(([0.0], mass[1:])))
    places = np.minimum(np.searchsorted(within, np.array(levels) + 1e-10), len(within) - 1)
    return tuple((places / step).tolist())


@cache
def _continuous_reach(weights: tuple[Fraction, ...], levels: tuple[float, ...]) -> tuple[float, ...]:
    """A bound on the reach of a weighted sum of continuous Laplace noises of rate 1.

    Discrete noise X of a rate has P(|X| >= k) = 2 r^k / (1 + r) with r = e^-rate, which lies between r^k and
    r^(k - 1/2). So X and continuous noise L of the rate can be drawn together with the same sign and |X| <= |L| + 1/2;
    and L / u together with discrete noise Y of u times the rate so that |L| <= u (|Y| + c), where 1 - c is
    ln(2 / (1 + r)) over the rate of Y. Noise of rate 1 is thus bounded by u = FINE times noise of the rate FINE.
    """
    unit = float(FINE)
    beyond = 1 - math.log(2 / (1 + math.exp(-unit))) / unit
    more = beyond * float(sum(weights))
    return tuple(unit * (reach + more) for reach in noise_reach(list(weights), FINE, levels))
