"""An experiment is a grid of cells (graph, series, x, seed), each measured once; its curves are means over seeds.

Where an experiment's rows lie: a journal while it runs, then tables, then nothing but the finished files.

Graphs that experiments name: the public ones, and generated ones that need no download.
"""

from __future__ import annotations

import csv
import io
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from graphveil.errors import unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, check_present, load_dataset
from graphveil.graph.generate.random import barabasi_albert, erdos_renyi, power_law_cluster

if TYPE_CHECKING:
    from graphveil.evaluation.readings import Reading
    from graphveil.evaluation.statements import Claim

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One point to measure. `graph` names a public or generated graph, `series` is the line it belongs to."""

    graph: str
    series: str
    x: float
    seed: int

    def __str__(self) -> str:
        return f"{self.graph}, {self.series}, {self.x:g}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Row:
    """What measuring one cell gave."""

    cell: Cell
    values: Mapping[str, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Metric:
    """One thing that is drawn: its key in the measured values, its words, and whether its axis is logarithmic."""

    key: str
    label: str
    log: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination of graphs, series, x and seeds, graph by graph so that each is loaded once.

    `has_cell` leaves out combinations that make no sense, where panels have different lines.
    """

    graphs: Sequence[str]
    series: Sequence[str]
    xs: Sequence[float]
    seeds: int
    has_cell: Callable[[Cell], bool] = lambda _cell: True

    def cells(self) -> list[Cell]:
        """All cells, in the order in which they are measured: a first seed everywhere before the second anywhere."""
        cells = (
            Cell(graph, series, x, seed)
            for graph in self.graphs
            for seed in range(self.seeds)
            for series in self.series
            for x in self.xs
        )
        return [cell for cell in cells if self.has_cell(cell)]


Drawing = Callable[["Experiment", Sequence["Point"]], bytes]
Table = Callable[[Sequence["Point"]], tuple[Sequence[str], Sequence[Sequence[str]]]]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A figure: what is measured where, and how it is shown.

    `marks` gives the series that are algorithms as published, which are drawn dashed, and the words behind their name
    in the legend, such as "claim refuted". `published` names such series without words. `claims` are sentences of the
    paper that the points are held against, `readings` what the paper leaves open. `stand_ins` maps generated graphs of
    the quick form to the paper's, which are taken where they are on this machine.
    """

    name: str
    title: str
    x_label: str
    metrics: tuple[Metric, ...]
    full: Grid
    quick: Grid
    measure: Callable[[Cell], Mapping[str, float]]
    published: frozenset[str] = frozenset()
    marks: Mapping[str, str] = field(default_factory=dict)
    log_x: bool = False
    draw: Drawing | None = None
    table: Table | None = None
    claims: Sequence[Claim] = ()
    readings: tuple[Reading, ...] = ()
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    @property
    def dashed(self) -> frozenset[str]:
        """The series that are algorithms as published."""
        return self.published | self.marks.keys()


@dataclass(frozen=True, slots=True)
class Point:
    """One metric of one series at one x: the mean over the seeds, and the seeds' standard deviation."""

    graph: str
    series: str
    x: float
    metric: str
    mean: float
    spread: float
    runs: int


def run(
    experiment: Experiment, grid: Grid, done: Mapping[Cell, Row], keep: Callable[[Row], None], progress: Progress
) -> list[Row]:
    """Measure what is not `done` yet; each new row goes to `keep` at once, so that a stopped run can continue."""
    cells = grid.cells()
    rows = []
    for number, cell in enumerate(cells):
        progress(number, len(cells), str(cell))
        row = done.get(cell)
        if row is None:
            start = time.perf_counter()
            values: Mapping[str, Any] = experiment.measure(cell)
            row = Row(cell, {key: float(value) for key, value in values.items()}, time.perf_counter() - start)
            keep(row)
        rows.append(row)
    return rows


def summarise(rows: Iterable[Row]) -> list[Point]:
    """Mean and spread over the seeds, series in their first order; a metric that is missing is left out."""
    grouped: dict[tuple[str, str, float, str], list[float]] = {}
    for row in rows:
        for metric, value in row.values.items():
            if not math.isnan(value):
                grouped.setdefault((row.cell.graph, row.cell.series, row.cell.x, metric), []).append(value)
    return [
        Point(*key, fmean(values), stdev(values) if len(values) > 1 else 0.0, len(values))
        for key, values in grouped.items()
    ]


