"""Pictures of an experiment, as PNG.

Curves: a row of panels a metric, a column a graph, bars for the spread over seeds. Tiles: a table as a picture, a row a
series, a column a metric, each tile coloured by its value and saying it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.evaluation.experiment import Experiment, Metric, Point
from graphveil.evaluation.plots import STYLE
from graphveil.evaluation.readings import split_series
from graphveil.mechanisms.entries import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, without the yellow that white paper swallows
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "os^Dv<>P*X"
DARK = 0.6  # tiles above this value have white letters


def draw_curves(experiment: Experiment, points: Sequence[Point]) -> bytes:
    """The panels of an experiment."""
    mpl, figures = needed("matplotlib"), needed("matplotlib.figure")
    graphs = list(dict.fromkeys(point.graph for point in points))
    series = list(dict.fromkeys(point.series for point in points))
    with mpl.rc_context(STYLE):
        figure = figures.Figure(figsize=(max(7.0, 3.6 * len(graphs)), 3.0 * len(experiment.metrics) + 0.9))
        panels = figure.subplots(len(experiment.metrics), len(graphs), squeeze=False)
        for metric, row in zip(experiment.metrics, panels, strict=True):
            for graph, axes in zip(graphs, row, strict=True):
                _draw_panel(axes, experiment, metric, graph, series, points)
                axes.set(title=graph, xlabel=experiment.x_label, xscale="log" if experiment.log_x else "linear")
            row[0].set_ylabel(metric.label)
        handles, labels = panels[0][0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2 + len(graphs), frameon=False, fontsize=8)
        figure.suptitle(experiment.title)
        return as_png(figure)


def as_png(figure: Any) -> bytes:
    """A finished figure as PNG; the same figure gives the same bytes."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=130, metadata={"Software": None})
    return file.getvalue()


def _draw_panel(
    axes: Axes, experiment: Experiment, metric: Metric, graph: str, series: Sequence[str], points: Sequence[Point]
) -> None:
    for number, name in enumerate(series):
        line = sorted((p for p in points if (p.graph, p.series, p.metric) == (graph, name, metric.key)), key=_x)
        base, options = split_series(name)
        mark = experiment.marks.get(base)
        axes.errorbar(
            [p.x for p in line],
            [p.mean for p in line],
            yerr=[[min(p.spread, 0.99 * abs(p.mean)) for p in line], [p.spread for p in line]],
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle="-." if options else "--" if base in experiment.dashed else "-" if number < len(COLOURS) else ":",
            label=f"{name} ({mark})" if mark else name,
            markersize=4,
            linewidth=1.3,
            capsize=2,
        )
    if metric.log and any(p.mean > 0 for p in points if p.metric == metric.key):
        axes.set_yscale("log")


def _x(point: Point) -> float:
    return point.x


def draw_tiles(experiment: Experiment, points: Sequence[Point]) -> bytes:
    """One panel a graph; a tile is dark where its mean is near 1 or above."""
    mpl, figures = needed("matplotlib"), needed("matplotlib.figure")
    graphs = list(dict.fromkeys(point.graph for point in points))
    series = list(dict.fromkeys(point.series for point in points))
    width, height = 0.62 * len(experiment.metrics) + 2.6, 0.34 * len(series) + 2.0
    with mpl.rc_context(STYLE):
        figure = figures.Figure(figsize=(width, height * len(graphs) + 0.4))
        panels = figure.subplots(len(graphs), 1, squeeze=False)
        for graph, (axes,) in zip(graphs, panels, strict=True):
            _draw_tile_panel(axes, experiment, [p for p in points if p.graph == graph], series)
            axes.set_title(graph)
        figure.suptitle(experiment.title)
        return as_png(figure)


def _draw_tile_panel(axes: Axes, experiment: Experiment, points: Sequence[Point], series: Sequence[str]) -> None:
    keys = [metric.key for metric in experiment.metrics]
    values = np.full((len(series), len(keys)), np.nan)
    for point in points:
        if point.metric in keys:
            values[series.index(point.series), keys.index(point.metric)] = point.mean
    axes.imshow(np.clip(values, 0, 1), cmap="cividis_r", vmin=0, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            colour = "white" if value > DARK else "black"
            axes.text(column, row, _short(value), ha="center", va="center", fontsize=7, color=colour)
    labels = [metric.label for metric in experiment.metrics]
    axes.set_xticks(range(len(keys)), labels, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(range(len(series)), series, fontsize=8)
    axes.grid(visible=False)


def _short(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"
