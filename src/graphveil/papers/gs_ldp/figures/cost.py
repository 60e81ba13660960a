"""GS-LDP's figure 8: what everybody has to fetch for the second round, against epsilon and the number of people.

The noisy graph of GS-LDP and of ARRTwoNS is counted as they send it, two ids for each reported pair; the others' as one
bit for each pair that may be needed. `veil` and its low-download form collect the number of triangles.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.figures.collection import REFUTED, collect, generated
from graphveil.graph.core import Graph
from graphveil.local.payloads import number_bits
from graphveil.registry import build_protocol

SERIES = ("veil", "veil-low-download", "gs-ldp", "local2rounds", "arr-two-ns")
NODE_SERIES = ("gs-ldp", "local2rounds")
METRICS = (Metric("download_bits", "bits to fetch, a person"),)
GENERATED_EPSILON = 5.0


def measure(cell: Cell) -> Mapping[str, float]:
    """Against epsilon; a panel is a graph and a unit."""
    name, _, unit = cell.graph.partition(", ")
    return _download(experiment_graph(name), cell, unit or "edge", cell.x, "49/50")


def measure_generated(cell: Cell) -> Mapping[str, float]:
    """Against the number of people; a panel is a unit."""
    return _download(generated(int(cell.x)), cell, cell.graph.removesuffix(" privacy"), GENERATED_EPSILON, "1/2")


def _download(graph: Graph, cell: Cell, unit: str, epsilon: float, level: str) -> Mapping[str, float]:
    if unit == "node" and cell.series not in NODE_SERIES:
        return {}
    if cell.series == "gs-ldp":
        run = collect(graph, "triangle-sequence", "gs-ldp", unit, epsilon, cell.seed, level=level)
        assert run is not None
        return {"download_bits": 2 * number_bits(graph.n_nodes) * run.outcome.estimate.facts["noisy_edges"]}
    made = build_protocol("triangles", cell.series, unit=unit, epsilon=epsilon, n_people=graph.n_nodes)
    return {"download_bits": made.cost().download_bits_per_user}


FIGURE_8 = Experiment(
    name="gs-ldp-fig8",
    title="What a person fetches for the second round",
    x_label="epsilon",
    metrics=METRICS,
    full=Grid(("ego-Facebook, edge", "ego-Facebook, node"), SERIES, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), seeds=20),
    quick=Grid(("clustered-1k, edge", "clustered-1k, node"), SERIES, (1.0, 4.0, 7.0), seeds=2),
    measure=measure,
    published=frozenset(("gs-ldp", "local2rounds", "arr-two-ns")),
    marks={"gs-ldp": REFUTED},
)

FIGURE_8_GENERATED = Experiment(
    name="gs-ldp-fig8-generated",
    title="What a person fetches for the second round, generated networks, epsilon 5",
    x_label="people",
    metrics=METRICS,
    full=Grid(("edge privacy", "node privacy"), SERIES, (1_000, 2_000, 3_000, 4_000, 5_000), seeds=20),
    quick=Grid(("edge privacy", "node privacy"), SERIES, (1_000, 2_000), seeds=2),
    measure=measure_generated,
    published=frozenset(("gs-ldp", "local2rounds", "arr-two-ns")),
    marks={"gs-ldp": REFUTED},
)
