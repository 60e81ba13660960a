"""Try a protocol on a graph one holds: simulate it a number of times and say how far off it was."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.local.attributes.class_rows import LocalClassRows, exact_cells
from graphveil.local.protocol import LocalProtocol
from graphveil.local.result import CollectionResult
from graphveil.local.simulate import even_choices, simulate
from graphveil.local.statistics import QUESTION, Statistic, find_statistic
from graphveil.local.suggestions.protocol import FriendSuggestions
from graphveil.local.suggestions.trial import suggestion_quality
from graphveil.privacy.guarantee import PublishedClaim
from graphveil.privacy.loss import Number
from graphveil.privacy.rounding import round_up
from graphveil.registry import build_protocol


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One simulation: what came out, its errors, in which share of entries the interval holds, and how long it took.

    Of a distribution `held_for_people` weighs entries by how many people there are in each. Of several statistics
    this is the run of the first; `also` holds the others by name.
    """

    outcome: CollectionResult
    metrics: dict[str, float]
    held: float | None
    held_for_people: float | None
    seconds: float
    also: dict[str, Run] = field(default_factory=dict)


def run_experiment(
    graph: Graph,
    *,
    statistic: str,
    protocol: str,
    unit: str,
    epsilon: Number,
    runs: int = 1,
    seed: int | None = None,
    answers: Integers | None = None,
    **parameters: Any,
) -> dict[str, Any]:
    """The document of `graphveil collect simulate`: means over the runs, and their spread.

    Several statistics, with commas between their names, are collected by one campaign: `results` has an entry for each.
    Where a campaign asks for an attribute, `answers` has the number of everybody's answer.
    """
    if runs < 1:
        raise ParameterError(f"at least one run is needed, not {runs}")
    built = build_protocol(
        statistic, protocol, unit=unit, epsilon=epsilon, n_people=graph.n_nodes, parameters=parameters
    )
    if built.statistic == QUESTION and answers is None:
        raise ParameterError(
            "attribute-shares asks a question, and a graph does not say what people answer: give answers= "
            "(--people TABLE.csv --attribute COLUMN)"
        )
    done = list(experiment_runs(built, graph, runs=runs, seed=seed, answers=answers))
    cost, common = built.cost_among(graph), {}
    if done[0].also:
        each = [{done[0].outcome.statistic: run, **run.also} for run in done]
        common["results"] = {name: _section([run[name] for run in each]) for name in each[0]}
    else:
        common = _errors(done)
    own = {} if done[0].also else {**_intervals(done), "facts": dict(done[0].outcome.estimate.facts)}
    return {
        "protocol": protocol,
        "statistic": built.statistic,
        "unit": unit,
        "epsilon": round_up(built.epsilon),
        "parameters": _by_option(built),
        "guarantee": done[0].outcome.guarantee.to_json(),
        "strengths": [guarantee.to_json() for guarantee in done[0].outcome.strengths],
        "claim": None if built.claim is None else _claim_document(built.claim),
        **common,
        "cost": {
            "upload_bits_per_user": cost.upload_bits_per_user,
            "download_bits_per_user": cost.download_bits_per_user,
        },
        "memory_bytes": built.memory_bytes,
        **own,
        **_suggestions(built, graph, runs, seed),
        "seconds": sum(run.seconds for run in done),
        "runs": runs,
    }


def experiment_runs(
    built: LocalProtocol, graph: Graph, *, runs: int, seed: int | None = None, answers: Integers | None = None
) -> Iterator[Run]:
    """Simulate one run after the other, so that a caller can show progress or stop; run i has the seed seed + i.

    Where people may choose among strengths, about equally many choose each.
    """
    asked = [find_statistic(name) for name in built.statistic.split(",")]
    truths = {statistic.name: statistic.exact(graph) for statistic in asked}
    if answers is not None:
        truths = {built.statistic: np.bincount(answers) / len(answers)}
    if isinstance(built, LocalClassRows):
        truths = {built.statistic: exact_cells(graph, built)}
    choices = even_choices(built)
    for i in range(runs):
        start = time.perf_counter()
        outcome = simulate(built, graph, seed=None if seed is None else seed + i, choices=choices, answers=answers)
        seconds = time.perf_counter() - start
        first, *others = (
            _run(statistic, outcome.sections[statistic.name], truths[statistic.name], seconds) for statistic in asked
        )
        yield replace(first, also={run.outcome.statistic: run for run in others})


