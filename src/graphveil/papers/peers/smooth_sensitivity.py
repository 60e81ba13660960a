"""Number of triangles under edge privacy, with noise scaled to smooth sensitivity.

Paper      Nissim, Raskhodnikova, Smith 2007
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what n people allow; standard deviation about 10 LS_0 / epsilon
Cost       one exact count of triangles and a pruned pass over wedges
Differs    whole-number noise drawn exactly instead of a real number; an interval is paid for

Kept for comparison: `central.edge.triangles` has about a sixth of the error; it has the ladder function and the
number that the interval rests on. The smooth bound is J_0 of the smoothed
ladder with kappa at most epsilon / 10: it is at least LS_0, and J_0(G') <= J_1(G) <= (1 + kappa) J_0(G).

The paper adds S / alpha times a real number of density ~ 1 / (1 + z^4), alpha = beta = epsilon / 10, where S bounds the
local sensitivity and changes by at most e^beta between neighbours. Here everything is a whole number or a fraction:
S = J_0, the first width of the smoothed ladder with 1 + kappa <= e^beta, and X = f + k with probability
h(k / s) / Z(s), h(z) = 1 / (1 + z^4), s = 10 S / epsilon, Z(s) the sum of h(k / s) over all integers k.

Loss. Shift: |d ln h / dz| <= 3^(3/4) < 2.28, and f moves by at most S, that is alpha s. Scale: the derivative of
ln h(k / s) - ln Z(s) in ln s is 4 z^4 / (1 + z^4) minus a mean of such terms, within (-4, 4), and ln s moves by at most
beta. Together at most (2.28 + 4) epsilon / 10 < epsilon: the paper's constants leave room on the integers.

Drawing k with probability ~ h(k / s) is exact, by rejection. |k| falls into [0, w), [w, 2w), [2w, 4w) ... with
w = ceil(s); on [w 2^(j-1), w 2^j) the law is at most 16^(1-j) times its height at 0, so the blocks weigh 1, 1, 1/8,
1/64 ... . Acceptance is a fraction, and about one half for every s. It compares a 64-bit word with a floating-point
number where the two are so far apart that rounding cannot matter, and with the fraction itself, by as many more bits as
it takes, where they are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.central.edge.triangles import TRIANGLES
from graphveil.central.ladder_statistic import LadderStatistic
from graphveil.mechanisms.noise.bernoulli import sample_uniform
from graphveil.mechanisms.noise.samplers import bernoulli
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

SHARES = 10  # alpha = beta = epsilon / 10
FULL = math.pi / math.sqrt(2)  # integral of h
BITS = 64
FAR = 1e-9  # of an acceptance probability; rounding moves it by 1e-14
WIDEST = 2**60
DIGITS = 21  # of three bits each, in a word


def smooth_bound(ladder: Ladder, epsilon: Fraction) -> int:
    """S: at least I_0, and within a factor of 1 + kappa <= e^beta among neighbours."""
    return int(SmoothedLadder(ladder, epsilon, kappa_share=Fraction(1, SHARES)).widths(1)[0])


def noise_scale(bound: int, epsilon: Fraction) -> Fraction:
    """The scale s = 10 S / epsilon."""
    return SHARES * bound / epsilon


def heavy_tail_half_widths(scale: Fraction, least_scale: Fraction, failures: Floats) -> Floats:
    """Distances (to be rounded up) passed with at most these probabilities at every scale between the two.

    The weight beyond y is at most 2 s times the integral of h beyond y / s. Z(s) is at least s pi / sqrt(2) - 1 and at
    least 1, so Z(s) / s is smallest at the least scale, or at the point where the two are equal.
    """
    full = max(FULL - 1 / float(least_scale), FULL / 2)
    distances = np.concatenate([np.linspace(0, 4, 400), np.geomspace(4.01, 1e4, 800)])
    tails = np.array([min(1.0, 2 * _tail_integral(z) / full) for z in distances])
    widths: Floats = float(scale) * (1 + 1e-9) * np.interp(-failures, -tails, distances)
    return widths


def _tail_integral(z: float) -> float:
    """Integral of 1 / (1 + x^4) from z on; beyond 50 its first term 1 / (3 z^3), which is above it."""
    if z > 50:
        return 1 / (3 * z**3)
    root = math.sqrt(2)
    logs = math.log((z * z + root * z + 1) / (z * z - root * z + 1)) / (4 * root)
    angles = (math.atan(root * z + 1) + math.atan(root * z - 1)) / (2 * root)
    return FULL / 2 - logs - angles


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothInteger:
    """A whole number with heavy-tailed noise scaled to the smooth sensitivity of its ladder: a measurement."""

    what: str
    exact: int
    ladder: Ladder
    epsilon: Fraction

    @property
    def scale(self) -> Fraction:
        """10 S / epsilon; private, as S is."""
        return noise_scale(smooth_bound(self.ladder, self.epsilon), self.epsilon)

    @property
    def loss(self) -> Pure:
        """Pure epsilon, as proved above."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What is measured, and how; the scale is private."""
        return f"measured the {self.what} with heavy-tailed integer noise, scaled to its smooth sensitivity"

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The number with noise, many times."""
        return self.exact + sample_heavy_tail(noise, self.scale, runs)


@dataclass(frozen=True, slots=True)
class SmoothSensitivityTriangles(LadderStatistic):
    """The number of triangles with heavy-tailed noise.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> run(SmoothSensitivityTriangles(epsilon=Fraction(5000)), graph, SeededNoise(1)).value
    1
    """

    query = "triangles"
    count = TRIANGLES

    def noisy_count(self, exact: int, ladder: Ladder) -> SmoothInteger:
        """The count with noise of scale 10 S / epsilon."""
        return SmoothInteger(what=self.count.what, exact=exact, ladder=ladder, epsilon=self.count_epsilon)

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this LS_0."""
        return heavy_tail_half_widths(self._scale(bound, n_nodes), noise_scale(1, self.count_epsilon), failures)

    def law_std(self, bound: int, n_nodes: int) -> float:
        """The law has the standard deviation s, as the integral of z^2 / (1 + z^4) is that of 1 / (1 + z^4)."""
        return float(self._scale(bound, n_nodes))

    def _scale(self, bound: int, n_nodes: int) -> Fraction:
        return noise_scale(
            smooth_bound(self.count.bound.ladder_above(bound, n_nodes), self.count_epsilon), self.count_epsilon
        )


def sample_heavy_tail(noise: Noise, scale: Fraction, size: int) -> Integers:
    """Independent integers k with probability proportional to 1 / (1 + (k / scale)^4); zeros for scale 0."""
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


def _propose_many(noise: Noise, scale: Fraction, block: int, count: int) -> tuple[Integers, Bits]:
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
