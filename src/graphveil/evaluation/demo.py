"""The whole product on a generated network, in one report.

Audit: what outputs alone prove about a claimed epsilon.

Collect: the same statistics from people who keep their friend lists to themselves.

Synthesize, anonymize, attack: graphs to hand out, and what attackers find in them.

Release: publish numbers, account for them, run into the end of the budget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.audit.attacks.attack import ATTACKS, Knowledge
from graphveil.audit.attacks.case import case_by_key
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.runner import run_audits
from graphveil.display.svg import Line, budget_bar, lines, ranges
from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.evaluation.metrics.compare import evaluate
from graphveil.evaluation.publications import publish
from graphveil.evaluation.reports.page import Report
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.clustering import exact_average_clustering
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.protocol import Cost
from graphveil.local.result import CollectionResult
from graphveil.local.simulate import simulate
from graphveil.mechanisms.release import Release, describe, interval_cell
from graphveil.privacy.ledger.fingerprint import key_path
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.rounding import text_up
from graphveil.privacy.unit import Kind
from graphveil.registry import build_protocol
from graphveil.release.session import Session

DOUBTED = ("discrete-laplace", "control-half-scale-laplace", "gs-ldp-degrees")
SAMPLES = 20_000


def add_audits(report: Report, progress: Callable[[str], None]) -> list[str]:
    """A sound mechanism, a broken one, and a published claim; returns lines for the terminal."""
    progress("auditing three claims of epsilon 1")
    results = run_audits(DOUBTED, epsilon=1, samples=SAMPLES)
    report.heading("Audit: does a claimed epsilon hold?")
    report.text(
        "Each was asked for two neighbouring inputs many times, and a player guessed from the outputs which was which. "
        "Guessing better than the claimed epsilon allows refutes the claim."
    )
    report.table(
        ("audited", "claimed epsilon", "shown to be at least", "verdict"),
        [(r.name, f"{r.claimed_epsilon:g}", f"{r.epsilon_lower_bound:.3f}", r.verdict.value) for r in results],
    )
    worst = next(r for r in results if r.verdict is AuditVerdict.REFUTED)
    report.figure(worst.picture(), f"{worst.name}: the score under either input. {worst.worst_pair}.")
    return [str(result) for result in results]


EPSILON = 2


def add_collection(report: Report, graph: Graph, progress: Callable[[str], None]) -> list[str]:
    """Two campaigns, simulated in full; returns lines for the terminal."""
    progress("collecting the degree distribution from everybody's own report")
    degrees = build_protocol("degree-distribution", "veil", unit="node", epsilon=EPSILON, n_people=graph.n_nodes)
    shares = simulate(degrees, graph)
    progress("collecting the number of triangles in rounds")
    triangles = build_protocol("triangles", "veil", unit="edge", epsilon=EPSILON, n_people=graph.n_nodes)
    count = simulate(triangles, graph)
    truth = exact_triangles(graph)
    report.heading("Collect: statistics of a graph nobody holds")
    report.text(
        "Every person perturbs their own friend list and sends only the noisy report. The provider never sees a list, "
        "and needs no trust."
    )
    costs = [protocol.cost() for protocol in (degrees, triangles)]
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


def _promise(outcome: CollectionResult) -> str:
    guarantee = outcome.guarantee
    unit = "an entry of a list" if guarantee.unit.kind is Kind.EDGE else "a whole list"
    friendship = guarantee.relationship_epsilon or 2 * guarantee.epsilon
    return f"{unit}: epsilon {text_up(guarantee.epsilon)}; a friendship: {text_up(friendship)}"


def _bits(cost: Cost) -> str:
    return f"{cost.upload_bits_per_user:,.0f} up, {cost.download_bits_per_user:,.0f} down"


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
    report.text("Drawn anew from a few noisy statistics (method veil, epsilon 1): its nodes stand for no real person.")
    report.table(
        ("metric", "original", "synthetic"),
        [
            (name.replace("_", " "), *(describe(metrics[name][side]) for side in ("original", "published")))
            for name in SHOWN
        ],
    )


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
    key_path(ledger).unlink(missing_ok=True)


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
            (
                r.query,
                describe(r.value),
                interval_cell(r.accuracy),
                describe(truths[r.query]),
                text_up(r.guarantee.epsilon),
            )
            for r in numbers
        ],
    )
    report.figure(
        ranges([_relative(r, truths[r.query]) for r in numbers], title="error", x="difference from the truth, %"),
        "Published values (points) and their 95 % intervals (bars), as a distance from the truth.",
    )
    report.figure(
        cumulative_degrees(np.bincount(graph.degrees).tolist(), histogram.to_json()["value"]),
        "Degree distribution: the published histogram (dashed) against the truth (line).",
    )
    report.figure(
        budget_bar(SPENDING, BUDGET, title="where the budget went"),
        f"Spent so far, of a budget of {BUDGET}; {left:g} is left.",
    )
    report.text("The next request asked for more than is left. It was refused before anything was spent:")
    report.code(refusal)
    report.text("What one of these answers promises, and how it was made:")
    report.code(numbers[1].explain())


def _relative(release: Release, truth: float) -> tuple[str, float, float, float]:
    def percent(value: Any) -> float:
        return 100 * (float(value) - truth) / truth

    low, high = release.accuracy.interval(0.95)
    return release.query, percent(release.value), percent(low), percent(high)


PEOPLE = 4_000
FEWEST = 400  # below, most answers would be noise


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo said, and where its files are."""

    lines: tuple[str, ...]
    ledger: Path
    report: Path


def run_demo(folder: Path, progress: Callable[[str], None], *, people: int = PEOPLE) -> Demo:
    """Generate a network of so many people, do all jobs on it, write the report."""
    ledger, page = folder / "demo.ledger", folder / "report.html"
    progress(f"generating a network of {people:,} people")
    graph = power_law_cluster(people, 10, 0.7, seed=2026)
    report = Report(
        f"What can be said about {people:,} people without exposing one of their friendships",
        "a generated network, so that the truth may be shown beside what would be published",
    )
    lines = [
        *add_releases(report, graph, ledger, progress),
        *add_collection(report, graph, progress),
        *add_graphs(report, graph, progress),
        *add_audits(report, progress),
    ]
    report.summary += [
        f"Released: three numbers and a degree histogram with errors, within epsilon {BUDGET}; a fifth was refused.",
        "Collected: two statistics from people who keep their friend lists; nobody else ever sees one.",
        "Handed out: a synthetic graph under differential privacy, beside graphs that are merely anonymised.",
        "Attacked and audited: what attackers find in each, and which published claims do not hold.",
    ]
    progress("writing the report")
    page.write_text(report.html(), encoding="utf-8")
    return Demo(tuple(lines), ledger, page)


def cumulative_degrees(truth: list[float], released: list[float]) -> str:
    """How many people have at least so many friends: truth and release on doubly logarithmic axes."""
    drawn = []
    for name, histogram in (("truth", truth), ("released", released)):
        tail = np.cumsum(np.asarray(histogram, dtype=float)[::-1])[::-1][1:]
        drawn.append(Line(name, [float(degree) for degree in range(1, len(tail) + 1)], np.maximum(tail, 0.5).tolist()))
    return lines(drawn, title="people with at least d friends", x="degree d", y="people", log_x=True, log_y=True)
