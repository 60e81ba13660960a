"""The product's main job shown on a generated network: release, account, refuse, report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.evaluation.plots import cumulative_degrees, error_bars, spending
from graphveil.evaluation.report import Report
from graphveil.graph.clustering import exact_average_clustering
from graphveil.graph.core import Graph
from graphveil.graph.generate import power_law_cluster
from graphveil.graph.triangles import exact_triangles
from graphveil.privacy.ledger import Ledger
from graphveil.privacy.rounding import text_up
from graphveil.release.release import Release, describe
from graphveil.release.session import Session

PEOPLE = 4_000
DATASET = "demo network"
BUDGET = 2
SPENDING = (("edges", 0.1), ("triangles", 0.3), ("average-clustering", 0.6), ("degree-histogram", 0.5))
TOO_MUCH = ("degree-sequence", 1)


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo did, for the terminal and the report."""

    graph: Graph
    releases: tuple[Release, ...]
    refusal: str
    left: float
    ledger: Path
    report: Path


def run_demo(folder: Path, progress: Callable[[str], None]) -> Demo:
    """Generate a network, publish from it, run into the end of the budget, write the report."""
    ledger = folder / "demo.ledger"
    _clear_former_demo(ledger)
    progress(f"generating a network of {PEOPLE:,} people")
    graph = power_law_cluster(PEOPLE, 10, 0.7, seed=2026)
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
    progress("writing the report")
    demo = Demo(graph, tuple(releases), refusal, float(session.left[0]), ledger, folder / "report.html")
    demo.report.write_text(_report(demo).html(), encoding="utf-8")
    return demo


def _clear_former_demo(ledger: Path) -> None:
    """A demo may be run again; any other ledger is never touched."""
    if not ledger.exists():
        return
    if [dataset.name for dataset in Ledger.open(ledger).datasets()] != [DATASET]:
        raise ParameterError(f"{ledger} is not the ledger of a former demo: give another --out")
    ledger.unlink()


def _report(demo: Demo) -> Report:
    *numbers, histogram = demo.releases
    truths = {
        "edges": demo.graph.n_edges,
        "triangles": exact_triangles(demo.graph),
        "average-clustering": exact_average_clustering(demo.graph),
    }
    report = Report(
        "graphveil: what can be said about 4,000 people without exposing one of their friendships",
        "A generated network, so the truth may be shown beside what would be published.",
    )
    report.heading("What was published")
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
    exact = np.bincount(demo.graph.degrees).tolist()
    report.figure(
        cumulative_degrees(exact, histogram.to_json()["value"]),
        "Degree distribution: the published histogram (dashed) against the truth (line).",
    )
    report.heading("What it cost")
    report.figure(spending(SPENDING, BUDGET), f"Spent so far, of a budget of {BUDGET}; {demo.left:g} is left.")
    report.text("The next request asked for more than is left. It was refused before anything was spent:")
    report.code(demo.refusal)
    report.heading("What one of these answers promises")
    report.code(numbers[1].explain())
    return report


def _interval(release: Release) -> str:
    low, high = release.accuracy.interval(0.95)
    return f"{describe(low)} to {describe(high)}"


def _relative(release: Release, truth: float) -> tuple[str, float, float, float]:
    def percent(value: Any) -> float:
        return 100 * (float(value) - truth) / truth

    low, high = release.accuracy.interval(0.95)
    return release.query, percent(release.value), percent(low), percent(high)
