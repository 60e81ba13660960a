"""PGB's benchmark of synthetic graphs, every method here with right sensitivities, beside PGB's own best figures.

People are put in random order before a graph is synthesised, so that nothing that a generator does with the order of
nodes passes for knowledge of communities. All else follows PGB: fifteen queries, relative errors or distances.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from graphveil.evaluation.curves import draw_curves
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, Point
from graphveil.evaluation.experiment_graphs import experiment_graph
from graphveil.evaluation.figures.pgb_reference import EPSILONS, QUERIES, best_of_six, is_known
from graphveil.evaluation.metrics.compare import compare, match_people
from graphveil.evaluation.metrics.profile import Profile, profile
from graphveil.graph.core import Graph
from graphveil.graph.renumber import shuffle_people
from graphveil.mechanisms.source import SeededNoise
from graphveil.synthetic.registry import find, methods

REFERENCE = "PGB's best of six"
NAMES = tuple(method.name for method in methods() if not method.location.startswith("published."))
OTHER_ORDER = 1_000_003  # added to a seed: a sample is put in random order with the seed itself
SAME = 0.005  # errors that differ by less, relatively, count as a tie


def measure(cell: Cell) -> Mapping[str, float]:
    """The errors of one synthetic graph."""
    if cell.series == REFERENCE:
        return best_of_six(cell.graph, cell.x)
    original, known = _original(cell.graph, cell.seed)
    page = find(cell.series).build(Fraction(str(cell.x)))
    drawn = page.sample(page.fit(original, SeededNoise(cell.seed)), seed=cell.seed)
    errors = compare(known, profile(drawn), match_people(original, drawn)).errors
    return {name: math.nan if error is None else error for name, error in errors.items()}


@lru_cache(maxsize=2)
def _original(name: str, seed: int) -> tuple[Graph, Profile]:
    graph = shuffle_people(experiment_graph(name), seed=OTHER_ORDER + seed)
    return graph, profile(graph)


def count_wins(points: Sequence[Point]) -> list[Point]:
    """For every graph, epsilon and method: on how many queries nobody here is better, and how it does against PGB."""
    errors: dict[tuple[str, float], dict[str, dict[str, float]]] = {}
    for p in points:
        if p.metric in QUERIES:
            errors.setdefault((p.graph, p.x), {}).setdefault(p.series, {})[p.metric] = p.mean
    counted = []
    for (graph, x), by_method in errors.items():
        reference = by_method.get(REFERENCE)
        run_here = {name: own for name, own in by_method.items() if name != REFERENCE}
        for name, own in run_here.items():
            best = sum(all(verdict(own[q], other[q]) >= 0 for other in run_here.values() if q in other) for q in own)
            counts = {"best here": float(best)}
            if reference:
                verdicts = [verdict(own[q], reference[q]) for q in QUERIES if q in own]
                counts |= {"won": float(verdicts.count(1)), "tied": float(verdicts.count(0))}
                counts["lost"] = len(QUERIES) - counts["won"] - counts["tied"]
                counts["won or tied"] = counts["won"] + counts["tied"]
            counted += [Point(graph, name, x, metric, value, 0.0, 1) for metric, value in counts.items()]
    return counted


def verdict(error: float, other: float) -> int:
    """1 for a win, 0 for a tie, -1 for a loss.

    >>> verdict(0.1, 0.2), verdict(0.2, 0.2), verdict(0.3, 0.2)
    (1, 0, -1)
    """
    if abs(error - other) <= SAME * max(error, other):
        return 0
    return 1 if error < other else -1


def table(points: Sequence[Point]) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """A line for every graph, epsilon and method."""
    counts: dict[tuple[str, float, str], dict[str, float]] = {}
    for p in count_wins(points):
        counts.setdefault((p.graph, p.x, p.series), {})[p.metric] = p.mean
    seeds = {(p.graph, p.x, p.series): str(p.runs) for p in points if p.metric == "nodes"}
    rows = []
    for (graph, x, name), own in counts.items():
        against = f"{own['won']:.0f} / {own['tied']:.0f} / {own['lost']:.0f}" if "won" in own else "-"
        rows.append((graph, f"{x:g}", name, seeds[graph, x, name], f"{own['best here']:.0f}", against))
    return ("graph", "epsilon", "method", "seeds", "best here, of 15", "won / tied / lost against PGB's best"), rows


def draw_wins(experiment: Experiment, points: Sequence[Point]) -> bytes:
    """Queries won against epsilon: of those run here, and against PGB's best of six."""
    metrics = (Metric("best here", "queries with the least error here", log=False),
               Metric("won or tied", "queries won or tied against PGB", log=False))  # fmt: skip
    counted = count_wins(points)
    known = {p.metric for p in counted}
    seeds = max((p.runs for p in points), default=0)
    title = f"{experiment.title}, means of {seeds} seed{'s' * (seeds != 1)}"
    shown = tuple(metric for metric in metrics if metric.key in known)
    return draw_curves(replace(experiment, title=title, metrics=shown), counted)


EXPERIMENT = Experiment(
    name="pgb",
    title="PGB's fifteen queries",
    x_label="epsilon",
    metrics=tuple(Metric(query, query.replace("_", " ")) for query in QUERIES),
    full=Grid(
        ("ego-Facebook", "wiki-Vote"),
        (*NAMES, REFERENCE),
        EPSILONS,
        seeds=5,
        has_cell=lambda cell: cell.series != REFERENCE or (cell.seed == 0 and is_known(cell.graph, cell.x)),
    ),
    quick=Grid(("clustered-1k",), NAMES, (1.0, 10.0), seeds=1),
    measure=measure,
    log_x=True,
    draw=draw_wins,
    table=table,
)
