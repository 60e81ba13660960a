"""GS-LDP's figure 1: how dense a graph becomes when everybody's list goes through randomised response.

Under Edge-LDP a bit gets all of epsilon (Theorem 1), under Node-LDP epsilon over the number of people (Theorem 2). One
answer for each pair is drawn. How many edges come out needs no list: those that stay and the strangers that are added
are two binomial numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from graphveil.evaluation.checks import higher
from graphveil.evaluation.experiment import COLLECTED, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.statements import Claim, Finding, View

ORIGINAL, EDGE, NODE = "original", "edge-ldp", "node-ldp"
SERIES = (ORIGINAL, EDGE, NODE)
DENSITY = "density"
EPSILONS = (1.0, 2.0, 4.0, 6.0)
STATED = 2.0  # the epsilon of the paper's picture
GREATLY = 2.0  # what we take for a great rise: at least twice as dense


def measure(cell: Cell) -> Mapping[str, float]:
    """The share of pairs that are joined after randomised response."""
    graph = experiment_graph(cell.graph)
    pairs = math.comb(graph.n_nodes, 2)
    if cell.series == ORIGINAL:
        return {DENSITY: graph.n_edges / pairs}
    keep = 1 / (1 + math.exp(-cell.x / (1 if cell.series == EDGE else graph.n_nodes)))
    draw = np.random.default_rng(cell.seed)
    joined = draw.binomial(graph.n_edges, keep) + draw.binomial(pairs - graph.n_edges, 1 - keep)
    return {DENSITY: joined / pairs}


def _denser(view: View) -> Finding | None:
    values = [view.value(series, STATED, DENSITY) for series in SERIES]
    if None in values:
        return None
    original, edge, node = (float(value) for value in values if value is not None)
    text = f"{original:.2g} becomes {edge:.2g} under edge-LDP and {node:.2g} under node-LDP"
    return Finding(min(edge, node) >= GREATLY * original, text)


EXPERIMENT = Experiment(
    name="gs-ldp-fig1",
    title="Density of a graph after randomised response",
    x_label="epsilon",
    metrics=(Metric(DENSITY, "share of pairs that are joined"),),
    full=Grid(COLLECTED, SERIES, EPSILONS, seeds=5),
    quick=Grid(("clustered-1k",), SERIES, EPSILONS, seeds=1),
    stand_ins={"clustered-1k": "ego-Facebook"},
    measure=measure,
    published=frozenset((EDGE, NODE)),
    claims=(
        Claim(
            "Section 1, figure 1: at epsilon 2 edge-LDP and node-LDP both make graphs much denser (we take: twice)",
            _denser,
            COLLECTED,
        ),
        Claim(
            "Section 2.2, theorems 1 and 2: node-LDP adds far more noise edges than edge-LDP",
            higher(NODE, (EDGE,), (DENSITY,)),
            COLLECTED,
        ),
    ),
)
