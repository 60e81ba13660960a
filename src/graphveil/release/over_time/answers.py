"""The answers of one period of a stream: sums over time, fresh answers, and answers about new friendships."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.entries import LAST_ENTRY
from graphveil.mechanisms.measurement import Stage
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.release import Provenance, Release
from graphveil.mechanisms.sums.factor import GRID
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.unit import Kind
from graphveil.release.draw import run
from graphveil.release.job import PreparedQuery, Request
from graphveil.release.over_time.counts import HISTOGRAM, cuts
from graphveil.release.over_time.file import Period
from graphveil.release.over_time.spec import FACTOR, NEW, SUMS, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import Drawn, Estimate, draw_sums, estimates, read_bands
from graphveil.release.policy import says_nothing
from graphveil.release.records import SessionFacts, dump_releases

EVER, FIRST_SEEN = "ever seen", "new"  # what an answer counts that is not the graph of its period


@dataclass(frozen=True, slots=True)
class PeriodGraphs:
    """The graph of a period, and that of the friendships first seen in it."""

    now: Graph
    new: Graph


def answer_period(
    spec: StreamSpec, period: Period, before: Sequence[Period], graphs: PeriodGraphs, entry: Entry, noise: Noise
) -> str:
    """Draw all answers of a period; the document holds them and what was drawn for sums, which is as public."""
    earlier = [json.loads(known.document or "{}")["sums"] for known in before]
    sums: dict[str, Drawn] = {}
    releases = []
    for query in spec.queries:
        if query.method in SUMS:
            values = [known.exact[query.name] for known in (*before, period)]
            sums[query.name] = draw_sums(spec, query, values, noise)
            drawn = {place: value for part in (*earlier, sums) for place, value in part[query.name].items()}
            releases.append(sum_release(spec, query, period, drawn, entry, noise.kind))
        else:
            graph = graphs.new if query.method == NEW else graphs.now
            releases.append(_fresh_release(spec, query, period, graph, entry, noise))
    return dump_releases(releases, sums=sums, period=period.label, step=period.step, stream=spec.id)


def sum_release(
    spec: StreamSpec, query: StreamQuery, period: Period, drawn: Mapping[str, int], entry: Entry, noise: str
) -> Release:
    """The value after a period from all that was drawn so far."""
    parts = estimates(spec, query, period.step, drawn)
    bias, scope = _remark(spec, query)
    by_edge = spec.unit.kind is Kind.EDGE  # else the number of people is private
    if query.name == HISTOGRAM:
        accuracy = read_bands(cuts(query.options), parts, period.people)
    else:
        most = math.comb(period.people, 2) if query.name == "edges" and by_edge and spec.changes == 1 else math.inf
        accuracy = replace(_accuracy(parts[0], most), bias=bias)
    accuracy = replace(accuracy, scope=scope)
    nothing = says_nothing(accuracy)
    parameters = {
        "epsilon": str(query.epsilon),
        "horizon": spec.horizon,
        "radix": list(query.radix),
        "changes": spec.changes,
        "period": period.label,
        **({"counted": EVER} if spec.changes == 1 else {}),
        **query.options,
    }
    ends = {LAST_ENTRY: f"{query.options['max_degree']} or more"} if query.name == HISTOGRAM else {}
    algorithm = f"sums-by-{query.method}"
    provenance = Provenance.now(algorithm, parameters, spec.dataset, noise=noise, entry=entry.id, derived=ends)
    made, warned = _stages(spec, query), (nothing,) if nothing else ()
    return Release(query.name, accuracy.value, spec.guarantee(query), accuracy, provenance, made, warned)


def _stages(spec: StreamSpec, query: StreamQuery) -> tuple[Stage, ...]:
    if query.method == FACTOR:
        deviations = [math.sqrt(variance) / GRID for variance in spec.variances(query)]
        drawn = (
            f"weighted sums of all changes so far; each row has integer Gaussian noise of deviation {_list(deviations)}"
        )
    else:
        scales = [float(1 / rate) for rate in spec.rates(query)]
        shape = f"blocks of {', '.join(map(str, query.tree.widths))} periods" if query.radix else "one block a period"
        drawn = f"noisy changes ({shape}); each has integer Laplace noise of scale {_list(scales)}"
    what = ", by bands of degrees" if query.name == HISTOGRAM else ""
    return (Stage(f"added up {drawn}{what}"), Stage("combined what was drawn, rounded and raised to 0; free"))


def _list(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.4g}" for number in numbers)


def _remark(spec: StreamSpec, query: StreamQuery) -> tuple[str, str]:
    """Bias and scope of an interval that does not simply speak of the graph of the period."""
    bound = query.options.get("max_degree")
    if query.name == HISTOGRAM:
        return "", f"friendships ever seen; all degrees at once; the last entry holds who has {bound} friends or more"
    if query.name in ("2-stars", "3-stars"):
        return "none", f"friendships ever seen; people with more than {bound} friends count less than they should"
    if query.name == "nodes":
        return "none", "people ever named"
    if query.name == "triangles" or bound is not None:
        return "none", f"friendships ever seen that are among the first {bound} of both; there may be more {query.name}"
    if spec.changes == 1:
        return "none", "friendships ever seen"
    return f"only from friendships that changed more than {spec.changes} times, which stay as they were then", ""


def _accuracy(part: Estimate, most: float) -> Accuracy:
    value = max(0, round(part.value))
    bands = tuple(
        Band(level, max(0.0, value - (part.value - slack)), max(0.0, part.value + slack - value))
        for level, slack in zip(LEVELS, part.reach(LEVELS), strict=True)
    )
    return Accuracy(value, part.std, bands, support=(0, most))


def prepare_fresh(spec: StreamSpec, query: StreamQuery) -> PreparedQuery:
    """The query that is drawn every period: at an equal part of epsilon for each, or at all of it about new edges."""
    periods = 1 if query.method == NEW else spec.horizon
    request = Request(query.name, query.epsilon / periods, None, dict(query.options), accept_noise=True)
    return PreparedQuery.prepare(request, spec.unit)


def _fresh_release(
    spec: StreamSpec, query: StreamQuery, period: Period, graph: Graph, entry: Entry, noise: Noise
) -> Release:
    prepared = prepare_fresh(spec, query)
    facts = SessionFacts.of(graph, spec.unit, spec.dataset, noise.kind, recorded=True)
    release = facts.release(prepared, run(prepared.query, graph, noise), entry)
    parameters = {**release.provenance.parameters, "period": period.label, "horizon": spec.horizon}
    if query.method == NEW:
        parameters["counted"] = FIRST_SEEN
    words = f"one of {spec.horizon} fresh answers, which together lose epsilon {float(query.epsilon):g}"
    if query.method == NEW:
        words = (
            "only friendships first seen in this period count; each is in one period, so the answers of all periods "
            "lose epsilon together for whether a friendship was ever there, and twice that for when it was first seen"
        )
    guarantee = replace(release.guarantee, assumes=(*release.guarantee.assumes, words))
    return replace(release, provenance=replace(release.provenance, parameters=parameters), guarantee=guarantee)
