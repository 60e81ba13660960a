"""GS-LDP's figure 3: error of the degree distribution under Node-LDP against epsilon, and what a true epsilon gives."""

from __future__ import annotations

from collections.abc import Mapping

from graphveil.evaluation.checks import higher, increased, lower, reduced
from graphveil.evaluation.experiment import COLLECTED, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.readings import Reading, split_series
from graphveil.evaluation.statements import Claim
from graphveil.local.experiment import experiment_runs
from graphveil.registry import build_protocol

EPSILONS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
GROUP_WIDTH = 10  # the paper's L
PUBLISHED = ("gs-ldp", "rj", "node-proj", "edge-proj")
SERIES = ("veil", "two-stage", *PUBLISHED)


def measure(cell: Cell) -> Mapping[str, float]:
    """Errors of one simulated collection."""
    graph = experiment_graph(cell.graph)
    protocol, options = split_series(cell.series)
    parameters = {"group_width": GROUP_WIDTH} if protocol == "gs-ldp" else options
    made = build_protocol(
        "degree-distribution", protocol, unit="node", epsilon=cell.x, n_people=graph.n_nodes, parameters=parameters
    )
    (each,) = experiment_runs(made, graph, runs=1, seed=cell.seed)
    return each.metrics


PROJECTED = ("node-proj", "edge-proj")
BOTH = ("mse", "mae")
FACEBOOK = ("ego-Facebook",)
CLAIMS = (
    Claim(
        "Section 7.3: GS-LDP's errors are clearly below those of NodeProj and EdgeProj on all three graphs",
        lower("gs-ldp", PROJECTED, BOTH),
        COLLECTED,
    ),
    Claim("Section 7.3: GS-LDP's errors are above those of RJ", higher("gs-ldp", ("rj",), BOTH), COLLECTED),
    Claim(
        "Section 7.3, figure 3(a): on Facebook the MSE is 63 % to 99 % below that of NodeProj and EdgeProj",
        reduced("gs-ldp", PROJECTED, "mse", 0.63, 0.99),
        FACEBOOK,
    ),
    Claim(
        "Section 7.3, figure 3(d): on Facebook the MAE is 19 % to 90 % below that of NodeProj and EdgeProj",
        reduced("gs-ldp", PROJECTED, "mae", 0.19, 0.90),
        FACEBOOK,
    ),
    Claim(
        "Section 7.3, figure 3(a): on Facebook the MSE is 68 % to 90 % above that of RJ",
        increased("gs-ldp", ("rj",), "mse", 0.68, 0.90),
        FACEBOOK,
    ),
    Claim(
        "Section 7.3, figure 3(d): on Facebook the MAE is 43 % to 73 % above that of RJ",
        increased("gs-ldp", ("rj",), "mae", 0.43, 0.73),
        FACEBOOK,
    ),
)

EXPERIMENT = Experiment(
    name="gs-ldp-fig3",
    title="Degree distribution under Node-LDP",
    x_label="epsilon",
    metrics=(Metric("mse", "mean squared error"), Metric("mae", "mean absolute error"), Metric("wasserstein", "W1")),
    full=Grid((*COLLECTED, "clustered-4k", "random-4k"), SERIES, EPSILONS, seeds=20),
    quick=Grid(("clustered-1k",), SERIES, (0.5, 1.0, 3.0), seeds=2),
    stand_ins={"clustered-1k": "ego-Facebook"},
    measure=measure,
    marks={
        "gs-ldp": "claim refuted",
        "rj": "our reading, whose claim is refuted",
        "node-proj": "our reading",
        "edge-proj": "our reading",
    },
    claims=CLAIMS,
    readings=(Reading("jump", "rj", ("anywhere",)),),
)