def _run(asked: Statistic, outcome: CollectionResult, truth: Any, seconds: float) -> Run:
    """One statistic of one simulation beside the truth."""
    of_people = share_held(outcome, truth, truth) if asked.over_people else None
    return Run(outcome, asked.metrics(outcome.value, truth), share_held(outcome, truth), of_people, seconds)


def share_held(outcome: CollectionResult, truth: ArrayLike, weights: ArrayLike | None = None) -> float | None:
    """In which share of the entries that have an interval it holds the truth; of distributions, up to either end."""
    ends = outcome.interval95
    if ends is None:
        return None
    low, high = (np.atleast_1d(end) for end in ends)
    true = _as_long_as(low, truth)
    known, held = np.isfinite(low), (low <= true) & (true <= high)
    heavy = known * (1.0 if weights is None else _as_long_as(low, weights))
    return float(heavy @ held / heavy.sum()) if heavy.sum() > 0 else None


def _as_long_as(other: Floats, given: ArrayLike) -> Floats:
    values = np.atleast_1d(np.asarray(given, dtype=np.float64))
    return np.pad(values, (0, max(0, len(other) - len(values))))[: len(other)]


def _errors(runs: list[Run]) -> dict[str, Any]:
    """Each error as a mean over the runs, and its spread."""
    names = runs[0].metrics
    table = np.array([[run.metrics[name] for name in names] for run in runs])
    return {
        "metrics": dict(zip(names, table.mean(axis=0).tolist(), strict=True)),
        "spread": dict(zip(names, table.std(axis=0, ddof=min(1, len(runs) - 1)).tolist(), strict=True)),
    }


def _section(runs: list[Run]) -> dict[str, Any]:
    """What is said of one statistic among several; `interval95_held` only where there are intervals."""
    told = _intervals(runs)
    held, of_people = told.pop("coverage95"), told.pop("coverage95_of_people")
    shares = {"interval95_held": held, "interval95_held_for_people": of_people}
    stated = {name: share for name, share in shares.items() if share is not None}
    return {**_errors(runs), **stated, **told, "facts": dict(runs[0].outcome.estimate.facts)}


def _intervals(runs: list[Run]) -> dict[str, Any]:
    """How often intervals held, or why there are none; and of a single number the first run's."""
    shares = [run.held for run in runs if run.held is not None]
    first = runs[0].outcome
    document: dict[str, Any] = {"coverage95": float(np.mean(shares)) if shares else None}
    people = [run.held_for_people for run in runs if run.held_for_people is not None]
    document["coverage95_of_people"] = float(np.mean(people)) if people else None
    document["why_no_interval"] = None if shares else first.why_no_interval
    if np.ndim(first.value):
        return document
    ends = first.interval95
    interval = None if ends is None else [float(end) for end in ends]
    std = None if first.estimate.std is None else float(first.estimate.std)
    return {**document, "estimate": {"value": float(first.value), "std": std, "interval95": interval}}


def _suggestions(built: LocalProtocol, graph: Graph, runs: int, seed: int | None) -> dict[str, Any]:
    """How good suggestions are, as a mean over the runs and its spread, where a campaign is for suggestions."""
    if not isinstance(built, FriendSuggestions):
        return {}
    tried = [suggestion_quality(built, graph, None if seed is None else seed + i) for i in range(runs)]
    table = {name: np.array([each[name] for each in tried]) for name in tried[0]}
    spread = {name: float(values.std(ddof=min(1, runs - 1))) for name, values in table.items()}
    return {"suggestions": {name: float(values.mean()) for name, values in table.items()}, "suggestions_spread": spread}


def _by_option(built: LocalProtocol) -> dict[str, Any]:
    """The public parameters under the names that --option has for them."""
    shown = {field: option for option, field in getattr(built, "option_fields", {}).items()}
    return {shown.get(name, name): value for name, value in built.parameters().items()}


def _claim_document(claim: PublishedClaim) -> dict[str, str]:
    return {"paper": claim.paper, "statement": claim.statement, "verdict": claim.verdict.value, "reason": claim.reason}
