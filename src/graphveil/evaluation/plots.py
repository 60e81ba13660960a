"""Plots as SVG text, in one readable style whose colours people with colour-blindness can tell apart."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphveil.mechanisms.entries import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette
TRUTH, RELEASED, BAND, REFUSED = "#000000", "#0072B2", "#56B4E9", "#D55E00"

STYLE: Any = {
    "figure.figsize": (7.0, 3.4),
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "svg.hashsalt": "graphveil",
    "svg.fonttype": "none",
}


class Drawing:
    """A figure being drawn; `svg` is set once it is finished."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.svg = ""


@contextmanager
def drawing(*, title: str, x: str, y: str) -> Iterator[Drawing]:
    """Draw on `.axes` inside the block, take `.svg` after it."""
    mpl, figures = needed("matplotlib"), needed("matplotlib.figure")
    with mpl.rc_context(STYLE):
        figure = figures.Figure()
        axes = figure.subplots()
        axes.set(title=title, xlabel=x, ylabel=y)
        result = Drawing(axes)
        yield result
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        result.svg = text.getvalue()[text.getvalue().index("<svg") :]
