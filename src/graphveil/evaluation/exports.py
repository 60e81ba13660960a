"""Results into files: CSV, Parquet, JSON or an HTML report, as the file's name says."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.entries import Columns, long_columns
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import exact

if TYPE_CHECKING:
    from graphveil.evaluation.reports.page import Report

SUFFIXES = (".json", ".csv", ".parquet", ".html")


def check_suffix(path: Path | None, allowed: Sequence[str] = SUFFIXES) -> None:
    """Refuse a name that says no known format; one without a suffix is JSON."""
    if path is not None and path.suffix and path.suffix.lower() not in allowed:
        raise ParameterError(f"{path}: a result is written as {', '.join(allowed)}; end the name in one of these")


def write_result(
    target: Path,
    named: Path,
    *,
    document: Mapping[str, Any],
    columns: Callable[[], Columns],
    report: Callable[[], Report] | None = None,
) -> None:
    """Write a result to `target` in the format that the name of `named` says; only that one is made."""
    suffix = named.suffix.lower()
    if suffix == ".html" and report is not None:
        target.write_text(report().html(), encoding="utf-8")
    elif suffix in (".csv", ".parquet"):
        _write_table(columns(), target, suffix)
    else:
        target.write_text(json.dumps(document, allow_nan=False) + "\n", encoding="utf-8")


def write_releases(
    target: Path,
    named: Path,
    releases: Sequence[Release],
    document: Mapping[str, Any],
    budget: Fraction,
    request_id: str | None = None,
) -> None:
    """Write released answers, with the budget and what is left of it where a ledger recorded them."""
    from graphveil.evaluation.reports.releases import release_report

    left = None if document["left"] is None else exact(document["left"]["epsilon"], "epsilon")
    write_result(
        target,
        named,
        document=document,
        columns=lambda: long_columns(releases),
        report=lambda: release_report(
            releases, left=left, budget=None if left is None else budget, request_id=request_id
        ),
    )


def _write_table(columns: Columns, target: Path, suffix: str) -> None:
    """A table with a row for each entry; a column that holds numbers and names becomes text."""
    import polars as pl

    table = pl.DataFrame({name: _series(name, column) for name, column in columns.items()})
    if suffix == ".csv":
        table.write_csv(target)
    else:
        table.write_parquet(target)


def _series(name: str, column: list[Any]) -> Any:
    import polars as pl

    kinds = {type(entry) for entry in column if entry is not None}
    if str in kinds or tuple in kinds:
        return pl.Series(name, [None if entry is None else str(entry) for entry in column], dtype=pl.String)
    if float in kinds:
        return pl.Series(name, [None if entry is None else float(entry) for entry in column], dtype=pl.Float64)
    return pl.Series(name, column, dtype=pl.Int64 if kinds else pl.String)


def columns_of_rows(rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Rows of named cells as columns: an interval has one for each end, other lists become JSON text."""
    rows = [_with_ends(row) for row in rows]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [_cell(row.get(name)) for row in rows] for name in names}


def _with_ends(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row with the ends of its 95 % interval as cells of their own, called as in tables of releases."""
    interval = row.get("interval95")
    if not isinstance(interval, list | tuple) or len(interval) != 2:
        return row
    ends = {"low95": interval[0], "high95": interval[1]}
    cells: dict[str, Any] = {}
    for name, value in row.items():
        cells |= ends if name == "interval95" else {name: value}
    return cells


def _cell(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else value
