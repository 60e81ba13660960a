"""What a campaign may be expected to yield, before anybody is asked: a campaign simulated on an invented population.

Estimators without a closed variance are tried on people whose degrees follow a log-normal law with a guessed mean; what
is counted in triangles, on a generated network with that mean and a guessed clustering. The result stands beside the
error of the guess alone, so that a budget too small to beat guessing is seen in time. Nothing private is used; what
comes out is as good as the guess.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.learn.affinity import laplace_variance
from graphveil.local.attributes.class_rows import LocalClassRows
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol
from graphveil.local.result import CollectionResult
from graphveil.local.simulate import even_choices, run_rounds, seeded
from graphveil.local.statistics import DISTRIBUTIONS, QUESTION, distribution_metrics, find_statistic, share_metrics
from graphveil.local.suggestions.protocol import FriendSuggestions
from graphveil.local.suggestions.score import needed_in_common

MEAN_OVER_STD = math.sqrt(2 / math.pi)  # of a normal error
DEGREES_OFF = "degrees off on average"
SPREAD = 1.0  # standard deviation of the log-degree; between 0.9 and 1.4 in the public networks we know


@dataclass(frozen=True, slots=True)
class Forecast:
    """Mean errors of the protocol and of a guess that asks nobody, the deviation to be stated, advice in words.

    `std` is the mean deviation of an entry, in units of the answer, and None where results state none.
    """

    metrics: dict[str, float]
    guess: dict[str, float]
    advice: str
    std: float | None = None

    @property
    def columns(self) -> tuple[str, str, str]:
        """What a table shows of it: the error, how large it is expected to be, and what stands beside it."""
        return {
            "friends_in_common": ("seen in the noisy graph", "by noise", "two friends"),
            "friends_in_a_class": ("seen in a row", "by noise", "on average"),
        }.get(next(iter(self.metrics)), ("error", "expected", "a guess"))


def forecast_errors(protocol: LocalProtocol, *, mean_degree: float, clustering: float) -> Forecast:
    """Forecast the errors of a protocol from guesses at the mean degree and, where triangles count, the clustering."""
    if protocol.statistic in DISTRIBUTIONS:
        return forecast_degrees(protocol, mean_degree=mean_degree)
    if protocol.statistic == QUESTION:
        return forecast_answers(protocol)
    if isinstance(protocol, LocalClassRows):
        return forecast_rows(protocol, mean_degree=mean_degree)
    if isinstance(protocol, FriendSuggestions):
        return forecast_suggestions(protocol, mean_degree=mean_degree, clustering=clustering)
    return forecast_network(protocol, mean_degree=mean_degree, clustering=clustering)


def forecast_degrees(protocol: LocalProtocol, *, mean_degree: float, runs: int = 5, seed: int = 1) -> Forecast:
    """Forecast the errors of a degree distribution from a guess at the mean degree."""
    if protocol.statistic not in DISTRIBUTIONS:
        raise ParameterError(
            f"{protocol.name} collects {protocol.statistic}; only {' and '.join(DISTRIBUTIONS)} are forecast here"
        )
    if not 0 < mean_degree < protocol.n_people:
        raise ParameterError(f"a mean degree lies between 0 and {protocol.n_people - 1}, not at {mean_degree}")
    degrees = invented_degrees(protocol.n_people, mean_degree)
    truth = np.bincount(degrees) / protocol.n_people
    lists = replace(Lists.of_degrees(degrees), choices=even_choices(protocol))
    outcomes = [run_rounds(protocol, lists, seeded(seed + i)) for i in range(runs)]
    metrics = _mean_metrics(distribution_metrics, outcomes, truth)
    guess = _even_guess(mean_degree, truth)
    advice = _advice(protocol, metrics, guess, "wasserstein", DEGREES_OFF)
    return Forecast(metrics, guess, advice, _mean_std(outcomes))


def forecast_answers(protocol: LocalProtocol, *, runs: int = 5, seed: int = 1) -> Forecast:
    """Forecast the errors of shares of answers, of which the j-th is given 1 / j as often as the first.

    The guess that asks nobody is that all answers are given equally often.
    """
    count = len(getattr(protocol, "values", ("no", "yes")))
    shares = 1 / np.arange(1, count + 1) / np.sum(1 / np.arange(1, count + 1))
    ends = np.round(np.cumsum(shares) * protocol.n_people).astype(np.int64)
    answers = np.searchsorted(ends, np.arange(protocol.n_people), side="right").astype(np.int64)
    truth = np.bincount(answers, minlength=count) / protocol.n_people
    outcomes = [run_rounds(protocol, Lists.of_degrees(answers), seeded(seed + i)) for i in range(runs)]
    metrics = _mean_metrics(share_metrics, outcomes, truth)
    guess = share_metrics(np.full(count, 1 / count), truth)
    advice = _advice(protocol, metrics, guess, "relative_error", "of the whole off")
    return Forecast(metrics, guess, advice, _mean_std(outcomes))


def forecast_rows(protocol: LocalClassRows, *, mean_degree: float) -> Forecast:
    """Forecast the noise of a count, beside the labelled friends of one class that somebody has on average.

    How well classes are predicted depends on how much alike friends are, which nobody knows before.
    """
    labels, _ = protocol.facts
    friends = mean_degree * float((labels >= 0).mean())
    noise, usual = math.sqrt(laplace_variance(float(protocol.epsilon))), friends / len(protocol.classes)
    metrics, guess = {"friends_in_a_class": noise}, {"friends_in_a_class": usual}
    seen = f"noise moves a count by {noise:.3g}; people have {friends:.3g} labelled friends, {usual:.3g} of a class"
    if noise >= friends:
        return Forecast(metrics, guess, f"do not ask: a row is mostly noise: {seen}", noise)
    if noise >= usual:
        return Forecast(metrics, guess, f"worth asking where friends are mostly of one class: {seen}", noise)
    return Forecast(metrics, guess, f"worth asking: {seen}", noise)


def forecast_suggestions(protocol: FriendSuggestions, *, mean_degree: float, clustering: float) -> Forecast:
    """Forecast whether suggestions will help: the friends in common that noise makes, beside those that friends have.

    Both hold for somebody with the mean number of friends. Two friends have about the clustering times as many in
    common. Nothing is simulated: which friends could be suggested depends on more of a network than can be guessed.
    """
    if not (1 <= mean_degree < protocol.n_people and 0 <= clustering <= 1):
        raise ParameterError(
            f"a mean degree from 1 to {protocol.n_people - 1} and a clustering in 0..1 are needed, not {mean_degree} "
            f"and {clustering}"
        )
    needed, usual = needed_in_common(mean_degree, protocol.n_people, protocol.response), clustering * mean_degree
    metrics, guess = {"friends_in_common": needed}, {"friends_in_common": usual}
    seen = (
        f"noise alone gives ten strangers {needed:.3g} friends in common with somebody who has {mean_degree:.3g}; two "
        f"friends have about {usual:.3g} in common"
    )
    if needed >= mean_degree:
        return Forecast(metrics, guess, f"do not ask: suggestions will not help in so sparse a network: {seen}")
    if needed >= usual:
        return Forecast(metrics, guess, f"suggestions will help few people; raise epsilon if you can: {seen}")
    return Forecast(metrics, guess, f"worth asking: {seen}")


def forecast_network(
    protocol: LocalProtocol, *, mean_degree: float, clustering: float = 0.5, runs: int = 3, seed: int = 1
) -> Forecast:
    """Forecast the errors of what is counted in triangles from guesses at the mean degree and the clustering.

    The guess that asks nobody is 0 triangles, or the guessed clustering, for everybody; of one number, a half of it.
    """
    if protocol.statistic in DISTRIBUTIONS:
        raise ParameterError(f"{protocol.name} collects {protocol.statistic}; forecast_degrees is for that")
    network = invented_network(protocol.n_people, mean_degree, clustering, seed)
    return _judged(protocol, protocol.statistic, rehearse(protocol, network, runs, seed), network, clustering)


def forecast_sections(
    protocol: LocalProtocol, *, mean_degree: float, clustering: float = 0.5, runs: int = 3, seed: int = 1
) -> dict[str, Forecast]:
    """Forecast the errors of each statistic that a campaign collects, all of them on one invented network."""
    return forecast_on(protocol, invented_network(protocol.n_people, mean_degree, clustering, seed), clustering, runs)


def forecast_on(
    protocol: LocalProtocol, network: Graph, clustering: float, runs: int = 3, seed: int = 1
) -> dict[str, Forecast]:
    """The errors of each statistic of a campaign on a network that was invented."""
    sections = [outcome.sections for outcome in rehearse(protocol, network, runs, seed)]
    return {
        name: _judged(protocol, name, [each[name] for each in sections], network, clustering) for name in sections[0]
    }


def invented_network(n_people: int, mean_degree: float, clustering: float, seed: int = 1) -> Graph:
    """A generated network with about that mean degree and clustering."""
    if not (1 <= mean_degree < n_people / 2 and 0 <= clustering <= 1):
        raise ParameterError(
            f"a mean degree from 1 to half of the people and a clustering in 0..1 are needed, not {mean_degree} and "
            f"{clustering}"
        )
    return power_law_cluster(n_people, max(1, round(mean_degree / 2)), clustering, seed=seed)


def rehearse(protocol: LocalProtocol, network: Graph, runs: int, seed: int) -> list[CollectionResult]:
    """The campaign on a network, run with repeatable noise."""
    lists = Lists.of_graph(network, even_choices(protocol))
    return [run_rounds(protocol, lists, seeded(seed + i)) for i in range(runs)]


def _judged(
    protocol: LocalProtocol, statistic: str, outcomes: list[CollectionResult], network: Graph, clustering: float
) -> Forecast:
    """The errors of one statistic on a network, beside those of a guess."""
    asked = find_statistic(statistic)
    truth = asked.exact(network)
    metrics, std = _mean_metrics(asked.metrics, outcomes, truth), _mean_std(outcomes)
    if asked.over_people:
        guess = _even_guess(float(network.degrees.mean()), truth)
        return Forecast(metrics, guess, _advice(protocol, metrics, guess, "wasserstein", DEGREES_OFF), std)
    if np.ndim(truth) == 0:
        guess = asked.metrics(truth / 2, truth)
        if std is not None and truth:  # few runs may be lucky: no better than the stated deviation lets expect
            mean = MEAN_OVER_STD * std
            least = {"mse": std**2, "mae": mean, "relative_error": mean / abs(truth)}
            metrics = {name: max(error, least[name]) for name, error in metrics.items()}
        return Forecast(metrics, guess, _advice(protocol, metrics, guess, "relative_error", "of the whole off"), std)
    constant = 0.0 if statistic == "triangle-sequence" else clustering
    guess = asked.metrics(np.full(protocol.n_people, constant), truth)
    return Forecast(metrics, guess, _advice(protocol, metrics, guess, "mae", "off for each person"), std)


def _even_guess(mean_degree: float, truth: Any) -> dict[str, float]:
    """The errors of a distribution that is even up to twice the mean."""
    return distribution_metrics(np.full(2 * round(mean_degree) + 1, 1 / (2 * round(mean_degree) + 1)), truth)


def invented_degrees(n_people: int, mean_degree: float, largest: int | None = None) -> Integers:
    """Evenly spaced quantiles of a log-normal law with that mean, in no particular order; at most `largest`.

    Nobody has more friends than there are others, unless these people stand for more.
    """
    from scipy.special import ndtri

    middle = math.log(mean_degree + 0.5) - SPREAD**2 / 2
    quantiles = ndtri((np.arange(n_people) + 0.5) / n_people)
    most = n_people - 1 if largest is None else largest
    degrees = np.minimum(np.exp(middle + SPREAD * quantiles), most).astype(np.int64)
    return degrees[np.random.default_rng(0).permutation(n_people)]


def _mean_metrics(
    measure: Callable[..., dict[str, float]], outcomes: list[CollectionResult], truth: Any
) -> dict[str, float]:
    errors = [measure(outcome.value, truth) for outcome in outcomes]
    return {name: float(np.mean([error[name] for error in errors])) for name in errors[0]}


def _mean_std(outcomes: list[CollectionResult]) -> float | None:
    """Over runs and over the entries that have one."""
    stated = [np.atleast_1d(outcome.estimate.std) for outcome in outcomes if outcome.estimate.std is not None]
    known = np.concatenate([std[np.isfinite(std)] for std in stated]) if stated else np.empty(0)
    return float(known.mean()) if len(known) else None


def _advice(protocol: LocalProtocol, metrics: dict[str, float], guess: dict[str, float], error: str, words: str) -> str:
    ours, theirs = metrics[error], guess[error]
    seen = f"expect to be {ours:.3g} {words}, a mere guess is {theirs:.3g} off"
    if protocol.refuted:
        return f"do not ask anybody by {protocol.name}, whose claim is refuted: {seen}"
    if ours >= theirs:
        return f"do not ask {protocol.n_people:,} people at epsilon {float(protocol.epsilon):g}: {seen}"
    if ours >= theirs / 2:
        return f"ask more people or raise epsilon if you can: {seen}"
    return f"worth asking: {seen}"
