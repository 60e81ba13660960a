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

from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.triangles import LadderTriangles
from graphveil.mechanisms.ladder import Ladder
from graphveil.mechanisms.ladder_accuracy import Floats
from graphveil.mechanisms.noisy_numbers import HeavyTailed
from graphveil.mechanisms.smooth_sensitivity import heavy_tail_half_widths, noise_scale, smooth_bound


@dataclass(frozen=True, slots=True)
class SmoothSensitivityTriangles(LadderTriangles):
    """The number of triangles with heavy-tailed noise.

    >>> from graphveil.graph.core import Graph
    >>> from graphveil.mechanisms.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> SmoothSensitivityTriangles(epsilon=Fraction(5000)).run(graph, SeededNoise(1)).value
    1
    """

    query = "triangles"

    def noisy_count(self, exact: int, ladder: Ladder) -> HeavyTailed:
        """Noise of scale 10 S / epsilon."""
        return HeavyTailed(exact, noise_scale(smooth_bound(ladder, self.count_epsilon), self.count_epsilon))

    @property
    def law(self) -> str:
        """The same in words."""
        return "added whole-number noise with heavy tails, scaled to the smooth sensitivity of the count"

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this LS_0."""
        return heavy_tail_half_widths(self._scale(bound, n_nodes), noise_scale(1, self.count_epsilon), failures)

    def law_std(self, bound: int, n_nodes: int) -> float:
        """The law has the standard deviation s, as the integral of z^2 / (1 + z^4) is that of 1 / (1 + z^4)."""
        return float(self._scale(bound, n_nodes))

    def _scale(self, bound: int, n_nodes: int) -> Fraction:
        return noise_scale(smooth_bound(self.ladder_above(bound, n_nodes), self.count_epsilon), self.count_epsilon)
