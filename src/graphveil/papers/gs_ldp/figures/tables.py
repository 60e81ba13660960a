"""GS-LDP's tables 2 and 3: the graphs of the experiments, and which algorithm collects what at which cost.

Table 2 gives people, edges, largest and mean degree. Its edges are counted in three ways: Facebook's once, AstroPh's
with self-loops, Enron's in both directions. The other ways are readings of what an edge is.

Table 3 states which statistic an algorithm collects under which unit, and asymptotic times. Here the registry says what
is offered and whose claim is refuted, and `seconds` is the time the collector takes among so many people.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

from graphveil.evaluation.checks import higher, lower
from graphveil.evaluation.experiment import COLLECTED, Cell, Experiment, Grid, Metric
from graphveil.evaluation.figures.collection import OUR_READING, REFUTED, generated
from graphveil.evaluation.figures.graph_counts import BOTH_WAYS, WITH_LOOPS, counts_table
from graphveil.evaluation.figures.graph_counts import SERIES as GRAPHS
from graphveil.evaluation.readings import Reading
from graphveil.evaluation.statements import Claim, Finding, View, makes_checks
from graphveil.local.lists import Lists
from graphveil.local.protocol import Transcript
from graphveil.local.simulate import seeded, transcript_of
from graphveil.registry import Job, build_protocol, rows

STATED = {  # people, edges, largest degree, mean degree, as printed
    "ego-Facebook": (4_039, 88_234, 1_045, 43.7),
    "ca-AstroPh": (18_772, 198_110, 504, 21.1),
    "email-Enron": (36_692, 367_662, 1_383, 10.0),
}
EDGES = Reading(
    "edges", GRAPHS, (WITH_LOOPS, BOTH_WAYS), default="once", applies=lambda cell: cell.graph != COLLECTED[0]
)
TABLE_2 = counts_table("gs-ldp-table2", "The graphs of the experiments", "Table 2", STATED, EDGES)

OF_DEGREES, OF_PAIRS = ("rj", "node-proj", "edge-proj"), ("rnl", "local2rounds", "lf-gdpr")
SERIES = ("gs-ldp", *OF_DEGREES, *OF_PAIRS)
REPEATS = 3  # of what is timed; the quickest counts
PANELS = {"degrees": "degree-distribution", "triangles": "triangle-sequence", "clustering": "clustering"}
COLLECTS = {  # statistic -> algorithm -> units, as table 3 has them
    "degree-distribution": {"gs-ldp": "node", "rj": "LDP", "node-proj": "node", "edge-proj": "node"},
    "triangle-sequence": {"gs-ldp": "edge, node", "rnl": "edge", "local2rounds": "edge, node"},
    "clustering": {"gs-ldp": "edge, node", "rnl": "edge", "local2rounds": "edge, node", "lf-gdpr": "edge"},
}


def measure_time(cell: Cell) -> Mapping[str, float]:
    """Seconds that the collector takes, without the people's: what it publishes between rounds, and the estimate."""
    if cell.series not in COLLECTS[PANELS[cell.graph]]:
        return {}
    graph = generated(int(cell.x))
    unit = "node" if cell.graph == "degrees" else "edge"
    made = build_protocol(PANELS[cell.graph], cell.series, unit=unit, epsilon=2, n_people=graph.n_nodes)
    said = transcript_of(made, Lists.of_graph(graph), seeded(cell.seed))
    seconds = math.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        for done in range(1, made.rounds):
            made.publish(Transcript(said.received[:done], said.published[: done - 1]))
        made.estimate(said)
        seconds = min(seconds, time.perf_counter() - start)
    return {"seconds": seconds}


@makes_checks
def _privacy(view: View, names: tuple[str, ...]) -> Finding | None:
    """Which claims of these algorithms are refuted, in the registry; told once."""
    if view.graph != "triangles":
        return None
    refuted: dict[str, list[str]] = {name: [] for name in names}
    for row in rows(Job.COLLECT):
        if row.name in refuted and row.query in COLLECTS and row.refuted:
            refuted[row.name].append(f"{row.query} ({row.unit})")
    words = [f"{name}: {'refuted for ' + ', '.join(found) if found else 'holds'}" for name, found in refuted.items()]
    return Finding(not any(refuted.values()), "; ".join(words))


@makes_checks
def _collected(view: View, statistic: str) -> Finding | None:
    """What the registry offers, which does not depend on a panel; told once."""
    if view.graph != "triangles":
        return None
    units: dict[str, list[str]] = {name: [] for name in COLLECTS[statistic]}
    for row in rows(Job.COLLECT):
        if row.query == statistic and row.name in units:
            units[row.name].append(row.unit)
    own = {name: ", ".join(sorted(found)) for name, found in units.items()}
    expected = {name: "node" if unit == "LDP" else unit for name, unit in COLLECTS[statistic].items()}
    return Finding(own == expected, "; ".join(f"{name}: {unit or 'none'}" for name, unit in own.items()))


TABLE_3 = Experiment(
    name="gs-ldp-table3",
    title="Time of the collector, epsilon 2",
    x_label="people",
    metrics=(Metric("seconds", "seconds of the collector"),),
    full=Grid(tuple(PANELS), SERIES, (1_000, 2_000, 4_000, 8_000), seeds=5),
    quick=Grid(tuple(PANELS), SERIES, (1_000, 2_000), seeds=1),
    measure=measure_time,
    marks={"gs-ldp": REFUTED, **dict.fromkeys(SERIES[1:], OUR_READING)},
    claims=(
        *(
            Claim(
                f"Table 3, {statistic}: " + "; ".join(f"{name} under {unit}" for name, unit in stated.items()),
                _collected(statistic),
            )
            for statistic, stated in COLLECTS.items()
        ),
        Claim("Table 3: what GS-LDP collects satisfies edge-LDP and node-LDP", _privacy(("gs-ldp",))),
        Claim("Table 3: RNL, Local2Rounds and LF-GDPR satisfy what they claim", _privacy(OF_PAIRS)),
        Claim(
            "Section 7.2: for degrees GS-LDP's collector needs more time than RJ's",
            higher("gs-ldp", ("rj",), ("seconds",)),
            ("degrees",),
        ),
        Claim(
            "Section 7.2: for degrees GS-LDP's collector needs less time than those of NodeProj and EdgeProj",
            lower("gs-ldp", ("node-proj", "edge-proj"), ("seconds",)),
            ("degrees",),
        ),
        Claim(
            "Section 7.2: for triangles GS-LDP's collector needs far less time than those of RNL and Local2Rounds",
            lower("gs-ldp", ("rnl", "local2rounds"), ("seconds",)),
            ("triangles",),
        ),
        Claim(
            "Section 7.2: for clustering GS-LDP's collector needs far less time than those of the other three",
            lower("gs-ldp", OF_PAIRS, ("seconds",)),
            ("clustering",),
        ),
    ),
)
