"""What the answers of a stream will be worth, from public terms alone, beside fresh noise and one final release."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.privacy.unit import Kind
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import COUNTS, HISTOGRAM
from graphveil.release.over_time.spec import FRESH, NEW, SUMS, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import rms_errors
from graphveil.release.policy import ASSUMED_PEOPLE, expected_size


def forecasts(spec: StreamSpec, people: int = ASSUMED_PEOPLE) -> list[dict[str, Any]]:
    """For every query: how it is answered, its root mean square error over the horizon, and that of the alternatives.

    `fresh` divides epsilon by the number of periods; `final` spends all of it on one answer at the end. Errors of
    counts without a fixed scale of noise are guesses for so many people.
    """
    return [
        {
            "query": query.name,
            "method": query.method,
            "rms": _finite(forecast_error(spec, query, people)),
            "fresh": _finite(_fresh_error(spec, query, people, spec.horizon)),
            "final": _finite(_fresh_error(spec, query, people, 1)),
        }
        for query in spec.queries
    ]


def refuse_noise(spec: StreamSpec, people: int = ASSUMED_PEOPLE) -> None:
    """Refuse a stream of which a query would be mostly noise: an error larger than the answer is expected to be."""
    for query in spec.queries:
        error, expected = forecast_error(spec, query, people), expected_size(query.name, PublicFacts(people))
        if expected is not None and error > expected:
            raise ParameterError(
                f"{query.name} would be mostly noise over {spec.horizon} periods: among {people:,} people an error "
                f"near {error:.2g} is forecast where an answer near {expected:.2g} is expected; "
                f"{_remedy(spec, query)}; accept_noise=True (--accept-noise) opens it anyway"
            )


def _remedy(spec: StreamSpec, query: StreamQuery) -> str:
    count = COUNTS.get((spec.unit.kind, query.name))
    if spec.unit.kind is Kind.NODE:
        return "give more epsilon or fewer periods" + (", or count what is ever seen (--ever)" if count else "")
    if count is not None and query.method == FRESH:
        bound = " and a public --max-degree" if count.bounded else ""
        return f"count friendships ever seen (--ever{bound}), or those new in a period (--method {query.name}=new)"
    if query.method == FRESH:
        return f"ask about friendships new in a period (--method {query.name}=new), or for fewer periods"
    return "give more epsilon, fewer periods or a smaller --max-degree"


def forecast_error(spec: StreamSpec, query: StreamQuery, people: int = ASSUMED_PEOPLE) -> float:
    """The root mean square error of a query over the horizon."""
    if query.method not in SUMS:
        return _fresh_error(spec, query, people, 1 if query.method == NEW else spec.horizon)
    error = rms_errors(spec, query)[0]
    return math.sqrt(2) * error if query.name == HISTOGRAM else error  # an entry is the difference of two heights


def _fresh_error(spec: StreamSpec, query: StreamQuery, people: int, periods: int) -> float:
    options = {} if query.method in SUMS else query.options
    prepared = prepare_fresh(replace(spec, horizon=periods), replace(query, method=FRESH, options=options))
    return _error(prepared.query.forecast(PublicFacts(people)))


def _error(accuracy: Accuracy) -> float:
    if accuracy.std is not None:
        return statistics.median(accuracy.std) if isinstance(accuracy.std, tuple) else accuracy.std
    if not accuracy.bands:
        return math.inf
    sides = [accuracy.band(0.5).below, accuracy.band(0.5).above]
    finite = [statistics.median(side) if isinstance(side, tuple) else side for side in sides]
    return max((side for side in finite if math.isfinite(side)), default=math.inf)


def _finite(error: float) -> float | None:
    return error if math.isfinite(error) else None
