"""Every algorithm that answers one question, side by side on one graph: how far off, how honest, how fast.

A release is measured against what the query's first algorithm answers at the largest epsilon there is, where noise
vanishes; a collection against the exact statistic; a synthetic graph against the original.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import Any

from graphveil.central.query import Answer
from graphveil.errors import ParameterError, unknown_name
from graphveil.evaluation.metrics.compare import compare, match_people
from graphveil.evaluation.metrics.profile import profile
from graphveil.evaluation.publications import synthesise
from graphveil.graph.core import Graph
from graphveil.local.experiment import experiment_runs
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import MAX_EPSILON, Number, exact_epsilon
from graphveil.registry import build_protocol, find_query, find_synthesizer
from graphveil.release.catalogue import Listing, catalogue
from graphveil.release.draw import run

Metrics = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Score:
    """One algorithm: the mean of its metrics over the runs, and the seconds of one run."""

    listing: Listing
    metrics: Metrics
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The row as `graphveil benchmark` prints it."""
        row = self.listing
        about = {"name": row.name, "job": row.job, "status": row.status, "package": row.package}
        return about | {"metrics": dict(self.metrics), "seconds": self.seconds}


def benchmark(
    graph: Graph,
    query: str,
    *,
    unit: str,
    epsilon: Number,
    runs: int = 5,
    seed: int = 0,
    progress: Callable[[int, int, str], None] = lambda _done, _total, _next: None,
) -> list[Score]:
    """Run whatever answers `query` under `unit`, or synthesizes graphs for the query `graph`, with repeatable noise."""
    if runs < 1:
        raise ParameterError(f"at least one run is needed, not {runs}")
    rows, scores = answering(query, unit), []
    for done, row in enumerate(rows):
        progress(done, len(rows), row.name)
        if row.job == "release" and find_query(row.name).needs:
            continue  # it wants to know what to choose from
        measured = list(_JOBS[row.job](row, graph, exact_epsilon(epsilon), range(seed, seed + runs)))
        means = {name: fmean(run[name] for run, _ in measured) for name in measured[0][0]}
        scores.append(Score(row, means, fmean(seconds for _, seconds in measured)))
    return scores


def answering(query: str, unit: str) -> list[Listing]:
    """Whatever answers a query or collects a statistic under a unit; says what there is instead."""
    everything = list(catalogue())
    by_unit = [row for row in everything if row.unit == unit]
    if not by_unit:
        raise unknown_name("unit", unit, (row.unit for row in everything), where="for a comparison")
    rows = [row for row in by_unit if row.query == query]
    if not rows:
        raise unknown_name("query", query, (row.query for row in by_unit), where=f"under {unit} privacy")
    return rows


def _releases(row: Listing, graph: Graph, epsilon: Fraction, seeds: range) -> Iterator[tuple[Metrics, float]]:
    built = find_query(row.name).build(epsilon, {})
    first = next(other for other in catalogue() if (other.query, other.unit) == (row.query, row.unit))
    truth = _numbers(run(find_query(first.name).build(Fraction(MAX_EPSILON), {}), graph, SeededNoise(0)).value)
    for seed in seeds:
        start = time.perf_counter()
        answer = run(built, graph, SeededNoise(seed))
        yield _release_errors(answer, truth), time.perf_counter() - start


def _release_errors(answer: Answer, truth: list[float] | None) -> Metrics:
    """Mean and relative absolute error, and whether the 95 % interval holds the truth; nothing for names of people."""
    value, accuracy = _numbers(answer.value), answer.accuracy
    named = accuracy.center is not None or (accuracy.std is None and not accuracy.bands)
    if truth is None or value is None or named:
        return {}
    wide = max(len(value), len(truth))
    value, known = ([*numbers, *[0.0] * (wide - len(numbers))] for numbers in (value, truth))
    off = math.fsum(abs(a - b) for a, b in zip(value, known, strict=True))
    errors = {"mae": off / wide, "relative_error": off / max(1e-12, math.fsum(map(abs, known)))}
    if not accuracy.bands:
        return errors
    low, high = (_numbers(end) or [] for end in accuracy.interval(0.95))
    covered = all(a <= b <= c for a, b, c in zip(low, known, high, strict=False))
    return errors | {"interval95_holds": float(covered)}


def _numbers(value: Any) -> list[float] | None:
    if isinstance(value, str):
        return None
    if not isinstance(value, tuple):
        return [float(value)]
    return None if any(isinstance(entry, (str, tuple)) for entry in value) else [float(entry) for entry in value]


def _collections(row: Listing, graph: Graph, epsilon: Fraction, seeds: range) -> Iterator[tuple[Metrics, float]]:
    built = build_protocol(row.query, row.name, unit=row.unit, epsilon=epsilon, n_people=graph.n_nodes)
    for each in experiment_runs(built, graph, runs=len(seeds), seed=seeds.start):
        yield each.metrics, each.seconds


def _syntheses(row: Listing, graph: Graph, epsilon: Fraction, seeds: range) -> Iterator[tuple[Metrics, float]]:
    built, original = find_synthesizer(row.name).build(epsilon), profile(graph)
    for seed in seeds:
        start = time.perf_counter()
        drawn = synthesise(built, graph, seed=seed)
        seconds = time.perf_counter() - start
        errors = compare(original, profile(drawn), match_people(graph, drawn)).errors
        yield {name: error for name, error in errors.items() if error is not None}, seconds


_JOBS = {"release": _releases, "collect": _collections, "synthesize": _syntheses}
