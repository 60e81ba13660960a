"""The entries of released answers with their labels: as columns of a table, and as a chart.

What an entry speaks of follows from the query: a degree from 0 up, a place from 1 up, two degrees or groups, or a name.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from importlib import import_module
from itertools import accumulate, combinations_with_replacement
from typing import TYPE_CHECKING, Any

from graphveil.display.svg import Line, lines, ranges
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.mechanisms.release import Release

Columns = dict[str, list[Any]]
MOST_POINTS = 60  # more entries are drawn as a line
MOST_NAMES = 20  # entries of groups or names that are drawn: the largest
FEWEST_DRAWN = 20  # entries of a histogram
LAST_ENTRY = "last_entry"  # in `derived`: what the last entry is called that holds all above it too, "60 or more"

# queries whose entries are numbered from 0 up: what the number is, and what an entry counts
_FROM_ZERO = {
    "degree-histogram": ("degree", "people"),
    "degree-distribution": ("degree", "share of people"),
    "out-degree-distribution": ("followed", "share of people"),
    "in-degree-histogram": ("degree", "people"),
    "out-degree-histogram": ("degree", "people"),
    "strength-histogram": ("strength", "people"),
}
_COUNTED = {
    "clustering-by-degree": "mean clustering",
    "mixing": "edges",
    "joint-degrees": "edges",
    "group-triangles": "triangles",
}


def label_columns(release: Release) -> Columns:
    """What each entry of a list speaks of: one column of labels, or two; a number has none."""
    value, query = release.value, release.query
    if not isinstance(value, tuple):
        return {}
    size, knots = len(value), release.provenance.derived.get("knots")
    if query in _FROM_ZERO:
        return {_FROM_ZERO[query][0]: list(range(size))}
    if query == "clustering-by-degree":
        return {"degree": list(knots or (2 ** (place + 1) for place in range(size)))}
    if query == "joint-degrees" and knots:
        pairs = list(combinations_with_replacement(knots, 2))
        return {"degree_1": [low for low, _ in pairs], "degree_2": [high for _, high in pairs]}
    if query in ("degree-sequence", "top-people"):
        return {"place": [place + 1 for place in range(size)]}
    if query == "mixing":
        pairs = list(combinations_with_replacement(release.provenance.derived["groups"], 2))
        return {"group_1": [one for one, _ in pairs], "group_2": [other for _, other in pairs]}
    if named := release.provenance.derived.get("labels"):
        return {"name": list(named)}
    return {"entry": list(range(size))}


def columns_of(release: Release) -> Columns:
    """The answer as a table: labels, value and the ends of the 95 % interval, one row for each entry.

    A number is one row under the name of its query. An end of which nothing is known is empty.
    """
    labels, value = label_columns(release), release.value
    rows = list(value) if isinstance(value, tuple) else [value]
    if not isinstance(value, tuple):
        labels = {"query": [release.query]}
    if rows and all(isinstance(row, tuple) for row in rows):
        width = max(len(row) for row in rows)  # type: ignore[arg-type]
        parts = {
            f"value_{place + 1}": [row[place] if place < len(row) else None for row in rows]  # type: ignore[index,arg-type]
            for place in range(width)
        }
        return labels | parts
    if release.accuracy.center is not None:
        return labels | {"value": [str(row) for row in rows]}
    lows, highs = _ends(release, len(rows))
    return labels | {"value": rows, "low95": lows, "high95": highs}


def long_columns(releases: Sequence[Release]) -> Columns:
    """Several answers as one table with a row for each entry, for a file.

    `label` and `label_2` say what the entry speaks of, and `label_means` what kind of label that is.
    """
    names = ("query", "group", "label_means", "label", "label_2", "value", "low95", "high95", "epsilon", "unit")
    table: Columns = {name: [] for name in names}
    for release in releases:
        own = columns_of(release)
        labels = label_columns(release)
        values = own["value"] if "value" in own else [" - ".join(map(str, row)) for row in release.value]  # type: ignore[union-attr,arg-type]
        size = len(values)
        nothing = [None] * size
        first, second = ([*labels.values(), nothing, nothing])[:2]
        filled: Columns = {
            "query": [release.query] * size,
            "group": [release.provenance.parameters.get("group")] * size,
            "label_means": _kinds(release, labels, size),
            "label": [None if label is None else str(label) for label in first],
            "label_2": [None if label is None else str(label) for label in second],
            "value": values,
            "low95": own.get("low95", nothing),
            "high95": own.get("high95", nothing),
            "epsilon": [float(release.guarantee.epsilon)] * size,
            "unit": [str(release.guarantee.unit)] * size,
        }
        for name, column in filled.items():
            table[name] += column
    return table


def _kinds(release: Release, labels: Columns, size: int) -> list[str | None]:
    """What kind of label each entry has; the last entry of a histogram may hold all above it too."""
    kind = " and ".join(labels) or None
    return [kind] * (size - 1) + [f"{kind} or more"] if last_name(release) else [kind] * size


def last_name(release: Release) -> str:
    """What the last entry is called if it holds all above it too, such as "60 or more"; else empty."""
    name: str = release.provenance.derived.get(LAST_ENTRY, "")
    return name


def picture(release: Release) -> str:
    """A chart of a list of numbers with its 95 % intervals, as SVG text; empty where there is nothing to draw."""
    series = series_of(release)
    if series is None:
        return ""
    x, y, lows, highs = series
    word, amount = axis_names(release)
    title = f"{release.title} with 95 % intervals, epsilon {float(release.guarantee.epsilon):g}"
    if names := _largest(release, y):
        rows = [(names[i], y[i], *_known_ends(y[i], lows[i], highs[i])) for i in names]
        return ranges(rows, title=title, x=amount)
    many = len(x) > MOST_POINTS
    known = [math.isfinite(low) and math.isfinite(high) for low, high in zip(lows, highs, strict=True)]
    band = (lows, highs) if lows and all(known) else ((), ())
    end = _where_open(release, y)
    drawn = [Line(release.title, x[:end], y[:end], *(side[:end] for side in band))]
    if end is not None:
        drawn.append(Line(last_name(release), x[end:], y[end:], *(side[end:] for side in band)))
    return lines(drawn, title=title, x=word, y=amount, points=not many)


def _where_open(release: Release, drawn: list[float]) -> int | None:
    """Where the last entry stands, if it holds all above it too and is drawn: apart, since it is no spike."""
    whole = isinstance(release.value, tuple) and len(drawn) == len(release.value)
    return len(drawn) - 1 if whole and last_name(release) else None


def series_of(release: Release) -> tuple[list[float], list[float], list[float], list[float]] | None:
    """Positions, values and ends of the intervals of a list of numbers, or None where the answer is no such list.

    A long histogram ends where 99.9 % of its sum is reached: the rest of its chart would be empty. In other lists an
    entry of which nothing is known is left out.
    """
    value = release.value
    if not isinstance(value, tuple) or not value or release.accuracy.center is not None:
        return None
    if not all(isinstance(entry, int | float) for entry in value):
        return None
    labels = label_columns(release)
    numbers = len(labels) == 1 and "name" not in labels
    x = next(iter(labels.values())) if numbers else list(range(1, len(value) + 1))
    lows, highs = _ends(release, len(value))
    ends = [[math.nan if end is None else float(end) for end in side] for side in (lows, highs)]
    y = [float(entry) for entry in value]  # type: ignore[arg-type]
    size = min(len(y), end_of_chart(y)) if release.query in _FROM_ZERO else len(y)
    drawn = [i for i in range(size) if release.query in _FROM_ZERO or not numbers or not _unknown(release, i, ends)]
    drawn = drawn or list(range(size))
    return [float(x[i]) for i in drawn], [y[i] for i in drawn], [ends[0][i] for i in drawn], [ends[1][i] for i in drawn]


def _unknown(release: Release, entry: int, ends: list[list[float]]) -> bool:
    """Whether the interval of an entry holds every possible value, such as 0 to 1: its point would mislead."""
    least, most = release.accuracy.support
    return ends[0][entry] <= least and ends[1][entry] >= most


def left_out(release: Release) -> str:
    """What the chart of a list leaves out, as a sentence after its title; empty if that is nothing."""
    series, size = series_of(release), len(release.value) if isinstance(release.value, tuple) else 0
    if series is None:
        return ""
    if release.query not in _FROM_ZERO and len(series[0]) < size:
        return f" Not drawn: {size - len(series[0]):,} of {size:,} entries, of which nothing is known."
    if size <= MOST_NAMES:
        return ""
    if names := _largest(release, series[1]):
        return f" The {len(names)} largest of {size:,} are drawn."
    return (
        f" The chart ends at {series[0][-1]:,.0f}; at most 0.1 % of the total of all entries lies beyond."
        if len(series[0]) < size
        else ""
    )


def end_of_chart(values: list[float]) -> int:
    """How many entries of a histogram are drawn."""
    sums = list(accumulate(max(value, 0.0) for value in values))
    return max(FEWEST_DRAWN, bisect_left(sums, 0.999 * sums[-1]) + 1)


def _largest(release: Release, values: list[float]) -> dict[int, str]:
    """Names of the largest entries by their places, where entries are about groups, names or two degrees."""
    labels = label_columns(release)
    if not {"group_1", "name", "degree_1"} & set(labels):
        return {}
    names = [" - ".join(map(str, row)) for row in zip(*labels.values(), strict=True)]
    largest = sorted(range(len(values)), key=values.__getitem__, reverse=True)[:MOST_NAMES]
    return {place: names[place] for place in sorted(largest)}


def _known_ends(value: float, low: float, high: float) -> tuple[float, float]:
    return low if math.isfinite(low) else value, high if math.isfinite(high) else value


def axis_names(release: Release) -> tuple[str, str]:
    """What the axes of a chart of this answer are called."""
    word = " and ".join(label_columns(release)).replace("_", " ")
    counted = _FROM_ZERO[release.query][1] if release.query in _FROM_ZERO else _COUNTED.get(release.query)
    return word, counted or release.query


def _ends(release: Release, size: int) -> tuple[list[Any], list[Any]]:
    accuracy = release.accuracy
    if not accuracy.bands or accuracy.center is not None:
        return [None] * size, [None] * size
    ends = accuracy.interval(0.95)
    sides = [list(end) if isinstance(end, tuple) else [end] * size for end in ends]
    finite = [[end if math.isfinite(end) else None for end in side] for side in sides]
    return finite[0], finite[1]


def draw_release(release: Release, axes: Any = None) -> Any:
    """Draw an answer on axes of matplotlib: a list as points or a line with a band, a number as a dot with a bar."""
    if axes is None:
        axes = needed("matplotlib.pyplot").subplots(figsize=(7.0, 3.4), layout="constrained")[1]
    series = series_of(release)
    if series is not None:
        x, y, lows, highs = series
        word, amount = axis_names(release)
        if names := _largest(release, y):
            rows = range(len(names), 0, -1)
            known = [_known_ends(y[i], lows[i], highs[i]) for i in names]
            axes.hlines(rows, [low for low, _ in known], [high for _, high in known], alpha=0.35, linewidth=4)
            axes.plot([y[i] for i in names], rows, "o", markersize=4)
            axes.set_yticks(rows, list(names.values()))
            if all(low >= 0 for low, _ in known):
                axes.set_xlim(left=0)
            word, amount = amount, ""
        else:
            end = _where_open(release, y)
            if len(x) > MOST_POINTS:
                axes.fill_between(x[:end], lows[:end], highs[:end], alpha=0.25, linewidth=0)
                axes.plot(x[:end], y[:end])
            else:
                axes.vlines(x[:end], lows[:end], highs[:end], alpha=0.35, linewidth=4)
                axes.plot(x[:end], y[:end], "o", markersize=4)
            if end is not None:
                axes.vlines(x[end:], lows[end:], highs[end:], alpha=0.35, linewidth=4, color="C1")
                axes.plot(x[end:], y[end:], "s", markersize=6, color="C1", label=last_name(release))
                axes.legend()
        axes.set(xlabel=word, ylabel=amount)
    elif isinstance(release.value, int | float) and release.accuracy.center is None:
        (low,), (high,) = _ends(release, 1)
        ends = [release.value if end is None else end for end in (low, high)]
        axes.plot(ends, [0, 0], alpha=0.35, linewidth=6)
        axes.plot([release.value], [0], "o")
        axes.set(yticks=[], xlabel=release.query)
    else:
        raise ParameterError(f"{release.query} is answered by names, which cannot be drawn; see .value")
    axes.set_title(f"{release.title}, epsilon {float(release.guarantee.epsilon):g}, 95 % intervals")
    return axes


def needed(package: str) -> Any:
    """An optional package, or one line that says how to get it."""
    try:
        return import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        wanted = "'.[plots]'" if name == "matplotlib" else name
        raise ParameterError(f"{name} is not installed: pip install {wanted}") from None
