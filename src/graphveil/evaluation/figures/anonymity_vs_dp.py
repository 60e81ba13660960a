"""Anonymity against differential privacy: every way to hand out a graph, every attack, and what is left to learn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from graphveil.audit.attacks.attack import ATTACKS, Knowledge
from graphveil.audit.attacks.case import case_by_key
from graphveil.audit.attacks.membership import infer_membership, publish_half
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, Point, experiment_graph
from graphveil.evaluation.metrics.compare import evaluate
from graphveil.evaluation.pictures import draw_tiles
from graphveil.evaluation.publications import publish
from graphveil.graph.statistics.communities import find_communities

SEEDS_KNOWN = 5
STRUCK = ("degree", "neighbourhood", "seed-and-propagate", "link", "community", "attribute")
KEPT = (
    "edges", "triangles", "average_degree", "degree_variance", "degree_kl", "degree_ks", "degree_tv", "diameter",
    "average_path", "distance_kl", "global_clustering", "average_clustering", "community_nmi", "community_ami",
    "modularity", "assortativity", "eigenvector_mae", "spectrum",
)  # fmt: skip
COIN = dict.fromkeys(("link", "community", "membership"), " (a coin: 0.5)")
ANONYMOUS = tuple(
    f"{notion} k={k}" for notion in ("k-degree", "k-neighbourhood", "k-automorphism", "k-seed") for k in (2, 10)
)
PRIVATE = tuple(f"veil epsilon={epsilon}" for epsilon in ("0.1", "1", "4", "10"))
METRICS = (
    *(Metric(f"attack: {name}", name + COIN.get(name, ""), log=False) for name in (*STRUCK, "membership")),
    *(Metric(f"error: {name}", f"{name.replace('_', ' ')} error", log=False) for name in KEPT),
)


def measure(cell: Cell) -> Mapping[str, float]:
    """How often each attack is right, and the error of each statistic."""
    graph = experiment_graph(cell.graph)
    published, key = publish(graph, cell.series, seed=cell.seed)
    case = case_by_key(graph, published, key)
    known = Knowledge(
        seeds=SEEDS_KNOWN, values=find_communities(graph, seed=0)
    )  # a department, say, that friends share
    rates = {f"attack: {name}": ATTACKS[name](case, cell.seed, known).rate for name in STRUCK}
    rates["attack: membership"] = _membership(cell)
    errors = evaluate(graph, published, relabel=True, seed=cell.seed).errors
    return rates | {f"error: {name}": _number(errors[name]) for name in KEPT}


def _membership(cell: Cell) -> float:
    """How often an attacker says rightly whether a person is among the half that was published."""
    graph = experiment_graph(cell.graph)
    half, chosen = publish_half(graph, seed=cell.seed)
    published, key = publish(half, cell.series, seed=cell.seed)
    return infer_membership(case_by_key(graph, published, chosen[key]), seed=cell.seed).rate


def _number(error: float | None) -> float:
    return math.nan if error is None else error


def table(points: Sequence[Point]) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """A column a publication: how often attacks are right in percent, then errors."""
    several = len({point.graph for point in points}) > 1
    lines: dict[str, dict[str, str]] = {metric.key: {} for metric in METRICS}
    columns: dict[str, None] = {}
    for point in points:
        name = f"{point.series} ({point.graph})" if several else point.series
        columns[name] = None
        shown = f"{100 * point.mean:.1f}" if point.metric.startswith("attack") else f"{point.mean:.2f}"
        lines[point.metric][name] = shown
    rows = [(_words(key), *(cells.get(name, "-") for name in columns)) for key, cells in lines.items()]
    return ("", *columns), rows


def _words(key: str) -> str:
    kind, _, name = key.partition(": ")
    return f"{name} right, %" if kind == "attack" else name.replace("_", " ")


EXPERIMENT = Experiment(
    name="anonymity-vs-dp",
    title="What attackers find and what researchers keep",
    x_label="",
    metrics=METRICS,
    full=Grid(("ego-Facebook",), ("pseudonyms", *ANONYMOUS, *PRIVATE), (0.0,), seeds=5),
    quick=Grid(("clustered-400",), ("pseudonyms", "k-degree k=5", "k-automorphism k=5", "veil epsilon=1"), (0.0,), 1),
    measure=measure,
    draw=draw_tiles,
    table=table,
)
