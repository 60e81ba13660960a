"""Number of triangles under edge privacy, with noise scaled to smooth sensitivity.

Paper      Nissim, Raskhodnikova, Smith 2007
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what n people allow; standard deviation about 10 LS_0 / epsilon
Cost       one exact count of triangles and a pruned pass over wedges
Differs    whole-number noise drawn exactly instead of a real number; an interval is paid for

Kept for comparison: `central.triangles` has about a sixth of the error. Loss: `mechanisms.smooth_sensitivity`; ladder
function and the number under the interval: `central.triangles`. The smooth bound is J_0 of the smoothed ladder with
kappa at most epsilon / 10: it is at least LS_0, and J_0(G') <= J_1(G) <= (1 + kappa) J_0(G).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.central.ladder_count import CountError, NoisyBound
from graphveil.central.ladders import rising_ladder
from graphveil.central.triangles import LadderTriangles
from graphveil.mechanisms.ladder import Ladder
from graphveil.mechanisms.smooth_sensitivity import heavy_tail_half_width, noise_scale, sample_heavy_tail, smooth_bound
from graphveil.mechanisms.source import Noise

BOUND_FAILS = 0.2  # share of the failure probability that the noisy bound may use


@dataclass(frozen=True, slots=True)
class SmoothSensitivityTriangles(LadderTriangles):
    """The number of triangles with heavy-tailed noise.

    >>> from graphveil.graph.core import Graph
    >>> from graphveil.mechanisms.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> SmoothSensitivityTriangles(epsilon=Fraction(5000)).run(graph, SeededNoise(1)).value
    1
    """

    query: ClassVar[str] = "triangles"

    def draw(self, noise: Noise, count: int, ladder: Ladder) -> int:
        """Noise of scale 10 S / epsilon."""
        scale = noise_scale(smooth_bound(ladder, self.count_epsilon), self.count_epsilon)
        return count + sample_heavy_tail(noise, scale)

    @property
    def law(self) -> str:
        """The same in words."""
        return "added whole-number noise with heavy tails, scaled to the smooth sensitivity of the count"

    def error(self, bound: NoisyBound, n_nodes: int) -> CountError:
        """What the noisy most common neighbours say about the noise."""
        return SmoothSensitivityError(bound, max(0, n_nodes - 2), self.count_epsilon)


@dataclass(frozen=True, slots=True)
class SmoothSensitivityError:
    """The error of a count with noise scaled to smooth sensitivity."""

    bound: NoisyBound
    most: int
    epsilon: Fraction

    def half_widths(self, failures: Sequence[float]) -> list[int]:
        """Distances between value and truth that are passed with at most these probabilities."""
        return [self._half_width(failure) for failure in failures]

    def _half_width(self, failure: float) -> int:
        scale = self._scale(self.bound.upper(BOUND_FAILS * failure))
        return heavy_tail_half_width(scale, noise_scale(1, self.epsilon), (1 - BOUND_FAILS) * failure)

    @property
    def std(self) -> float:
        """The law has the standard deviation s, as the integral of z^2 / (1 + z^4) is that of 1 / (1 + z^4)."""
        return float(self._scale(self.bound.noisy))

    def _scale(self, common: int) -> Fraction:
        return noise_scale(smooth_bound(rising_ladder(common, self.most), self.epsilon), self.epsilon)
