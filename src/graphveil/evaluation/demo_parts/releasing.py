"""Release: publish numbers, account for them, run into the end of the budget."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.evaluation.plots import cumulative_degrees, error_bars, spending
from graphveil.evaluation.report import Report
from graphveil.graph.clustering import exact_average_clustering
from graphveil.graph.core import Graph
from graphveil.graph.triangles import exact_triangles
from graphveil.privacy.ledger import Ledger
from graphveil.privacy.rounding import text_up
from graphveil.release.release import Release, describe
from graphveil.release.session import Session

DATASET = "demo network"
BUDGET = 2
SPENDING = (("edges", 0.1), ("triangles", 0.3), ("average-clustering", 0.6), ("degree-histogram", 0.5))
TOO_MUCH = ("degree-sequence", 1)


def add_releases(report: Report, graph: Graph, ledger: Path, progress: Callable[[str], None]) -> list[str]:
    """Publish until a request is refused; returns lines for the terminal."""
    _clear_former_demo(ledger)
    session = Session(graph, unit="edge", budget=BUDGET, ledger=ledger, dataset=DATASET)
    releases = []
    for query, epsilon in SPENDING:
        progress(f"releasing {query} at epsilon {epsilon:g}")
        releases.append(session.release(query, epsilon=epsilon))
    query, epsilon = TOO_MUCH
    try:
        session.release(query, epsilon=epsilon)
    except BudgetExceeded as refused:
        refusal = str(refused)
    else:
        raise AssertionError("the ledger let a request through that its budget does not hold")
    _write(report, graph, releases, refusal, float(session.left[0]))
    return [*(str(release) for release in releases), f"refused: {refusal}"]


def _clear_former_demo(ledger: Path) -> None:
    """A demo may be run again; any other ledger is never touched."""
    if not ledger.exists():
        return
    if [dataset.name for dataset in Ledger.open(ledger).datasets()] != [DATASET]:
        raise ParameterError(f"{ledger} is not the ledger of a former demo: give another --out")
    ledger.unlink()


def _write(report: Report, graph: Graph, releases: list[Release], refusal: str, left: float) -> None:
    *numbers, histogram = releases
    truths = {
        "edges": graph.n_edges,
        "triangles": exact_triangles(graph),
        "average-clustering": exact_average_clustering(graph),
    }
    report.heading("Release: statistics of a graph you hold")
    report.table(
        ("query", "published", "95 % interval", "truth", "epsilon"),
        [
            (r.query, describe(r.value), _interval(r), describe(truths[r.query]), text_up(r.guarantee.epsilon))
            for r in numbers
        ],
    )
    report.figure(
        error_bars([_relative(r, truths[r.query]) for r in numbers]),
        "Published values (points) and their 95 % intervals (bars), as a distance from the truth.",
    )
    report.figure(
        cumulative_degrees(np.bincount(graph.degrees).tolist(), histogram.to_json()["value"]),
        "Degree distribution: the published histogram (dashed) against the truth (line).",
    )
    report.figure(spending(SPENDING, BUDGET), f"Spent so far, of a budget of {BUDGET}; {left:g} is left.")
    report.text("The next request asked for more than is left. It was refused before anything was spent:")
    report.code(refusal)
    report.text("What one of these answers promises, and how it was made:")
    report.code(numbers[1].explain())


def _interval(release: Release) -> str:
    low, high = release.accuracy.interval(0.95)
    return f"{describe(low)} to {describe(high)}"


def _relative(release: Release, truth: float) -> tuple[str, float, float, float]:
    def percent(value: Any) -> float:
        return 100 * (float(value) - truth) / truth

    low, high = release.accuracy.interval(0.95)
    return release.query, percent(release.value), percent(low), percent(high)
