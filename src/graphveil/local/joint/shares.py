"""Which share of epsilon goes to the degree in a joint campaign: forecast from public values, before anybody is asked.

A larger share makes degrees sharper, and with them the bounds of counts; it leaves less for answers and counts. For
each share the error of every statistic is forecast on invented people, whose degrees follow a log-normal law with a
mean of 20 friends (as in `local.forecast`) and of whose friends a share of .4 know each other:

    degree-distribution  grows like the root of the deviation of a noisy degree. Measured on public networks, the mean
                         of the relative error (power .25) and of the Wasserstein distance (power .5 to .85)
    triangle-sequence    what is left of a count that is moved towards the typical one at its degree
    clustering           the same, as a share of the pairs of friends
    triangles            the noise of all counts

The share with the smallest product of errors is taken: nothing is gained by one statistic where another loses more.
But the degree gets no less than it would get in one of as many separate campaigns, so that its distribution is no worse
off together, and no more than a half: the forecast of a small epsilon is that counts tell nothing, and would give them
nothing. Errors are compared with each other, never with data; the guess decides how good an answer is, and nothing
about privacy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.local.clustering.veil import CLOSURE, ONE_PAIR_IN
from graphveil.local.estimation.clustering_curve import START, TYPICAL_VARIANCE
from graphveil.local.forecast import invented_degrees
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.randomizers import ScaledStaircase
from graphveil.local.triangles.counts import Budget, SizeLimits

STEPS = 20  # shares are multiples of 1/20
MEAN_DEGREE = 20.0
INVENTED = 101  # people
FALLBACK = Fraction(2, 5)  # where epsilon is so small that an answer says nothing


@lru_cache(maxsize=256)
def best_degree_share(statistics: tuple[str, ...], method: str, epsilon: Fraction, n_people: int) -> Fraction:
    """The share of epsilon for the degree with the smallest product of forecast errors.

    >>> best_degree_share(("degree-distribution", "triangle-sequence", "clustering"), "split", Fraction(1), 4039)
    Fraction(9, 20)
    """
    least = Fraction(1, len(statistics)) if "degree-distribution" in statistics else Fraction(0)
    tried = [Fraction(step, STEPS) for step in range(1, STEPS // 2 + 1) if Fraction(step, STEPS) >= least]
    forecast = {share: errors for share in tried for errors in _forecasts(method, epsilon, share, n_people)}
    if not forecast:
        return FALLBACK

    def product(share: Fraction) -> float:
        return sum(math.log(forecast[share][name]) for name in statistics)

    return min(forecast, key=product)


def _forecasts(method: str, epsilon: Fraction, share: Fraction, n_people: int) -> Iterator[dict[str, float]]:
    """The error of each statistic; none where an answer about a pair would say nothing."""
    try:
        yield forecast_share(method, epsilon, share, n_people)
    except ParameterError:
        return


def forecast_share(method: str, epsilon: Fraction, share: Fraction, n_people: int) -> dict[str, float]:
    """The error of each statistic at one share; errors of one statistic can be compared, those of two cannot."""
    budget, weight = joint_budget(method, epsilon, share), 1 if method == "whole" else ONE_PAIR_IN
    degrees = invented_degrees(INVENTED, min(MEAN_DEGREE, (n_people - 1) / 2), n_people - 1)
    noise, of_degree = _noise(budget, degrees, weight), 2 / float(budget.degree) ** 2
    pairs = np.maximum(degrees * (degrees - 1) / 2, 0.5)
    unknown = START**2 * (degrees**2 * np.minimum(of_degree, degrees**2))  # from a degree that is off by its noise
    own = TYPICAL_VARIANCE * pairs**2 + unknown
    explained = TYPICAL_VARIANCE * pairs**2 / (own + noise)
    return {
        "degree-distribution": of_degree**0.25,
        "triangle-sequence": float(np.sqrt(own * noise / (own + noise)).mean()),
        "clustering": float(np.sqrt(TYPICAL_VARIANCE * (1 - explained)).mean()),
        "triangles": math.sqrt(float(noise.mean())),
    }


def joint_budget(method: str, epsilon: Fraction, share: Fraction) -> Budget:
    """split: what is left for an answer, and once more for a count; whole: half of it for each."""
    degree = epsilon * share
    left = (epsilon - degree) / (2 if method == "whole" else 1)
    return Budget(degree=degree, pairs=left, count=left)


def _noise(budget: Budget, degrees: Integers, weight: int) -> Floats:
    """Variance of everybody's count: its own noise, and flipped answers."""
    response, limits = PairResponse(budget.pairs), SizeLimits(CLOSURE, "degree")
    bounds = limits.bounds({"degree": degrees}, np.full(len(degrees), 2**31), budget, 0)
    widths = limits.widths(bounds, response, weight)
    own = ScaledStaircase(budget.count).variances(widths) / (PARTS * float(response.gain)) ** 2
    return np.asarray(own + degrees * (degrees - 1) / 2 * response.variance * weight)
