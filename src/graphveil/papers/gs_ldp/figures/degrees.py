"""GS-LDP's figure 3: error of the degree distribution under Node-LDP against epsilon, and what a true epsilon gives."""

from __future__ import annotations

from collections.abc import Mapping

from graphveil.evaluation.experiment import COLLECTED, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.local.experiment import experiment_runs
from graphveil.registry import build_protocol

EPSILONS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
GROUP_WIDTH = 10  # the paper's L
PUBLISHED = ("gs-ldp", "rj", "node-proj", "edge-proj")
SERIES = ("veil", "two-stage", *PUBLISHED)


def measure(cell: Cell) -> Mapping[str, float]:
    """Errors of one simulated collection."""
    graph = experiment_graph(cell.graph)
    parameters = {"group_width": GROUP_WIDTH} if cell.series == "gs-ldp" else {}
    made = build_protocol(
        "degree-distribution",
        cell.series,
        unit="node",
        epsilon=cell.x,
        n_people=graph.n_nodes,
        parameters=parameters,
    )
    (each,) = experiment_runs(made, graph, runs=1, seed=cell.seed)
    return each.metrics


EXPERIMENT = Experiment(
    name="gs-ldp-fig3",
    title="Degree distribution under Node-LDP",
    x_label="epsilon",
    metrics=(Metric("mse", "mean squared error"), Metric("mae", "mean absolute error"), Metric("wasserstein", "W1")),
    full=Grid((*COLLECTED, "clustered-4k", "random-4k"), SERIES, EPSILONS, seeds=20),
    quick=Grid(("clustered-1k",), SERIES, (0.5, 1.0, 3.0), seeds=2),
    measure=measure,
    published=frozenset(PUBLISHED),
    marks={"gs-ldp": "claim refuted", "rj": "claim refuted"},
)
