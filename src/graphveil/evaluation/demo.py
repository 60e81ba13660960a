"""The whole product on a generated network, in one report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from graphveil.evaluation.demo_parts.auditing import add_audits
from graphveil.evaluation.demo_parts.collecting import add_collection
from graphveil.evaluation.demo_parts.handing_out import add_graphs
from graphveil.evaluation.demo_parts.releasing import add_releases
from graphveil.evaluation.report import Report
from graphveil.graph.generate import power_law_cluster

PEOPLE = 4_000


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo said, and where its files are."""

    lines: tuple[str, ...]
    ledger: Path
    report: Path


def run_demo(folder: Path, progress: Callable[[str], None]) -> Demo:
    """Generate a network, do all five jobs on it, write the report."""
    ledger, page = folder / "demo.ledger", folder / "report.html"
    progress(f"generating a network of {PEOPLE:,} people")
    graph = power_law_cluster(PEOPLE, 10, 0.7, seed=2026)
    report = Report(
        "graphveil: what can be said about 4,000 people without exposing one of their friendships",
        "A generated network, so the truth may be shown beside what would be published.",
    )
    lines = [
        *add_releases(report, graph, ledger, progress),
        *add_collection(report, graph, progress),
        *add_graphs(report, graph, progress),
        *add_audits(report, progress),
    ]
    progress("writing the report")
    page.write_text(report.html(), encoding="utf-8")
    return Demo(tuple(lines), ledger, page)
