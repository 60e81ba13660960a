"""Every algorithm that answers one question, side by side on one graph: how far off, how honest, how fast, how costly.

A release is measured against what the query's first algorithm answers at the largest epsilon there is, where noise
vanishes; a collection against the exact statistic; a synthetic graph against the original.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, stdev
from typing import Any

from graphveil.central.query import Answer
from graphveil.errors import ParameterError
from graphveil.evaluation.contenders import (
    EqualLoss,
    GivenRow,
    build_fairly,
    check_options,
    contenders,
    friendship_epsilon,
    row_of,
)
from graphveil.evaluation.metrics.compare import compare, match_people
from graphveil.evaluation.metrics.profile import profile
from graphveil.evaluation.publications import synthesise
from graphveil.graph.core import Graph
from graphveil.local.experiment import experiment_runs
from graphveil.local.protocol import Cost
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.plugins import leave_out
from graphveil.privacy.guarantee import Status
from graphveil.privacy.loss import MAX_EPSILON, Number, exact_epsilon
from graphveil.privacy.rounding import round_up, text_up
from graphveil.registry import Job, Row, rows
from graphveil.release.catalogue import Listing, listing_of
from graphveil.release.draw import run

Metrics = Mapping[str, float]

ROUNDING = 1e-9  # of ends that are floats


@dataclass(frozen=True, slots=True)
class Score:
    """One algorithm: the mean of its metrics over the runs with their standard errors, and the seconds of one run.

    `entry_epsilon` is what one report or the release costs an entry (unit edge) or a list (unit node),
    `friendship_epsilon` what all of them together cost one friendship; where the claim is refuted they are what is
    claimed. Bits and rounds are those of a person in a collection, None elsewhere. `standard_errors` are None where a
    single run tells nothing about them.
    """

    listing: Listing
    entry_epsilon: Fraction
    friendship_epsilon: Fraction
    metrics: Metrics
    standard_errors: Mapping[str, float | None]
    seconds: float
    runs: int
    cost: Cost | None = None
    rounds: int | None = None

    def __repr__(self) -> str:
        errors = ", ".join(f"{name} {value:.4g}" for name, value in self.metrics.items())
        return f"Score({self.listing.name}: {errors}; epsilon {text_up(self.friendship_epsilon)} for a friendship)"

    def to_json(self) -> dict[str, Any]:
        """The row as `graphveil benchmark` prints it."""
        row = self.listing
        about = {"name": row.name, "job": row.job, "status": row.status, "package": row.package}
        return about | {
            "refuted": row.status == Status.CLAIM_REFUTED.value,
            "friendship_epsilon": round_up(self.friendship_epsilon),
            "entry_epsilon": round_up(self.entry_epsilon),
            "metrics": dict(self.metrics),
            "standard_errors": dict(self.standard_errors),
            "upload_bits_per_user": None if self.cost is None else self.cost.upload_bits_per_user,
            "download_bits_per_user": None if self.cost is None else self.cost.download_bits_per_user,
            "rounds": self.rounds,
            "runs": self.runs,
            "seconds": self.seconds,
        }


def benchmark(
    graph: Graph,
    query: str,
    *,
    unit: str,
    epsilon: Number,
    equal: EqualLoss = "friendship",
    runs: int = 5,
    seed: int = 0,
    also: Sequence[type[Any]] = (),
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int, int, str], None] = lambda _done, _total, _next: None,
) -> list[Score]:
    """Run whatever answers `query` under `unit`, or synthesizes graphs for the query `graph`, with repeatable noise.

    Every algorithm gets the epsilon at which a friendship loses at most the one given, since that is what a reader of
    the comparison wants to hold fixed; with `equal="entry"`, at which an entry of a list does. `also` holds classes
    of queries, protocols or synthesizers that take part though they stand in no table. `options` are public parameters,
    each for the algorithms that have it.
    """
    if runs < 1:
        raise ParameterError(f"at least one run is needed, not {runs}")
    total = exact_epsilon(epsilon)
    taking_part, scores = contenders(query, unit, tuple(row_of(algorithm) for algorithm in also)), []
    check_options(taking_part, options or {})
    for done, row in enumerate(taking_part):
        progress(done, len(taking_part), row.name)
        if row.needs:
            continue  # it wants to know what to choose from
        try:
            built = build_fairly(row, total, equal, graph.n_nodes, options)
        except Exception as refusal:
            if not row.package or isinstance(row, GivenRow) or set(options or {}) & set(row.options):
                raise
            leave_out(f"{row.name} of package {row.package}", str(refusal))
            continue
        measured = list(_JOBS[row.job](row, built, graph, range(seed, seed + runs)))
        scores.append(_score(row, built, graph, measured))
    return scores


def _score(row: Row, built: Any, graph: Graph, measured: list[tuple[Metrics, float]]) -> Score:
    columns = {name: [metrics[name] for metrics, _ in measured] for name in measured[0][0]}
    collects = row.job is Job.COLLECT
    return Score(
        listing_of(row),
        entry_epsilon=built.guarantee.epsilon,
        friendship_epsilon=friendship_epsilon(built),
        metrics={name: fmean(column) for name, column in columns.items()},
        standard_errors={name: _standard_error(column) for name, column in columns.items()},
        seconds=fmean(seconds for _, seconds in measured),
        runs=len(measured),
        cost=built.cost_among(graph) if collects else None,
        rounds=built.rounds if collects else None,
    )


def _standard_error(column: list[float]) -> float | None:
    """Of the mean, from the spread of the runs."""
    return stdev(column) / math.sqrt(len(column)) if len(column) > 1 and all(map(math.isfinite, column)) else None


def _releases(row: Row, built: Any, graph: Graph, seeds: range) -> Iterator[tuple[Metrics, float]]:
    own = [known for known in rows(Job.RELEASE) if known.query == row.query and not known.needs]
    first = next(iter(sorted(own, key=lambda known: known.unit)), row)  # edge before node, where bounds cut much away
    truth = _numbers(run(first.build(Fraction(MAX_EPSILON), {}), graph, SeededNoise(0)).value)
    for seed in seeds:
        start = time.perf_counter()
        answer = run(built, graph, SeededNoise(seed))
        yield _release_errors(answer, truth), time.perf_counter() - start


def _release_errors(answer: Answer, truth: list[float] | None) -> Metrics:
    """Mean and relative absolute error, and whether the 95 % interval holds the truth; nothing for names of people.

    Where the truth is 0 there is no relative error.
    """
    value, accuracy = _numbers(answer.value), answer.accuracy
    named = accuracy.center is not None or (accuracy.std is None and not accuracy.bands)
    if truth is None or value is None or named:
        return {}
    wide = max(len(value), len(truth))
    value, known = ([*numbers, *[0.0] * (wide - len(numbers))] for numbers in (value, truth))
    off = math.fsum(abs(a - b) for a, b in zip(value, known, strict=True))
    total = math.fsum(map(abs, known))
    errors = {"mae": off / wide, **({"relative_error": off / total} if total else {})}
    if not accuracy.bands:
        return errors
    low, high = (_numbers(end) or [] for end in accuracy.interval(0.95))
    covered = all(a - ROUNDING <= b <= c + ROUNDING for a, b, c in zip(low, known, high, strict=False))
    return errors | {"interval95_holds": float(covered)}


def _numbers(value: Any) -> list[float] | None:
    if isinstance(value, str):
        return None
    if not isinstance(value, tuple):
        return [float(value)]
    return None if any(isinstance(entry, (str, tuple)) for entry in value) else [float(entry) for entry in value]


def _collections(_: Row, built: Any, graph: Graph, seeds: range) -> Iterator[tuple[Metrics, float]]:
    for each in experiment_runs(built, graph, runs=len(seeds), seed=seeds.start):
        yield each.metrics, each.seconds


def _syntheses(_: Row, built: Any, graph: Graph, seeds: range) -> Iterator[tuple[Metrics, float]]:
    original = profile(graph)
    for seed in seeds:
        start = time.perf_counter()
        drawn = synthesise(built, graph, seed=seed)
        seconds = time.perf_counter() - start
        errors = compare(original, profile(drawn), match_people(graph, drawn)).errors
        yield {name: error for name, error in errors.items() if error is not None}, seconds


_JOBS = {Job.RELEASE: _releases, Job.COLLECT: _collections, Job.SYNTHESIZE: _syntheses}
