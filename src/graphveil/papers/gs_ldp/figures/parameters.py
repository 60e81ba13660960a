"""GS-LDP's figures 9 and 10: what its parameters L (width of a group) and Level do to its errors.

A panel is a statistic and a unit on Facebook, or clustering under node privacy on generated networks at epsilon 5. The
lines of `veil` stand beside them: it has neither parameter. Degrees and clustering cost what their own figures show.
Figure 9's last panel is a figure of its own: the time that a person's report of a degree takes against L.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from fractions import Fraction

from graphveil.evaluation.checks import lowest_at, rises
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.figures.collection import collect, errors, generated
from graphveil.evaluation.readings import Reading, split_series
from graphveil.evaluation.statements import Claim, Finding, View
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.registry import build_protocol

WIDTHS = (10, 15, 20, 25, 30)
LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.98)
SMALL, LARGE = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
SIZES = (6_000, 8_000, 10_000, 12_000, 15_000)
REPAIRED = (1.0, 3.0, 6.0)
REPEATS = 9  # of what is timed

# statistic and unit -> the statistic's name, the unit of the published algorithm and that of veil ("": none), Level
SHOWN = {
    "degrees, node": ("degree-distribution", "node", "node", None),
    "triangles, edge": ("triangle-sequence", "edge", "edge", Fraction(49, 50)),
    "clustering, edge": ("clustering", "edge", "edge", Fraction(49, 50)),
    "triangles, node": ("triangle-sequence", "node", "", Fraction(4, 5)),
    "clustering, node": ("clustering", "node", "", Fraction(1, 2)),
}
GENERATED = "generated: clustering, node"
PANELS = (*(f"ego-Facebook: {shown}" for shown in SHOWN if shown != "clustering, node"), GENERATED)
QUICK_PANELS = ("clustered-1k: degrees, node", "clustered-1k: triangles, edge")
SERIES = (
    *(f"gs-ldp, epsilon {epsilon:g}" for epsilon in sorted({*SMALL, *LARGE})),
    *(f"gs-ldp, {size} people" for size in SIZES),
    *(f"veil, epsilon {epsilon:g}" for epsilon in REPAIRED),
)
QUICK_SERIES = ("gs-ldp, epsilon 1", "gs-ldp, epsilon 3", "veil, epsilon 1")


def has_cell(cell: Cell) -> bool:
    """Which lines belong to which panel."""
    protocol, _, value = cell.series.partition(", ")
    if cell.graph == GENERATED or value.endswith("people"):
        return cell.graph == GENERATED and value.endswith("people")
    shown = cell.graph.partition(": ")[2]
    epsilons = SMALL if shown == "degrees, node" else LARGE
    fits = float(value.removeprefix("epsilon ")) in epsilons
    if protocol == "veil":  # a level line: its two ends are enough
        return fits and SHOWN[shown][2] != "" and cell.x in (WIDTHS[0], WIDTHS[-1], LEVELS[0], LEVELS[-1])
    return fits


def _measure(cell: Cell, **changed: int | str) -> Mapping[str, float]:
    network, _, shown = cell.graph.partition(": ")
    statistic, unit, repaired_unit, level = SHOWN[shown]
    series, options = split_series(cell.series)
    protocol, _, value = series.partition(", ")
    if cell.graph == GENERATED:
        graph, epsilon = generated(int(value.removesuffix(" people"))), 5.0
    else:
        graph, epsilon = experiment_graph(network), float(value.removeprefix("epsilon "))
    if protocol == "veil":
        return errors(collect(graph, statistic, protocol, repaired_unit, epsilon, cell.seed))
    parameters: dict[str, int | str] = {} if level is None else {"level": str(level)}
    return errors(collect(graph, statistic, protocol, unit, epsilon, cell.seed, **parameters | changed | options))


def measure_width(cell: Cell) -> Mapping[str, float]:
    """Measure one cell of figure 9, where x is L."""
    return _measure(cell, group_width=int(cell.x))


def measure_level(cell: Cell) -> Mapping[str, float]:
    """Measure one cell of figure 10, where x is Level."""
    return _measure(cell, level=str(Fraction(cell.x).limit_denominator(100)))


def measure_time(cell: Cell) -> Mapping[str, float]:
    """Microseconds of one person's report: everybody's taken together, the quickest of several, so that none waits."""
    graph, protocol = experiment_graph(cell.graph), cell.series.partition(", ")[0]
    parameters = {"group_width": int(cell.x)} if protocol == "gs-ldp" else {}
    made = build_protocol(
        "degree-distribution", protocol, unit="node", epsilon=1, n_people=graph.n_nodes, parameters=parameters
    )
    lists, source = Lists.of_graph(graph), seeded(cell.seed)
    seconds = math.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        made.perturb(RoundContext(), lists, source(1, lists.people))
        seconds = min(seconds, time.perf_counter() - start)
    return {"microseconds": 1e6 * seconds / graph.n_nodes}


READINGS = (
    Reading("threshold_rule", "gs-ldp", ("raw",), applies=lambda cell: cell.graph.endswith(": triangles, edge")),
    Reading("construction", "gs-ldp"),
)
LINES = tuple(series for series in SERIES if series.startswith("gs-ldp"))
MSE = "mse"
CLOSE = 0.25


def _no_trend(view: View) -> Finding | None:
    """Whether some line neither only rises nor only falls."""
    lines = [[view.value(name, x, MSE) for x in view.xs(name, MSE)] for name in LINES]
    full = [[value for value in line if value is not None] for line in lines if len(line) > 2]
    if not full:
        return None
    one_way = sum(line in (sorted(line), sorted(line, reverse=True)) for line in full)
    return Finding(one_way < len(full), f"{len(full) - one_way} of {len(full)} lines neither only rise nor only fall")


def _alike(view: View) -> Finding | None:
    """Whether the line of the largest epsilon is flat."""
    name = f"gs-ldp, epsilon {LARGE[-1]:g}"
    line = [value for x in view.xs(name, MSE) if (value := view.value(name, x, MSE)) is not None]
    if len(line) < 2:
        return None
    return Finding(max(line) <= (1 + CLOSE) * min(line), f"{min(line):.3g} to {max(line):.3g}")


def _panel(shown: str) -> tuple[str, ...]:
    return (f"ego-Facebook: {shown}",)


WIDTH_CLAIMS = (
    Claim("Section 7.7, figure 9(a): the MSE of the degree distribution rises with L", rises(LINES, MSE),
          _panel("degrees, node")),
    Claim("Section 7.7, figure 9(b): under edge-LDP the MSE of triangles rises with L", rises(LINES, MSE),
          _panel("triangles, edge")),
    Claim("Section 7.7, figure 9(c): under edge-LDP the MSE of clustering rises with L", rises(LINES, MSE),
          _panel("clustering, edge")),
    Claim("Section 7.7, figure 9(d): under node-LDP the MSE of triangles has no linear relation to L", _no_trend,
          _panel("triangles, node")),
    Claim("Section 7.7, figure 9(d): at large epsilon (we take: 6) it is alike for every L (we take: within a quarter)",
          _alike, _panel("triangles, node")),
    Claim("Section 7.7, figure 9(e): under node-LDP the MSE of clustering has no linear relation to L", _no_trend,
          (GENERATED,)),
)  # fmt: skip
TIME_CLAIMS = (
    Claim(
        "Section 7.7, figure 9(f): the time of a person's report of a degree rises with L",
        rises(("gs-ldp, epsilon 1",), "microseconds"),
    ),
)
LEVEL_CLAIMS = (
    Claim("Section 7.7, figure 10(a): under edge-LDP the MSE of triangles falls as Level rises",
          rises(LINES, MSE, falls=True), _panel("triangles, edge")),
    Claim("Section 7.7, figure 10(b): under edge-LDP the MSE of clustering falls as Level rises",
          rises(LINES, MSE, falls=True), _panel("clustering, edge")),
    Claim("Section 7.7, figure 10(a): under edge-LDP the MSE of triangles is smallest at Level .98",
          lowest_at(LINES, MSE, 0.98), _panel("triangles, edge")),
    Claim("Section 7.7, figure 10(b): under edge-LDP the MSE of clustering is smallest at Level .98",
          lowest_at(LINES, MSE, 0.98), _panel("clustering, edge")),
    Claim("Section 7.7, figure 10(c): under node-LDP the MSE of triangles rises with Level", rises(LINES, MSE),
          _panel("triangles, node")),
    Claim("Section 7.7, figure 10(d): under node-LDP the MSE of clustering rises with Level", rises(LINES, MSE),
          (GENERATED,)),
)  # fmt: skip
PUBLISHED = frozenset(series for series in SERIES if series.startswith("gs-ldp"))

FIGURE_9 = Experiment(
    name="gs-ldp-fig9",
    title="What the width L of a group does (gs-ldp: claim refuted)",
    x_label="L",
    metrics=(Metric("mse", "mean squared error"),),
    full=Grid(PANELS, SERIES, WIDTHS, seeds=10, has_cell=has_cell),
    quick=Grid(QUICK_PANELS, QUICK_SERIES, (10, 30), seeds=1, has_cell=has_cell),
    stand_ins={"clustered-1k": "ego-Facebook"},
    measure=measure_width,
    published=PUBLISHED,
    claims=WIDTH_CLAIMS,
    readings=READINGS,
)

FIGURE_9_TIME = Experiment(
    name="gs-ldp-fig9-time",
    title="Time of one person's report of a degree, epsilon 1",
    x_label="L",
    metrics=(Metric("microseconds", "microseconds a person", log=False),),
    full=Grid(("ego-Facebook",), ("gs-ldp, epsilon 1", "veil, epsilon 1"), WIDTHS, seeds=20),
    quick=Grid(("clustered-1k",), ("gs-ldp, epsilon 1", "veil, epsilon 1"), (10, 30), seeds=2),
    stand_ins={"clustered-1k": "ego-Facebook"},
    measure=measure_time,
    published=frozenset(("gs-ldp, epsilon 1",)),
    claims=TIME_CLAIMS,
)

FIGURE_10 = Experiment(
    name="gs-ldp-fig10",
    title="What Level does (gs-ldp: claim refuted)",
    x_label="Level",
    metrics=(Metric("mse", "mean squared error"),),
    full=Grid(PANELS[1:], SERIES, LEVELS, seeds=10, has_cell=has_cell),
    quick=Grid(QUICK_PANELS[1:], QUICK_SERIES, (0.5, 0.98), seeds=1, has_cell=has_cell),
    stand_ins={"clustered-1k": "ego-Facebook"},
    measure=measure_level,
    published=PUBLISHED,
    claims=LEVEL_CLAIMS,
    readings=READINGS,
)
