"""An experiment is a grid of cells (graph, series, x, seed), each measured once; its curves are means over seeds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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

    `published` names the series that are algorithms as published; they are drawn dashed. `marks` gives, for some
    series, words that stand behind their name in the legend, such as "claim refuted".
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
    experiment: Experiment,
    grid: Grid,
    done: Mapping[Cell, Row],
    keep: Callable[[Row], None],
    progress: Progress,
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
    return [Point(*key, _mean(values), _spread(values), len(values)) for key, values in grouped.items()]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _spread(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    middle = _mean(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
