"""Collect: the same statistics from people who keep their friend lists to themselves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from graphveil.evaluation.plots import cumulative_degrees
from graphveil.evaluation.report import Report
from graphveil.graph.core import Graph
from graphveil.graph.triangles import exact_triangles
from graphveil.local.outcome import Outcome
from graphveil.local.page import Cost
from graphveil.local.registry import build
from graphveil.local.simulate import simulate
from graphveil.privacy.rounding import text_up
from graphveil.privacy.unit import Kind

EPSILON = 2


def add_collection(report: Report, graph: Graph, progress: Callable[[str], None]) -> list[str]:
    """Two campaigns, simulated in full; returns lines for the terminal."""
    progress("collecting the degree distribution from everybody's own report")
    degrees = build("degree-distribution", "veil", unit="node", epsilon=EPSILON, n_people=graph.n_nodes)
    shares = simulate(degrees, graph)
    progress("collecting the number of triangles in rounds")
    triangles = build("triangles", "veil", unit="edge", epsilon=EPSILON, n_people=graph.n_nodes)
    count = simulate(triangles, graph)
    truth = exact_triangles(graph)
    report.heading("Collect: statistics of a graph nobody holds")
    report.text(
        "Every person perturbs their own friend list and sends only the noisy report. The provider never sees a list, "
        "and needs no trust."
    )
    costs = [page.cost() for page in (degrees, triangles)]
    report.table(
        ("statistic", "collected", "truth", "protects", "bits a person sends and fetches"),
        [
            ("degree-distribution", "below", "below", _promise(shares), _bits(costs[0])),
            ("triangles", f"{float(count.value):,.0f}", f"{truth:,}", _promise(count), _bits(costs[1])),
        ],
    )
    report.figure(
        cumulative_degrees(np.bincount(graph.degrees).tolist(), (np.asarray(shares.value) * graph.n_nodes).tolist()),
        f"Degree distribution collected under local privacy at epsilon {EPSILON} (dashed) against the truth (line).",
    )
    return [f"collected triangles: {float(count.value):,.0f} (truth {truth:,}); {count.guarantee}"]


def _promise(outcome: Outcome) -> str:
    guarantee = outcome.guarantee
    unit = "an entry of a list" if guarantee.unit.kind is Kind.EDGE else "a whole list"
    friendship = guarantee.relationship_epsilon or 2 * guarantee.epsilon
    return f"{unit}: epsilon {text_up(guarantee.epsilon)}; a friendship: {text_up(friendship)}"


def _bits(cost: Cost) -> str:
    return f"{cost.upload_bits_per_user:,.0f} up, {cost.download_bits_per_user:,.0f} down"
