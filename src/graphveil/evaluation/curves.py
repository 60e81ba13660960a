"""Curves of an experiment as one PNG: a row of panels a metric, a column a graph, bars for the spread over seeds."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphveil.evaluation.experiment import Experiment, Metric, Point
from graphveil.evaluation.plots import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, without the yellow that white paper swallows
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "os^Dv<>P*X"


def draw_curves(experiment: Experiment, points: Sequence[Point]) -> bytes:
    """The panels of an experiment."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    graphs = list(dict.fromkeys(point.graph for point in points))
    series = list(dict.fromkeys(point.series for point in points))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(max(7.0, 3.6 * len(graphs)), 3.0 * len(experiment.metrics) + 0.9))
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
        mark = experiment.marks.get(name)
        axes.errorbar(
            [p.x for p in line],
            [p.mean for p in line],
            yerr=[[min(p.spread, 0.99 * abs(p.mean)) for p in line], [p.spread for p in line]],
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle="--" if name in experiment.published else "-" if number < len(COLOURS) else ":",
            label=f"{name} ({mark})" if mark else name,
            markersize=4,
            linewidth=1.3,
            capsize=2,
        )
    if metric.log and any(p.mean > 0 for p in points if p.metric == metric.key):
        axes.set_yscale("log")


def _x(point: Point) -> float:
    return point.x
