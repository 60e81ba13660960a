"""A paper's table of its graphs: their counts as printed, beside those of the files, edges counted in several ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.readings import Reading, split_series
from graphveil.evaluation.statements import Claim, Finding, View, makes_checks
from graphveil.graph.datasets import DATASETS, count_file

SERIES = "counts"
COUNTS = ("people", "edges", "largest degree", "mean degree")
WITH_LOOPS, BOTH_WAYS, DIRECTED = "with-self-loops", "both-ways", "directed"  # what an edge may be besides


def measure(cell: Cell, *, counts: Sequence[str]) -> Mapping[str, float]:
    """The counts of one graph, its edges as the series reads them."""
    graph, way = experiment_graph(cell.graph), split_series(cell.series)[1].get("edges")
    edges = 2 * graph.n_edges if way == BOTH_WAYS else graph.n_edges
    if way in (WITH_LOOPS, DIRECTED) and cell.graph in DATASETS:
        file = count_file(cell.graph)
        edges = file.lines if way == DIRECTED else edges + file.self_loops
    values = (graph.n_nodes, edges, int(graph.degrees.max()), 2 * graph.n_edges / graph.n_nodes)
    return dict(zip(counts, map(float, values), strict=False))


@makes_checks
def _row(view: View, graph: str, stated: Sequence[float]) -> Finding | None:
    if view.graph != graph:
        return None
    own = [view.value(SERIES, 0.0, count) or 0.0 for count in COUNTS[: len(stated)]]
    # a mean degree is printed with at most one place behind the point, cut or rounded
    means_agree = all(abs(mean - printed) < 0.1 for mean, printed in zip(own[3:], stated[3:], strict=True))
    return Finding(own[:3] == list(stated[:3]) and means_agree, in_words(own))


def in_words(counts: Sequence[float]) -> str:
    """Counts in the order of `COUNTS`, as many as there are.

    >>> in_words((4039, 88234, 1045, 43.69))
    '4,039 people, 88,234 edges, largest degree 1,045, mean 43.7'
    """
    forms = ("{:,.0f} people", "{:,.0f} edges", "largest degree {:,.0f}", "mean {:.3g}")
    return ", ".join(form.format(count) for form, count in zip(forms, counts, strict=False))


def counts_table(
    name: str, title: str, where: str, stated: Mapping[str, Sequence[float]], edges: Reading
) -> Experiment:
    """The table of this name; `stated` are the counts of each graph as the paper prints them."""
    graphs = tuple(stated)
    shown = COUNTS[: len(stated[graphs[0]])]
    return Experiment(
        name=name,
        title=title,
        x_label="",
        metrics=tuple(Metric(count, count) for count in shown),
        full=Grid(graphs, (SERIES,), (0.0,), seeds=5, has_cell=lambda cell: cell.seed == 0),
        quick=Grid(("clustered-1k",), (SERIES,), (0.0,), seeds=1),
        stand_ins={"clustered-1k": graphs[0]},
        measure=partial(measure, counts=shown),
        claims=[
            Claim(f"{where}: {graph} has {in_words(own)}", _row(graph, own), (graph,)) for graph, own in stated.items()
        ],
        readings=(edges,),
    )
