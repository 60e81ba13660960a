"""The answers of one period of a stream: noise on the blocks that end with it, and fresh answers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Measurements, Stage, draw
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.release import Provenance, Release
from graphveil.mechanisms.tree import noise_reach
from graphveil.privacy.ledger.rows import Entry
from graphveil.release.draw import run
from graphveil.release.job import PreparedQuery, Request
from graphveil.release.over_time.file import Period
from graphveil.release.over_time.spec import NEW, TREE, StreamQuery, StreamSpec
from graphveil.release.records import SessionFacts, dump_releases

Blocks = dict[str, int]  # "level/number" -> noisy change


@dataclass(frozen=True, slots=True)
class PeriodGraphs:
    """The graph of a period, and that of the friendships first seen in it."""

    now: Graph
    new: Graph


def answer_period(
    spec: StreamSpec, period: Period, before: Sequence[Period], graphs: PeriodGraphs, entry: Entry, noise: Noise
) -> str:
    """Draw all answers of a period; the document holds them and the noisy blocks, which are as public as they are."""
    earlier = [json.loads(known.document or "{}")["blocks"] for known in before]
    blocks: dict[str, Blocks] = {}
    releases = []
    for query in spec.queries:
        if query.method == TREE:
            blocks[query.name] = draw_blocks(spec, query, period, before, noise)
            known = {place: value for part in (*earlier, blocks) for place, value in part[query.name].items()}
            releases.append(tree_release(spec, query, period, known, entry, noise.kind))
        else:
            graph = graphs.new if query.method == NEW else graphs.now
            releases.append(_fresh_release(spec, query, period, graph, entry, noise))
    return dump_releases(releases, blocks=blocks, period=period.label, step=period.step, stream=spec.id)


def draw_blocks(spec: StreamSpec, query: StreamQuery, period: Period, before: Sequence[Period], noise: Noise) -> Blocks:
    """Noise on the change of the count over every block that ends with this period."""
    exact = {known.step: known.exact[query.name] for known in before} | {0: 0, period.step: period.exact[query.name]}
    tree, drawn = query.tree, {}
    for level in tree.finished(period.step):
        width = tree.widths[level]
        change = exact[period.step] - exact[period.step - width]
        block = level_blocks(spec, query, level, [change])
        drawn[_key(level, period.step // width - 1)] = int(draw((block,), noise)[0][0])
    return drawn


def level_blocks(spec: StreamSpec, query: StreamQuery, level: int, changes: Sequence[int]) -> NoisyVector:
    """Blocks of one level, with noise for what one unit moves in all of them: any number costs the share of the level.

    An event lies in one block of the level, so the blocks of a whole stream are one vector, of which every period draws
    the entries that end with it.
    """
    return NoisyVector(
        what=f"change of {query.name} over {query.tree.widths[level]} periods",
        exact=np.array(changes, dtype=np.int64),
        sensitivity=spec.sensitivity(query) * spec.unit.edges,
        epsilon=query.epsilon / query.tree.height,
    )


def whole_stream(spec: StreamSpec, query: StreamQuery, exact: Sequence[int]) -> Measurements:
    """All that is ever drawn for a query, from its exact value after every step; the losses add up to epsilon."""
    values = [0, *exact]
    return tuple(
        level_blocks(
            spec, query, level, [values[end] - values[end - width] for end in range(width, len(values), width)]
        )
        for level, width in enumerate(query.tree.widths)
    )


def tree_release(
    spec: StreamSpec, query: StreamQuery, period: Period, blocks: Mapping[str, int], entry: Entry, noise: str
) -> Release:
    """The value after a period from all noisy blocks so far."""
    weights = query.tree.weights(period.step)
    rate = spec.rate(query)
    estimate = sum((weight * blocks[_key(*place)] for place, weight in weights.items()), Fraction(0))
    most = math.comb(period.people, 2) if query.name == "edges" and spec.changes == 1 else math.inf
    value = max(0, round(estimate))
    accuracy = _accuracy(value, float(estimate), list(weights.values()), rate, most)
    bias, scope = _remark(spec, query)
    accuracy = replace(accuracy, bias=bias, scope=scope)
    shape = f"blocks of {', '.join(map(str, query.tree.widths))} periods" if query.radix else "one block a period"
    stages = (
        Stage(f"added up noisy changes ({shape}); each has integer Laplace noise of scale {float(1 / rate):.4g}"),
        Stage("weighted blocks that are known twice, rounded and raised to 0; free"),
    )
    parameters = {
        "epsilon": str(query.epsilon),
        "horizon": spec.horizon,
        "radix": list(query.radix),
        "changes": spec.changes,
        "period": period.label,
        **query.options,
    }
    provenance = Provenance.now("blocks-of-periods", parameters, spec.dataset, noise=noise, entry=entry.id)
    return Release(query.name, value, spec.guarantee(query), accuracy, provenance, stages)


def _remark(spec: StreamSpec, query: StreamQuery) -> tuple[str, str]:
    """Bias and scope of an interval that does not simply speak of the graph of the period."""
    bound = query.options.get("max_degree")
    if query.name == "2-stars":
        return "none", f"friendships ever seen; people with more than {bound} friends count less than they should"
    if query.name == "nodes":
        return "none", "people ever named"
    if query.name == "triangles":
        return "none", f"friendships ever seen that are among the first {bound} of both; there may be more triangles"
    if spec.changes == 1:
        return "none", "friendships ever seen"
    return f"only from friendships that changed more than {spec.changes} times, which stay as they were then", ""


def _accuracy(value: int, estimate: float, weights: list[Fraction], rate: Fraction, most: float) -> Accuracy:
    reach = noise_reach(weights, rate)
    bands = tuple(
        Band(level, max(0.0, value - (estimate - slack)), max(0.0, estimate + slack - value))
        for level, slack in zip(LEVELS, reach, strict=True)
    )
    std = discrete_laplace_std(rate) * math.sqrt(sum(float(weight) ** 2 for weight in weights))
    return Accuracy(value, std, bands, support=(0, most))


def prepare_fresh(spec: StreamSpec, query: StreamQuery) -> PreparedQuery:
    """The query that is drawn every period: at an equal part of epsilon for each, or at all of it about new edges."""
    periods = 1 if query.method == NEW else spec.horizon
    request = Request(query.name, query.epsilon / periods, None, dict(query.options), accept_noise=True)
    return PreparedQuery.prepare(request, spec.unit)


def _fresh_release(
    spec: StreamSpec, query: StreamQuery, period: Period, graph: Graph, entry: Entry, noise: Noise
) -> Release:
    prepared = prepare_fresh(spec, query)
    facts = SessionFacts(spec.unit, spec.dataset, noise.kind, graph.roster_declared, recorded=True)
    release = facts.release(prepared, run(prepared.query, graph, noise), entry)
    parameters = {**release.provenance.parameters, "period": period.label, "horizon": spec.horizon}
    words = f"one of {spec.horizon} fresh answers, which together lose epsilon {float(query.epsilon):g}"
    if query.method == NEW:
        words = (
            "only friendships first seen in this period count; each is in one period, so the answers of all periods "
            "lose epsilon together for whether a friendship was ever there, and twice that for when it was first seen"
        )
    guarantee = replace(release.guarantee, assumes=(*release.guarantee.assumes, words))
    return replace(release, provenance=replace(release.provenance, parameters=parameters), guarantee=guarantee)


def _key(level: int, index: int) -> str:
    return f"{level}/{index}"
