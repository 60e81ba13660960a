"""What the answers of a stream will be worth, from public terms alone, beside fresh noise and one final release."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import finite_or_null
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.privacy.unit import Kind
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import COUNTS, HISTOGRAM
from graphveil.release.over_time.spec import FRESH, NEW, SUMS, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import rms_errors
from graphveil.release.policy import expected_size, rough, typical_error

LEAVES_OUT = 2  # a sum over time that leaves friendships out must have this many times less noise than fresh answers


def forecasts(spec: StreamSpec, facts: PublicFacts | None = None) -> list[dict[str, Any]]:
    """For every query: how it is answered and why, its root mean square error over the horizon, that of alternatives.

    `fresh` divides epsilon by the number of periods; `final` spends all of it on one answer at the end. Errors of
    counts without a fixed scale of noise are guesses from public facts. What a sum over time leaves out is no noise,
    and is in none of these numbers.
    """
    told = []
    for query in spec.queries:
        error, fresh = forecast_error(spec, query, facts), _fresh_error(spec, query, facts, spec.horizon)
        told.append(
            {
                "query": query.name,
                "method": query.method,
                "rms": finite_or_null(error),
                "fresh": finite_or_null(fresh),
                "final": finite_or_null(_fresh_error(spec, query, facts, 1)),
                "why": _why(spec, query, error, fresh),
            }
        )
    return told


def _why(spec: StreamSpec, query: StreamQuery, error: float, fresh: float) -> str:
    """Why a query is answered as it is, in words; a method that was asked for may have more noise than another."""
    count = COUNTS.get((spec.unit.kind, query.name))
    if query.method == NEW:
        return "each period at the whole epsilon, about friendships first seen in it"
    if query.method in SUMS:
        words = "less noise than fresh answers" if error < fresh else "as asked; fresh answers have less noise"
        return f"{words}; it leaves out what is beyond --max-degree" if spec.count(query).bounded else words
    if count is None:
        return "it has no sum over time"
    if count.stays and spec.changes > 1:
        return f"its sum over time needs --ever{' and --max-degree' if count.bounded else ''}"
    if count.bounded:
        return f"a sum over time leaves out what is beyond --max-degree: it must have 1/{LEAVES_OUT} of this noise"
    return "less noise than a sum over time, or as asked"


def noise_to_compare(spec: StreamSpec, query: StreamQuery, facts: PublicFacts | None = None) -> float:
    """The error by which methods are compared: a sum over time that leaves friendships out has to be clearly better."""
    leaves_out = query.method in SUMS and spec.count(query).bounded
    return forecast_error(spec, query, facts) * (LEAVES_OUT if leaves_out else 1)


def refuse_noise(spec: StreamSpec, facts: PublicFacts | None = None) -> None:
    """Refuse a stream of which a query would be mostly noise: an error as large as the answer is expected to be."""
    people = _known(spec, facts).n_nodes
    for query in spec.queries:
        error, expected = forecast_error(spec, query, facts), expected_size(query.name, PublicFacts(people))
        if expected is not None and error > expected:
            raise ParameterError(
                f"{query.name} would be mostly noise over {spec.horizon} periods: among {people:,} people an error "
                f"near {rough(error)} is forecast where an answer near {rough(expected)} is expected; "
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


def forecast_error(spec: StreamSpec, query: StreamQuery, facts: PublicFacts | None = None) -> float:
    """The root mean square error of a query over the horizon."""
    if query.method not in SUMS:
        return _fresh_error(spec, query, facts, 1 if query.method == NEW else spec.horizon)
    error = rms_errors(spec, query)[0]
    return math.sqrt(2) * error if query.name == HISTOGRAM else error  # an entry is the difference of two heights


def _fresh_error(spec: StreamSpec, query: StreamQuery, facts: PublicFacts | None, periods: int) -> float:
    options = {} if query.method in SUMS else query.options
    prepared = prepare_fresh(replace(spec, horizon=periods), replace(query, method=FRESH, options=options))
    return typical_error(prepared.query.forecast(_known(spec, facts)), unknown=math.inf)


def _known(spec: StreamSpec, facts: PublicFacts | None) -> PublicFacts:
    """The public facts that are given; else the number of people and the degree bound of the stream's terms."""
    if facts is not None:
        return facts
    bounds = [query.options["max_degree"] for query in spec.queries if query.options and query.name != HISTOGRAM]
    return PublicFacts(spec.people, max_degree=max(bounds, default=None))
