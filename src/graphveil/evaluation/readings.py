"""What a paper leaves open, as further lines of its figure: the same algorithm under another value of an option.

A series is named after an algorithm, as "gs-ldp" or "gs-ldp, epsilon 1". Under another reading it is the same name with
the option behind it: "gs-ldp, threshold_rule=raw".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from graphveil.errors import ParameterError, unknown_name
from graphveil.evaluation.experiment import Cell, Grid
from graphveil.registry import Job, rows

PEOPLE = 1_000  # of a campaign that is set up to see whether an option suits


@dataclass(frozen=True, slots=True)
class Reading:
    """An option of an algorithm that changes a figure, and the values that are measured besides its default.

    `value` becomes the one that was asked for; then nothing else is measured. `applies` says in which cells others are.
    Of an option that is the figure's own and none of the algorithm, `default` is named; of an algorithm that collects
    several statistics, `statistic` says which is meant.
    """

    option: str
    algorithm: str
    others: tuple[str, ...] = ()
    default: str = ""
    statistic: str = ""
    applies: Callable[[Cell], bool] = lambda _cell: True
    value: str = ""

    def is_of(self, series: str) -> bool:
        """Whether a series is one of this algorithm."""
        return series.partition(", ")[0] == self.algorithm

    def rename(self, series: str, value: str) -> str:
        """The series under this value of the option; itself where it is one of another algorithm or the default."""
        return f"{series}, {self.option}={value}" if value and self.is_of(series) else series


def split_series(series: str) -> tuple[str, dict[str, str]]:
    """The series as the figure names it, and the options behind it.

    >>> split_series("gs-ldp, epsilon 1, threshold_rule=raw")
    ('gs-ldp, epsilon 1', {'threshold_rule': 'raw'})
    """
    parts = series.split(", ")
    options = dict(part.split("=", 1) for part in parts if "=" in part)
    return ", ".join(part for part in parts if "=" not in part), options


def fix_readings(readings: tuple[Reading, ...], options: Mapping[str, str]) -> tuple[Reading, ...]:
    """The readings of a figure with those that were asked for held fixed; options that no reading has are refused."""
    known = {reading.option for reading in readings}
    for name in options:
        if not known:
            raise ParameterError(f"this figure has no option; {name} was given")
        if name not in known:
            raise unknown_name("option", name, known, where="of this figure")
    for reading in readings:
        if reading.option in options:
            _check_value(reading, str(options[reading.option]))
    return tuple(
        replace(reading, others=(), value=str(options[reading.option])) if reading.option in options else reading
        for reading in readings
    )


def _check_value(reading: Reading, value: str) -> None:
    """Refuse a value that the algorithm, or the figure, does not know, before anything is measured."""
    if reading.default:
        known = (reading.default, *reading.others)
        if value not in known:
            raise ParameterError(f"{reading.option} is {' or '.join(known)}, not {value!r}")
        return
    for row in (row for job in Job for row in rows(job)):
        is_meant = row.name == reading.algorithm and reading.statistic in ("", row.query)
        if is_meant and reading.option in row.options:
            row.build(1, {reading.option: value}, **({"n_people": PEOPLE} if row.job is Job.COLLECT else {}))


def with_readings(grid: Grid, readings: tuple[Reading, ...]) -> Grid:
    """The grid with a further series for each other reading; each is measured where its own series is."""
    asked = {series: _fixed(series, readings) for series in grid.series}
    series = [
        *asked.values(),
        *(
            reading.rename(asked[name], other)
            for reading in readings
            for other in reading.others
            for name in grid.series
            if reading.is_of(name)
        ),
    ]

    def has_cell(cell: Cell) -> bool:
        base, options = split_series(cell.series)
        varied = [reading for reading in readings if options.get(reading.option) in reading.others]
        plain = replace(cell, series=base)
        return grid.has_cell(plain) and all(reading.applies(plain) for reading in varied)

    return replace(grid, series=tuple(dict.fromkeys(series)), has_cell=has_cell)


def _fixed(series: str, readings: tuple[Reading, ...]) -> str:
    for reading in readings:
        series = reading.rename(series, reading.value)
    return series
