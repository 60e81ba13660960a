"""GS-LDP's figure 8: what everybody has to fetch for the second round, against epsilon and the number of people.

The noisy graphs of GS-LDP, Local2Rounds and ARRTwoNS are counted alike, two ids for each pair that is joined; of the
last, those pairs that a person looks at, on average in the given network. The paper does not say how it counts; as one
bit for each pair (`download=bits`) Local2Rounds' is smaller at small epsilon, and so is ARRTwoNS' under node privacy.
`veil` and its low-download form collect the number of triangles, and send one bit for each pair that may be needed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from graphveil.evaluation.checks import gains, higher, lower
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.figures.collection import OUR_READING, REFUTED, collect, generated, readings
from graphveil.evaluation.readings import Reading, split_series
from graphveil.evaluation.statements import Claim
from graphveil.graph.core import Graph
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import RoundContext
from graphveil.registry import build_protocol

SERIES = ("veil", "veil-low-download", "gs-ldp", "local2rounds", "arr-two-ns")
NODE_SERIES = ("gs-ldp", "local2rounds", "arr-two-ns")
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
    protocol, options = split_series(cell.series)
    if unit == "node" and protocol not in NODE_SERIES:
        return {}
    if protocol == "gs-ldp":
        run = collect(graph, "triangle-sequence", "gs-ldp", unit, epsilon, cell.seed, level=level, **options)
        assert run is not None
        return {"download_bits": 2 * number_bits(graph.n_nodes) * run.outcome.estimate.facts["noisy_edges"]}
    made = build_protocol("triangles", protocol, unit=unit, epsilon=epsilon, n_people=graph.n_nodes)
    by_ids, id_bits = options.get("download") != "bits", 2 * number_bits(graph.n_nodes)
    if protocol == "arr-two-ns" and by_ids:
        return {"download_bits": id_bits * made.fetched_pairs(graph)}
    if protocol == "local2rounds" and by_ids:
        flip, pairs = float(made.response(RoundContext()).flip_probability), math.comb(graph.n_nodes, 2)
        joined = graph.n_edges * (1 - flip) + (pairs - graph.n_edges) * flip  # in the mean
        return {"download_bits": id_bits * joined}
    return {"download_bits": made.cost_among(graph).download_bits_per_user}


BITS = "download_bits"
DOWNLOADS = tuple(Reading("download", each, ("bits",), default="ids") for each in ("local2rounds", "arr-two-ns"))
EDGE_PANEL, NODE_PANEL = ("ego-Facebook, edge",), ("ego-Facebook, node",)
SMALL, LARGE = (1.0,), (4.0, 5.0, 6.0, 7.0)


def _claims(where: str, edge: tuple[str, ...], node: tuple[str, ...]) -> tuple[Claim, ...]:
    return (
        Claim(f"Section 7.6, {where}: under edge-LDP GS-LDP's download is below that of Local2Rounds",
              lower("gs-ldp", ("local2rounds",), (BITS,)), edge),
        Claim(f"Section 7.6, {where}: under node-LDP GS-LDP's download is below that of Local2Rounds",
              lower("gs-ldp", ("local2rounds",), (BITS,)), node),
        Claim(f"Section 7.6, {where}: under node-LDP GS-LDP's download is below that of ARRTwoNS",
              lower("gs-ldp", ("arr-two-ns",), (BITS,)), node),
    )  # fmt: skip


CLAIMS = (
    *_claims("figure 8(a)(b)", EDGE_PANEL, NODE_PANEL),
    *(
        Claim(
            f"Section 7.6: the smaller epsilon is, the larger GS-LDP's advantage over Local2Rounds ({unit}-LDP)",
            gains("gs-ldp", ("local2rounds",), (BITS,), loses=True),
            panel,
        )
        for unit, panel in (("edge", EDGE_PANEL), ("node", NODE_PANEL))
    ),
    Claim(
        "Section 7.6, figure 8(a): under edge-LDP at small epsilon (we take: 1) GS-LDP's download is below ARRTwoNS'",
        lower("gs-ldp", ("arr-two-ns",), (BITS,), SMALL),
        EDGE_PANEL,
    ),
    Claim(
        "Section 7.6, figure 8(a): under edge-LDP at larger epsilon (we take: 4 to 7) it is above ARRTwoNS'",
        higher("gs-ldp", ("arr-two-ns",), (BITS,), LARGE),
        EDGE_PANEL,
    ),
)
GENERATED_CLAIMS = (
    *_claims("figure 8(c)(d)", ("edge privacy",), ("node privacy",)),
    Claim(
        "Section 7.6, figure 8(c)(d): the more people, the larger GS-LDP's advantage over Local2Rounds",
        gains("gs-ldp", ("local2rounds",), (BITS,)),
    ),
    Claim(
        "Section 7.6, figure 8(c): on generated graphs under edge-LDP GS-LDP's download is above ARRTwoNS'",
        higher("gs-ldp", ("arr-two-ns",), (BITS,)),
        ("edge privacy",),
    ),
)

FIGURE_8 = Experiment(
    name="gs-ldp-fig8",
    title="What a person fetches for the second round",
    x_label="epsilon",
    metrics=METRICS,
    full=Grid(("ego-Facebook, edge", "ego-Facebook, node"), SERIES, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), seeds=20),
    quick=Grid(("clustered-1k, edge", "clustered-1k, node"), SERIES, (1.0, 4.0, 7.0), seeds=2),
    stand_ins={"clustered-1k": "ego-Facebook"},
    measure=measure,
    marks={"gs-ldp": REFUTED, "local2rounds": OUR_READING, "arr-two-ns": OUR_READING},
    claims=CLAIMS,
    readings=(*readings("triangle-sequence"), *DOWNLOADS),
)

FIGURE_8_GENERATED = Experiment(
    name="gs-ldp-fig8-generated",
    title="What a person fetches for the second round, generated networks, epsilon 5",
    x_label="people",
    metrics=METRICS,
    full=Grid(("edge privacy", "node privacy"), SERIES, (1_000, 2_000, 3_000, 4_000, 5_000), seeds=20),
    quick=Grid(("edge privacy", "node privacy"), SERIES, (1_000, 2_000), seeds=2),
    measure=measure_generated,
    marks={"gs-ldp": REFUTED, "local2rounds": OUR_READING, "arr-two-ns": OUR_READING},
    claims=GENERATED_CLAIMS,
    readings=(*readings("triangle-sequence"), *DOWNLOADS),
)
