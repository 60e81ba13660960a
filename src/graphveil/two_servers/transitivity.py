"""Transitivity with two servers: three times the triangles over the paths of two edges.

Both are collected after one round of noisy degrees. An entry of a list is in one degree, in the count of triangles and
in the count of stars with two leaves (paths), so it costs the sum of the three losses, which is epsilon. Stars have no
hubs: an entry of a hub moves them by its whole degree. So they are cut at the largest noisy degree, not at the limit of
those who are no hubs, which would drop most paths of a hub.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from graphveil.arrays import Integers
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.two_servers.sum_statistics import Estimated, Stars
from graphveil.two_servers.triangle_terms import Answers, TriangleTerms
from graphveil.two_servers.triangles import Triangles

STAR_SHARE = Fraction(2, 5)
FAILURE = 0.025  # of each of the two intervals, so that both hold in 95 % of cases


@dataclass(frozen=True, slots=True)
class Transitivity:
    """The plan of a campaign: that of triangles, at the epsilon of both counts."""

    plan: Triangles
    name = "transitivity"

    @property
    def star_epsilon(self) -> Fraction:
        """Of the count of stars."""
        return STAR_SHARE * self.plan.epsilon

    @property
    def triangles(self) -> Triangles:
        """The rounds that count triangles, with the noisy degrees, at what is left."""
        return replace(self.plan, epsilon=self.plan.epsilon - self.star_epsilon)

    def stars(self, noisy_degrees: Integers | None) -> Stars:
        """Stars with two leaves, with degrees cut at a limit that noisy degrees, or the public, know."""
        return Stars(self.plan.n_people, replace(self.triangles, hubs=0).terms(noisy_degrees).max_degree)

    def star_rate(self, stars: Stars) -> Fraction:
        """Of each server's noise on the stars."""
        return laplace_rate(self.star_epsilon, stars.sensitivity)

    def conclude(
        self,
        terms: TriangleTerms,
        opened: int,
        answers: Answers,
        noisy_degrees: Integers | None,
        stars: Stars,
        total: Integers,
    ) -> Estimated:
        """The ratio of both counts; its interval holds where both of theirs hold."""
        count = self.triangles.conclude(terms, opened, answers, noisy_degrees, FAILURE)
        paths = stars.conclude(total, self.star_rate(stars), FAILURE)
        value, low, high = (
            _ratio(above, below)
            for above, below in ((count.value, paths.value), (count.low, paths.high), (count.high, paths.low))
        )
        return Estimated(value, low, high, None)


def _ratio(triangles: float | list[float], paths: float | list[float]) -> float:
    """Transitivity, between 0 and 1; 1 where there may be no path at all, as an upper end."""
    assert not isinstance(triangles, list)
    assert not isinstance(paths, list)
    return min(1.0, max(0.0, 3 * triangles / paths)) if paths > 0 else float(triangles > 0)
