"""BCPA's table 1: the two graphs of its experiments.

Its edges are directed ones, as the files list them. The algorithms are about undirected graphs, in which fewer remain;
`edges=directed` counts the lines of the file.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphveil.evaluation.experiment import PUBLISHED_AS_GRAPHS, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.readings import Reading, split_series
from graphveil.evaluation.statements import Check, Claim, Finding, View
from graphveil.graph.datasets import DATASETS, count_file

STATED = {"wiki-Vote": (7_115, 103_689), "ego-Twitter": (81_306, 1_768_149)}
COUNTS, DIRECTED = "counts", "directed"


def measure(cell: Cell) -> Mapping[str, float]:
    """People and edges of one graph, its edges as the series reads them."""
    graph = experiment_graph(cell.graph)
    directed = split_series(cell.series)[1].get("edges") == DIRECTED and cell.graph in DATASETS
    return {"people": graph.n_nodes, "edges": count_file(cell.graph).lines if directed else graph.n_edges}


def _row(graph: str) -> Check:
    def check(view: View) -> Finding | None:
        if view.graph != graph:
            return None
        own = tuple(view.value(COUNTS, 0.0, metric) or 0.0 for metric in ("people", "edges"))
        return Finding(own == STATED[graph], f"{own[0]:,.0f} people, {own[1]:,.0f} edges")

    return check


EXPERIMENT = Experiment(
    name="bcpa-table1",
    title="The graphs of BCPA's experiments",
    x_label="",
    metrics=(Metric("people", "people"), Metric("edges", "edges")),
    full=Grid(PUBLISHED_AS_GRAPHS, (COUNTS,), (0.0,), seeds=5, has_cell=lambda cell: cell.seed == 0),
    quick=Grid(("clustered-1k",), (COUNTS,), (0.0,), seeds=1),
    stand_ins={"clustered-1k": "wiki-Vote"},
    measure=measure,
    claims=tuple(
        Claim(f"Table 1: {graph} has {people:,} nodes and {edges:,} edges", _row(graph), (graph,))
        for graph, (people, edges) in STATED.items()
    ),
    readings=(Reading("edges", COUNTS, (DIRECTED,), default="undirected"),),
)
