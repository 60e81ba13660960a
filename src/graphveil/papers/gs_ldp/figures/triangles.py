"""GS-LDP's figures 4 and 5: error of everybody's triangles against epsilon, under edge and under node privacy.

With what Fu et al. 2024 compare, as published, and the repaired protocols. `zero` is the error of printing 0 for
everybody, which needs no data. Protocols that an epsilon is too small for are left out there.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphveil.evaluation.experiment import COLLECTED, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.figures.collection import REFUTED, affordable, collect, errors
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.local.statistics import entry_metrics

EPSILONS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
LEVELS = {"edge": "49/50", "node": "4/5"}
EDGE = ("veil", "plain", "gs-ldp", "rnl", "local2rounds", "zero")
NODE = ("plain", "gs-ldp", "local2rounds", "zero")
METRICS = (Metric("mse", "mean squared error"), Metric("mae", "mean absolute error"))


def measure(cell: Cell, unit: str) -> Mapping[str, float]:
    """Errors of one simulated collection."""
    graph = experiment_graph(cell.graph)
    if cell.series == "zero":
        return entry_metrics(np.zeros(graph.n_nodes), exact_triangles_per_node(graph))
    parameters = {"level": LEVELS[unit]} if cell.series == "gs-ldp" else {}
    return errors(collect(graph, "triangle-sequence", cell.series, unit, cell.x, cell.seed, **parameters))


def measure_edge(cell: Cell) -> Mapping[str, float]:
    """Measure one cell of figure 4, under edge privacy."""
    return measure(cell, "edge")


def measure_node(cell: Cell) -> Mapping[str, float]:
    """Measure one cell of figure 5, under node privacy."""
    return measure(cell, "node")


FIGURE_4 = Experiment(
    name="gs-ldp-fig4",
    title="Triangles of every person under Edge-LDP",
    x_label="epsilon",
    metrics=METRICS,
    full=Grid((*COLLECTED, "clustered-4k"), EDGE, EPSILONS, seeds=10, has_cell=affordable),
    quick=Grid(("clustered-1k",), EDGE, (1.0, 3.0, 6.0), seeds=2),
    measure=measure_edge,
    published=frozenset(("gs-ldp", "rnl", "local2rounds")),
    marks={"gs-ldp": REFUTED},
)

FIGURE_5 = Experiment(
    name="gs-ldp-fig5",
    title="Triangles of every person under Node-LDP: nothing beats printing 0",
    x_label="epsilon",
    metrics=METRICS,
    full=Grid((*COLLECTED, "clustered-4k"), NODE, EPSILONS, seeds=10),
    quick=Grid(("clustered-1k",), NODE, (1.0, 3.0, 6.0), seeds=2),
    measure=measure_node,
    published=frozenset(("gs-ldp", "local2rounds")),
    marks={"gs-ldp": REFUTED},
)
