"""What a stream published: answers by period, as one table, and its numbers over time as charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphveil.display.svg import Line, lines
from graphveil.errors import unknown_name
from graphveil.mechanisms.entries import Columns, long_columns
from graphveil.mechanisms.release import Release

MOST_POINTS = 60  # more periods are drawn as a line
MOST_NAMES = 8  # periods named under a chart


@dataclass(frozen=True, slots=True)
class PeriodAnswers:
    """What one period published; `repeated` says that it had been published before.

    `remarks` are for the curator alone: they may tell of the graph what was not paid for.
    """

    period: str
    step: int
    horizon: int
    releases: list[Release]
    repeated: bool
    left: tuple[Fraction, Fraction]
    remarks: tuple[str, ...] = ()

    def __getitem__(self, query: str) -> Release:
        """The answer to one of the queries."""
        for release in self.releases:
            if release.query == query:
                return release
        raise unknown_name("query", query, [release.query for release in self.releases])


@dataclass(frozen=True, slots=True)
class TimeSeries:
    """One number in every period, with the ends of its 95 % interval; an open end is drawn at the number itself."""

    query: str
    title: str
    steps: list[int]
    periods: list[str]
    values: list[float]
    lows: list[float]
    highs: list[float]

    @property
    def svg(self) -> str:
        """A line or points over the periods."""
        line = Line(self.title, self.steps, self.values, self.lows, self.highs)
        title = f"{self.title} over time with 95 % intervals"
        names = dict(zip(self.steps, self.periods, strict=True))
        return lines([line], title=title, x="period", y=self.title, points=len(self.steps) <= MOST_POINTS, names=names)

    def draw(self, axes: Any, *, line: str, band: str) -> None:
        """Draw it on axes of matplotlib in these two colours."""
        axes.fill_between(self.steps, self.lows, self.highs, color=band, alpha=0.4, linewidth=0)
        axes.plot(self.steps, self.values, color=line, marker="." if len(self.steps) <= MOST_POINTS else "")
        named = slice(None, None, 1 + len(self.steps) // MOST_NAMES)
        axes.set_xticks(self.steps[named], self.periods[named], fontsize="small")
        axes.set(title=self.title, ylabel="released, with 95 % intervals")


def columns_over_time(published: Sequence[PeriodAnswers]) -> Columns:
    """All answers as one table: a row for each entry of each answer of each period."""
    table: Columns = {"step": [], "period": [], **long_columns([]), "counted": []}
    for answers in published:
        own = long_columns(answers.releases)
        size = len(own["query"])
        counted = [_counted(item) for item in answers.releases for _ in long_columns([item])["query"]]
        placed: Columns = {"step": [answers.step] * size, "period": [answers.period] * size, **own, "counted": counted}
        for name, column in placed.items():
            table[name] += column
    return table


def _counted(release: Release) -> str:
    counted: str = release.provenance.parameters.get("counted", "at the time")
    return counted


def time_series(published: Sequence[PeriodAnswers]) -> list[TimeSeries]:
    """Every query that is answered by one number, over the periods; lists have no line over time."""
    found: dict[str, TimeSeries] = {}
    for answers in published:
        for release in answers.releases:
            value: Any = release.value
            if not isinstance(value, int | float):
                continue
            low, high = (float(end) for end in release.accuracy.interval(0.95))  # type: ignore[arg-type]
            series = found.setdefault(release.query, TimeSeries(release.query, release.title, [], [], [], [], []))
            series.steps.append(answers.step)
            series.periods.append(answers.period)
            series.values.append(value)
            series.lows.append(low if math.isfinite(low) else value)
            series.highs.append(high if math.isfinite(high) else value)
    return list(found.values())
