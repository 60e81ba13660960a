"""What a campaign may be expected to yield, before anybody is asked: a rehearsal on an invented population.

Estimators without a closed variance are tried on people whose degrees follow a log-normal law with a guessed mean. The
result stands beside the error of the guess alone, so that a budget too small to beat guessing is seen in time. Nothing
private is used; what comes out is as good as the guess.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.lists import Integers, Lists
from graphveil.local.metrics import distribution_metrics
from graphveil.local.page import LocalPage
from graphveil.local.simulate import run_rounds
from graphveil.local.sources import seeded

SPREAD = 1.0  # standard deviation of the log-degree; between 0.9 and 1.4 in the public networks we know


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Mean errors of the protocol and of a guess that asks nobody, and advice in words."""

    metrics: dict[str, float]
    guess: dict[str, float]
    advice: str


def rehearse_degrees(page: LocalPage, *, mean_degree: float, runs: int = 5, seed: int = 1) -> Rehearsal:
    """Forecast the errors of a degree distribution from a guess at the mean degree."""
    if page.statistic != "degree-distribution":
        raise ParameterError(f"{page.name} collects {page.statistic}; only degree-distribution is rehearsed here")
    if not 0 < mean_degree < page.n_people:
        raise ParameterError(f"a mean degree lies between 0 and {page.n_people - 1}, not at {mean_degree}")
    degrees = invented_degrees(page.n_people, mean_degree)
    truth = np.bincount(degrees) / page.n_people
    lists = Lists.of_degrees(degrees)
    errors = [distribution_metrics(run_rounds(page, lists, seeded(seed + i)).value, truth) for i in range(runs)]
    metrics = {name: float(np.mean([error[name] for error in errors])) for name in errors[0]}
    even = np.full(2 * round(mean_degree) + 1, 1 / (2 * round(mean_degree) + 1))
    guess = distribution_metrics(even, truth)
    return Rehearsal(metrics, guess, _advice(page, metrics, guess))


def invented_degrees(n_people: int, mean_degree: float) -> Integers:
    """Evenly spaced quantiles of a log-normal law with that mean, in no particular order."""
    from scipy.special import ndtri

    middle = math.log(mean_degree + 0.5) - SPREAD**2 / 2
    quantiles = ndtri((np.arange(n_people) + 0.5) / n_people)
    degrees = np.minimum(np.exp(middle + SPREAD * quantiles), n_people - 1).astype(np.int64)
    return degrees[np.random.default_rng(0).permutation(n_people)]


def _advice(page: LocalPage, metrics: dict[str, float], guess: dict[str, float]) -> str:
    ours, theirs = metrics["wasserstein"], guess["wasserstein"]
    seen = f"expect to be {ours:.3g} degrees off on average, a mere guess is {theirs:.3g} off"
    if ours >= theirs:
        return f"do not ask {page.n_people:,} people at epsilon {float(page.epsilon):g}: {seen}"
    if ours >= theirs / 2:
        return f"ask more people or raise epsilon if you can: {seen}"
    return f"worth asking: {seen}"
