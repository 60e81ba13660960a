"""What the answers of a stream will be worth, from public terms alone, beside fresh noise and one final release."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from typing import Any

from graphveil.mechanisms.accuracy import Accuracy, discrete_laplace_std
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.spec import FRESH, NEW, TREE, StreamQuery, StreamSpec
from graphveil.release.policy import ASSUMED_PEOPLE


def forecasts(spec: StreamSpec, people: int = ASSUMED_PEOPLE) -> list[dict[str, Any]]:
    """For every query: how it is answered, its root mean square error over the horizon, and that of the alternatives.

    `fresh` divides epsilon by the number of periods; `final` spends all of it on one answer at the end. Errors of
    counts without a fixed scale of noise are guesses for so many people.
    """
    return [
        {
            "query": query.name,
            "method": query.method,
            "rms": _rms(spec, query, people),
            "fresh": _fresh_error(spec, query, people, spec.horizon),
            "final": _fresh_error(spec, query, people, 1),
        }
        for query in spec.queries
    ]


def _rms(spec: StreamSpec, query: StreamQuery, people: int) -> float | None:
    if query.method != TREE:
        return _fresh_error(spec, query, people, 1 if query.method == NEW else spec.horizon)
    spread = float(query.tree.spread(spec.horizon).mean())
    return discrete_laplace_std(spec.rate(query)) * math.sqrt(spread)


def _fresh_error(spec: StreamSpec, query: StreamQuery, people: int, periods: int) -> float | None:
    options = {} if query.method == TREE else query.options
    prepared = prepare_fresh(replace(spec, horizon=periods), replace(query, method=FRESH, options=options))
    return _error(prepared.query.forecast(PublicFacts(people)))


def _error(accuracy: Accuracy) -> float | None:
    if accuracy.std is not None:
        return statistics.median(accuracy.std) if isinstance(accuracy.std, tuple) else accuracy.std
    if not accuracy.bands:
        return None
    sides = [accuracy.band(0.5).below, accuracy.band(0.5).above]
    finite = [statistics.median(side) if isinstance(side, tuple) else side for side in sides]
    return max((side for side in finite if math.isfinite(side)), default=None)
