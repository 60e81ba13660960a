"""A table as a picture: a row a series, a column a metric, each tile coloured by its value and saying it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphveil.evaluation.curves import as_png
from graphveil.evaluation.experiment import Experiment, Point
from graphveil.evaluation.plots import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DARK = 0.6


def draw_tiles(experiment: Experiment, points: Sequence[Point]) -> bytes:
    """One panel a graph; a tile is dark where its mean is near 1 or above."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    graphs = list(dict.fromkeys(point.graph for point in points))
    series = list(dict.fromkeys(point.series for point in points))
    width, height = 0.62 * len(experiment.metrics) + 2.6, 0.34 * len(series) + 2.0
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height * len(graphs) + 0.4))
        panels = figure.subplots(len(graphs), 1, squeeze=False)
        for graph, (axes,) in zip(graphs, panels, strict=True):
            _draw_panel(axes, experiment, [p for p in points if p.graph == graph], series)
            axes.set_title(graph)
        figure.suptitle(experiment.title)
        return as_png(figure)


def _draw_panel(axes: Axes, experiment: Experiment, points: Sequence[Point], series: Sequence[str]) -> None:
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
