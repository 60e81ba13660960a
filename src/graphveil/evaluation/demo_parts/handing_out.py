"""Synthesize, anonymize, attack: graphs to hand out, and what attackers find in them."""

from __future__ import annotations

from collections.abc import Callable

from graphveil.audit.attacks.attack import ATTACKS, Knowledge
from graphveil.audit.attacks.case import case_by_key
from graphveil.evaluation.metrics.compare import evaluate
from graphveil.evaluation.publications import publish
from graphveil.evaluation.report import Report
from graphveil.graph.core import Graph
from graphveil.release.release import describe

SHOWN = ("edges", "triangles", "average_clustering", "global_clustering", "average_path", "assortativity", "modularity")
SYNTHETIC = "veil epsilon=1"
HANDED_OUT = ("pseudonyms", "k-degree k=10", "k-automorphism k=10", SYNTHETIC)
STRUCK = ("degree", "seed-and-propagate", "link")
KNOWN_PEOPLE = 5


def add_graphs(report: Report, graph: Graph, progress: Callable[[str], None]) -> list[str]:
    """Make each graph once, compare and attack it; returns lines for the terminal."""
    published = {}
    for name in HANDED_OUT:
        progress(f"making a graph to hand out: {name}")
        published[name] = publish(graph, name, seed=7)
    _write_synthetic(report, graph, published[SYNTHETIC][0])
    progress("attacking what was handed out")
    known = Knowledge(seeds=KNOWN_PEOPLE)
    rates = {
        name: [ATTACKS[attack](case_by_key(graph, other, key), 7, known).rate for attack in STRUCK]
        for name, (other, key) in published.items()
    }
    report.heading("Anonymize and attack: what anonymity is worth")
    report.text(
        f"An attacker who knows {KNOWN_PEOPLE} people and has a graph of the same friendships tries to name everybody. "
        "k-degree anonymity holds exactly what it says and stops nearly nobody; its answer is not differential privacy."
    )
    report.table(
        ("handed out as", *(f"{attack}: right" for attack in STRUCK)),
        [(name, *(f"{rate:.1%}" for rate in found)) for name, found in rates.items()],
    )
    walked = STRUCK.index("seed-and-propagate")
    return [f"seed-and-propagate names {found[walked]:.1%} of people in {name}" for name, found in rates.items()]


def _write_synthetic(report: Report, graph: Graph, synthetic: Graph) -> None:
    metrics = evaluate(graph, synthetic, relabel=True).metrics
    report.heading("Synthesize: a graph to hand out")
    report.text("Drawn anew from a few noisy statistics (method veil, epsilon 1): its people are nobody in particular.")
    report.table(
        ("metric", "original", "synthetic"),
        [
            (name.replace("_", " "), *(describe(metrics[name][side]) for side in ("original", "published")))
            for name in SHOWN
        ],
    )
