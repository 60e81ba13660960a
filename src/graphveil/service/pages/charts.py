"""Pictures: participation as a small line in the page itself, a result as a figure with error bars."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from graphveil.evaluation.plots import BAND, RELEASED, drawing
from graphveil.local.statistics import DISTRIBUTIONS, is_directed
from graphveil.service.service import to_seconds

_WIDTH, _HEIGHT = 300.0, 30.0
_MANY = 50  # degrees; from there on a logarithmic axis shows more
_one_at_a_time = threading.Lock()  # matplotlib's style is one for the whole process


def arrivals_chart(arrivals: Sequence[Mapping[str, Any]]) -> str:
    """The points of a rising line: reports so far over time, in a box of 300 x 30; none before there are two moments.

    >>> arrivals_chart([{"at": "2026-05-01T12:00:00Z", "reports": 3}, {"at": "2026-05-01T12:01:00Z", "reports": 1}])
    '0.0,30.0 0.0,7.5 300.0,7.5 300.0,0.0'
    """
    if len(arrivals) < 2:
        return ""
    moments = [to_seconds(each["at"]) for each in arrivals]
    span = moments[-1] - moments[0]
    total, so_far = sum(each["reports"] for each in arrivals), 0
    points = []
    for moment, each in zip(moments, arrivals, strict=True):
        x = _WIDTH * (moment - moments[0]) / span
        points.append((x, _HEIGHT * (1 - so_far / total)))
        so_far += each["reports"]
        points.append((x, _HEIGHT * (1 - so_far / total)))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def draw_result(result: Mapping[str, Any], kind: str) -> bytes:
    """A figure of a result as `svg` or `png`."""
    title = f"{result['statistic']} by {result['protocol']}, epsilon {result['guarantee']['epsilon']:g}"
    with _one_at_a_time, drawing(title=title, **_labels(result)) as plot:
        _draw(plot.axes, result)
        figure, content = plot.axes.figure, io.BytesIO()
        figure.savefig(content, format=kind, metadata={"Date": None} if kind == "svg" else None, dpi=150)  # type: ignore[union-attr]
    return content.getvalue()


def _labels(result: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(result["value"], list):
        return {"x": f"estimate of {result['statistic']}", "y": ""}
    if result["statistic"] in DISTRIBUTIONS:
        followed = is_directed(result["statistic"])
        return {"x": "number of people followed" if followed else "number of friends", "y": "share of people"}
    if result["statistic"] == "class-rows":
        return {"x": "count", "y": "friends of a class, with noise"}
    return {"x": "person", "y": result["statistic"]}


def _draw(axes: Any, result: Mapping[str, Any]) -> None:
    value, interval = result["value"], result["interval95"]
    if not isinstance(value, list):
        noise = result["facts"].get("noise_std")
        reach = interval or ([value - 1.96 * noise, value + 1.96 * noise] if noise else None)
        if reach:
            label = "95 %" if interval else "95 % of the noise of the last round"
            axes.plot(reach, [0, 0], color=BAND, linewidth=8, solid_capstyle="butt", label=label)
            axes.legend(frameon=False)
        axes.plot([value], [0], "o", color=RELEASED)
        axes.set(yticks=[], ylim=(-1, 1))
        axes.figure.set_size_inches(7.0, 1.9)
        return
    places = range(len(value))
    if interval:
        low, high = ([float("nan") if end is None else end for end in ends] for ends in interval)
        axes.fill_between(places, low, high, color=BAND, alpha=0.4, linewidth=0, label="95 %")
        axes.legend(frameon=False)
    axes.plot(places, value, color=RELEASED, linewidth=1.4)
    if result["statistic"] in DISTRIBUTIONS:
        axes.set_ylim(0, min(1.0, axes.get_ylim()[1]))
        axes.set_xlim(0, len(value))
        if len(value) > _MANY:
            axes.set_xscale("symlog", linthresh=10)
            axes.xaxis.set_major_formatter("{x:,.0f}")
