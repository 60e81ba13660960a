"""One simulated collection as a cell of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from graphveil.errors import ParameterError
from graphveil.evaluation.experiment import Cell
from graphveil.evaluation.readings import Reading, split_series
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.experiment import Run, experiment_runs
from graphveil.local.statistics import entry_metrics, find_statistic
from graphveil.registry import build_protocol

REFUTED, OUR_READING = "claim refuted", "our reading"
GUESSES = {"zero": 0.0, "half": 0.5}  # the same for everybody
DENSE = ("rnl", "lf-gdpr")  # look at all pairs of people, and at all others for each noisy edge
LARGE = ("ca-AstroPh", "email-Enron")
DENSE_SEEDS = 2  # on large graphs, where one run takes up to a minute


def readings(statistic: str) -> tuple[Reading, ...]:
    """What GS-LDP's paper leaves open of its own algorithms; where no other value is measured, --option sets one."""
    return (
        Reading("threshold_rule", "gs-ldp", ("raw",), statistic=statistic),
        Reading("shares", "gs-ldp", statistic=statistic),
        Reading("construction", "gs-ldp", statistic=statistic),
    )


# and of RNL
RNL_READING = Reading("estimate", "rnl", ("unbiased",))


def collect(
    graph: Graph, statistic: str, protocol: str, unit: str, epsilon: float, seed: int, **parameters: Any
) -> Run | None:
    """One run; None where the protocol refuses such an epsilon for so many people."""
    try:
        built = build_protocol(
            statistic, protocol, unit=unit, epsilon=epsilon, n_people=graph.n_nodes, parameters=parameters
        )
        (run,) = experiment_runs(built, graph, runs=1, seed=seed)
    except ParameterError as error:
        if "too small" in str(error) or "GB" in str(error):
            return None
        raise
    return run


def affordable(cell: Cell) -> bool:
    """Fewer seeds where a run takes long."""
    return cell.seed < DENSE_SEEDS or cell.series.partition(", ")[0] not in DENSE or cell.graph not in LARGE


def errors(run: Run | None) -> Mapping[str, float]:
    """What is drawn of a run; nothing where there was none."""
    return {} if run is None else run.metrics


def person_errors(
    graph: Graph, statistic: str, series: str, unit: str, epsilon: float, seed: int, *, level: str
) -> Mapping[str, float]:
    """Errors of one value for each person by a series; of those in `GUESSES`, which need no data, at any epsilon."""
    protocol, options = split_series(series)
    if protocol in GUESSES:
        guess = np.full(graph.n_nodes, GUESSES[protocol])
        return entry_metrics(guess, find_statistic(statistic).exact(graph))
    if protocol == "gs-ldp":
        options = {"level": level, **options}
    return errors(collect(graph, statistic, protocol, unit, epsilon, seed, **options))


@lru_cache(maxsize=2)
def generated(n_people: int) -> Graph:
    """A clustered network of so many people, as the papers' generated ones: scale-free, 20 friends on average."""
    return power_law_cluster(n_people, 10, 0.5, seed=n_people)
