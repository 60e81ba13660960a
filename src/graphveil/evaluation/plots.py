"""Plots as SVG text, in one readable style whose colours people with colour-blindness can tell apart."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

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
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure()
        axes = figure.subplots()
        axes.set(title=title, xlabel=x, ylabel=y)
        result = Drawing(axes)
        yield result
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        result.svg = text.getvalue()[text.getvalue().index("<svg") :]


def cumulative_degrees(truth: Sequence[float], released: Sequence[float]) -> str:
    """How many people have at least so many friends: truth and release on doubly logarithmic axes."""
    with drawing(title="People with at least d friends", x="degree d", y="people") as plot:
        for histogram, colour, name, style in ((truth, TRUTH, "truth", "-"), (released, RELEASED, "released", "--")):
            tail = _tail_sums(histogram)
            plot.axes.plot(range(1, len(tail)), tail[1:], style, color=colour, label=name, linewidth=1.6)
        plot.axes.set_xscale("log")
        plot.axes.set_yscale("log")
        plot.axes.set_ylim(bottom=0.8)
        plot.axes.legend(frameon=False)
    return plot.svg


def error_bars(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Error of each answer relative to its truth, with its interval: rows are (name, error, low, high) in percent."""
    with drawing(title="Released answers against the truth", x="difference from the truth, %", y="") as plot:
        for position, (_, middle, low, high) in enumerate(rows):
            plot.axes.plot([low, high], [position, position], color=BAND, linewidth=6, solid_capstyle="butt")
            plot.axes.plot([middle], [position], "o", color=RELEASED)
        plot.axes.axvline(0, color=TRUTH, linewidth=1)
        plot.axes.set_yticks(range(len(rows)), [name for name, *_ in rows])
        plot.axes.invert_yaxis()
    return plot.svg


def spending(entries: Sequence[tuple[str, float]], budget: float) -> str:
    """Where a budget went, as one bar."""
    with drawing(title="Where the budget went", x="epsilon", y="") as plot:
        start = 0.0
        for number, (name, epsilon) in enumerate(entries):
            colour = (RELEASED, BAND)[number % 2]
            plot.axes.barh([0], [epsilon], left=start, color=colour, edgecolor="white")
            plot.axes.text(start + epsilon / 2, 0.45, f"{name}\n{epsilon:g}", ha="center", va="bottom", fontsize=8)
            start += epsilon
        plot.axes.axvline(budget, color=REFUSED, linewidth=2)
        plot.axes.set(yticks=[], xlim=(0, budget * 1.05), ylim=(-0.6, 1.2))
        plot.axes.text(budget, -0.55, "budget ", ha="right", va="bottom", color=REFUSED)
        plot.axes.figure.set_size_inches(7.0, 1.9)  # type: ignore[union-attr]
    return plot.svg


def _tail_sums(histogram: Sequence[float]) -> list[float]:
    total, sums = 0.0, []
    for count in reversed(histogram):
        total += count
        sums.append(total)
    return sums[::-1]