class Journal:
    """Rows measured so far, a line each; what a stopped run leaves behind for the next one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[Cell, Row]:
        """Rows of an earlier run; a last line that was cut off is dropped."""
        if not self.path.exists():
            return {}
        rows = {}
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
                cell = Cell(entry["graph"], entry["series"], float(entry["x"]), int(entry["seed"]))
                rows[cell] = Row(cell, entry["values"], float(entry["seconds"]))
            except (ValueError, KeyError, TypeError):
                continue
        return rows

    def keep(self, row: Row) -> None:
        """Add one row, at once."""
        cell = row.cell
        entry = {
            "graph": cell.graph,
            "series": cell.series,
            "x": cell.x,
            "seed": cell.seed,
            "values": dict(row.values),
            "seconds": round(row.seconds, 4),
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" * self._cut_off() + json.dumps(entry) + "\n")

    def _cut_off(self) -> bool:
        """Whether the last line has no end, because a run was killed while writing it."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            return False
        with self.path.open("rb") as file:
            file.seek(-1, io.SEEK_END)
            return file.read(1) != b"\n"

    def remove(self) -> None:
        """Forget the rows: they are in the tables now."""
        self.path.unlink(missing_ok=True)


def rows_as_csv(rows: Sequence[Row]) -> str:
    """The rows as a table in CSV: a line for each cell of the grid, a column for each metric."""
    metrics = list(dict.fromkeys(metric for row in rows for metric in row.values))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["graph", "series", "x", "seed", *metrics, "seconds"])
    for row in rows:
        cell = row.cell
        values = [row.values.get(metric, "") for metric in metrics]
        table.writerow([cell.graph, cell.series, cell.x, cell.seed, *values, f"{row.seconds:.4g}"])
    return text.getvalue()


def points_as_csv(points: Sequence[Point]) -> str:
    """One line a point of a curve."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["graph", "series", "x", "metric", "mean", "spread", "runs"])
    table.writerows((p.graph, p.series, p.x, p.metric, p.mean, p.spread, p.runs) for p in points)
    return text.getvalue()


# the three graphs of the papers on local collection, and the two of those on synthetic graphs
COLLECTED = ("ego-Facebook", "ca-AstroPh", "email-Enron")
PUBLISHED_AS_GRAPHS = ("wiki-Vote", "ego-Twitter")
GENERATED = {
    "clustered-400": lambda: power_law_cluster(400, 6, 0.6, seed=10),
    "clustered-1k": lambda: power_law_cluster(1_000, 8, 0.6, seed=11),
    "clustered-4k": lambda: power_law_cluster(4_000, 20, 0.7, seed=12),
    "scale-free-4k": lambda: barabasi_albert(4_000, 20, seed=13),
    "random-4k": lambda: erdos_renyi(4_000, m=80_000, seed=14),
}


def split_panel(panel: str) -> tuple[str, str]:
    """The graph of a panel, and what stands behind it where a panel is more than a graph.

    >>> split_panel("ego-Facebook: triangles, edge")
    ('ego-Facebook', ': triangles, edge')
    """
    name = panel.partition(",")[0].partition(":")[0]
    return name, panel.removeprefix(name)


def is_graph(name: str) -> bool:
    """Whether a public or generated graph has this name."""
    return name in DATASETS or name in GENERATED


def check_graph(name: str) -> None:
    """Refuse a name that no graph has, before anything long starts."""
    if not is_graph(name):
        raise unknown_name("graph", name, (*DATASETS, *GENERATED))


def check_graphs(cells: Iterable[Cell]) -> None:
    """Refuse to start where a public graph of any cell is missing, all of them named at once, or is not whole."""
    named = {split_panel(cell.graph)[0] for cell in cells}
    public = [name for name in DATASETS if name in named]
    check_present(public)
    for name in public:
        experiment_graph(name)


@lru_cache(maxsize=2)
def experiment_graph(name: str) -> Graph:
    """A graph by name; the last two stay in memory."""
    check_graph(name)
    return GENERATED[name]() if name in GENERATED else load_dataset(name)
