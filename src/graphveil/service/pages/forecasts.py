"""What a new campaign would yield and cost, which the form shows before anybody is asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from graphveil.local.forecast import Forecast, forecast_errors, forecast_sections
from graphveil.local.protocol import Cost
from graphveil.local.statistics import DISTRIBUTIONS
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.odds import odds_sentence, weak_warning
from graphveil.privacy.rounding import text_up
from graphveil.registry import build_protocol
from graphveil.service.pages.given import Asked, Given, Parameters
from graphveil.service.pages.offered import browser_protocols
from graphveil.service.service import Service

_MOST_COUNTED, _MOST_PAIRED = 20_000, 2_000  # people in a forecast, which has to come while somebody waits
_BY_FORMULA = ("class-rows", "friend-suggestions")  # whose forecasts simulate nothing
_COMPARED = 500  # people in a comparison of epsilons
_one_at_a_time = threading.Lock()  # a forecast simulates a whole campaign


@dataclass(frozen=True, slots=True)
class Choice:
    """What another epsilon would give: the errors of a small campaign, and what an attacker learns, in words."""

    epsilon: str
    forecasts: dict[str, Forecast]  # of each statistic
    meaning: str


@dataclass(frozen=True, slots=True)
class Expected:
    """A forecast with what it is about."""

    forecasts: dict[str, Forecast]  # of each statistic
    cost: Cost
    guarantee: Guarantee
    n_people: int
    n_rehearsed: int  # fewer where a forecast for all would take long
    mean_degree: float
    in_browser: bool
    warning: str  # of a weak epsilon
    limit: float | None  # of a person's budget, where the campaign costs more than that
    choices: tuple[Choice, ...] = ()
    n_compared: int = 0


def rehearse(service: Service, given: Given, asked: Asked) -> Expected:
    """What the campaign of a form would yield."""
    epsilon, limit = exact_epsilon(given.epsilon), exact_epsilon(service.settings.person_limit, "person_limit")
    (statistic, name, unit), n_people, parameters = given.row, len(asked.people), asked.parameters
    n_rehearsed = min(n_people, _MOST_COUNTED if statistic in DISTRIBUTIONS else _MOST_PAIRED)
    n_compared = min(n_rehearsed, _COMPARED)
    if statistic in _BY_FORMULA:
        n_rehearsed = n_compared = n_people
    mean_degree = min(given.mean_degree, (n_rehearsed - 1) / 3)
    with _one_at_a_time:
        errors = _forecast(given.row, parameters, epsilon, n_rehearsed, mean_degree)
        choices = tuple(
            Choice(
                text_up(other),
                _forecast(given.row, parameters, other, n_compared, min(mean_degree, (n_compared - 1) / 3)),
                odds_sentence(other),
            )
            for other in (epsilon / 2, epsilon, 2 * epsilon)
        )
    built = build_protocol(statistic, name, unit=unit, epsilon=epsilon, n_people=n_people, parameters=dict(parameters))
    return Expected(
        forecasts=errors,
        cost=built.cost(),
        guarantee=built.guarantee,
        n_people=n_people,
        n_rehearsed=n_rehearsed,
        mean_degree=mean_degree,
        in_browser="|".join(given.row) in browser_protocols(),
        warning=weak_warning(epsilon),
        limit=float(limit) if epsilon > limit else None,
        choices=choices,
        n_compared=n_compared,
    )


@lru_cache(maxsize=64)
def _forecast(
    row: tuple[str, str, str], parameters: Parameters, epsilon: Fraction, n_people: int, degree: float
) -> dict[str, Forecast]:
    statistic, name, unit = row
    built = build_protocol(statistic, name, unit=unit, epsilon=epsilon, n_people=n_people, parameters=dict(parameters))
    if "," in statistic:
        return forecast_sections(built, mean_degree=degree, clustering=0.5)
    return {statistic: forecast_errors(built, mean_degree=degree, clustering=0.5)}
