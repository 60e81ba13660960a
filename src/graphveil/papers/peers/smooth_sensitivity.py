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
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.central.edge.triangles import TRIANGLES
from graphveil.central.ladder_statistic import LadderStatistic
from graphveil.mechanisms.heavy_tail import sample_heavy_tail_vector
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

SHARES = 10  # alpha = beta = epsilon / 10
FULL = math.pi / math.sqrt(2)  # integral of h


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
        return self.exact + sample_heavy_tail_vector(noise, self.scale, runs)


@dataclass(frozen=True, slots=True)
class SmoothSensitivityTriangles(LadderStatistic):
    """The number of triangles with heavy-tailed noise.

    >>> from graphveil.graph.core import Graph
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
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
