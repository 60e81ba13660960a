"""GS-LDP's figures 6 and 7: error of everybody's clustering, under edge and under node privacy.

Figure 6: against epsilon, on real graphs. Figure 7: against the number of people, on generated networks; it also shows
what edge privacy allows, since no repair under node privacy tells anything about single people. `half` is the error of
saying 1/2 for everybody, which needs no data.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphveil.evaluation.experiment import COLLECTED, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.figures.collection import REFUTED, affordable, collect, errors, generated
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import exact_local_clustering
from graphveil.local.statistics import entry_metrics

EPSILONS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
EDGE = ("veil", "gs-ldp", "rnl", "local2rounds", "lf-gdpr", "half")
NODE_EPSILONS = {"epsilon 5": 5.0, "epsilon 10": 10.0, "epsilon 15": 15.0}
NODE = ("gs-ldp", "local2rounds", "veil, edge privacy", "half")
METRICS = (Metric("mse", "mean squared error", log=False), Metric("mae", "mean absolute error", log=False))


def measure_edge(cell: Cell) -> Mapping[str, float]:
    """Errors of one simulated collection under edge privacy."""
    graph = experiment_graph(cell.graph)
    if cell.series == "half":
        return _half(graph)
    parameters = {"level": "49/50"} if cell.series == "gs-ldp" else {}
    return errors(collect(graph, "clustering", cell.series, "edge", cell.x, cell.seed, **parameters))


def measure_node(cell: Cell) -> Mapping[str, float]:
    """Errors under node privacy; a panel is an epsilon, x the number of people."""
    graph = generated(int(cell.x))
    if cell.series == "half":
        return _half(graph)
    protocol, _, weaker = cell.series.partition(", ")
    unit, parameters = ("edge", {}) if weaker else ("node", {"level": "1/2"} if protocol == "gs-ldp" else {})
    return errors(collect(graph, "clustering", protocol, unit, NODE_EPSILONS[cell.graph], cell.seed, **parameters))


def _half(graph: Graph) -> Mapping[str, float]:
    return entry_metrics(np.full(graph.n_nodes, 0.5), exact_local_clustering(graph))


FIGURE_6 = Experiment(
    name="gs-ldp-fig6",
    title="Clustering of every person under Edge-LDP",
    x_label="epsilon",
    metrics=METRICS,
    full=Grid((*COLLECTED, "clustered-4k"), EDGE, EPSILONS, seeds=10, has_cell=affordable),
    quick=Grid(("clustered-1k",), EDGE, (1.0, 3.0, 6.0), seeds=2),
    measure=measure_edge,
    published=frozenset(("gs-ldp", "rnl", "local2rounds", "lf-gdpr")),
    marks={"gs-ldp": REFUTED},
)

FIGURE_7 = Experiment(
    name="gs-ldp-fig7",
    title="Clustering of every person under Node-LDP, generated networks",
    x_label="people",
    metrics=METRICS,
    full=Grid(tuple(NODE_EPSILONS), NODE, tuple(range(1_000, 15_001, 1_000)), seeds=10),
    quick=Grid(("epsilon 5",), NODE, (1_000, 3_000), seeds=2),
    measure=measure_node,
    published=frozenset(("gs-ldp", "local2rounds")),
    marks={"gs-ldp": REFUTED},
)
