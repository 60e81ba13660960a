"""A table of people's attributes: columns by name, all of one length."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import GraphFormatError, ParameterError

Column = AnyArray
PADDED = re.compile("0[0-9]+")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns by name; a column holds numbers or text.

    >>> Table.from_columns({"age": [31, 45], "city": ["Oslo", "Rome"]}).n_rows
    2
    """

    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        if len({len(column) for column in self.columns.values()}) > 1:
            raise ParameterError("the columns of a table must be equally long")

    @classmethod
    def from_columns(cls, columns: Mapping[str, Sequence[Any]]) -> Table:
        """A table of plain sequences; a column of numbers only is one of numbers, every other one is text."""
        return cls({name: _column(values) for name, values in columns.items()})

    @property
    def n_rows(self) -> int:
        """The number of rows, one for each person."""
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Column:
        """The column of that name."""
        if name not in self.columns:
            raise ParameterError(f"the table has no column {name!r}; it has {', '.join(self.columns)}")
        return self.columns[name]

    def select(self, names: Sequence[str]) -> Table:
        """The table of these columns alone, each of which must exist."""
        return Table({name: self.column(name) for name in names})

    def codes(self, name: str) -> Integers:
        """The column as numbers 0, 1, … of its distinct values in rising order."""
        return np.unique(self.column(name), return_inverse=True)[1].astype(np.int64)

    def is_ordered(self, name: str) -> bool:
        """Whether the column holds numbers, so that distances between values mean something."""
        return bool(np.issubdtype(self.column(name).dtype, np.number))


def read_table(path: str | os.PathLike[str]) -> Table:
    """A table from a .csv or .tsv file with a line of column names."""
    separator = "\t" if Path(path).suffix == ".tsv" else ","
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file, delimiter=separator, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GraphFormatError(f"cannot read {os.fspath(path)} as a table: {error}") from None
    if not rows:
        raise GraphFormatError(f"{os.fspath(path)} is empty; a table starts with a line of column names")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise GraphFormatError(f"{os.fspath(path)}, line {number}: {len(rows[0])} fields are needed")
    return Table.from_columns({name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])})


def write_table(table: Table, path: str | os.PathLike[str], *, separator: str = ",") -> None:
    """The table as a line of column names and a line a person."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, delimiter=separator, lineterminator="\n")
        lines.writerow(table.columns)
        lines.writerows(zip(*(column.tolist() for column in table.columns.values()), strict=True))


def _column(values: Sequence[Any]) -> Column:
    if any(PADDED.fullmatch(str(value)) for value in values):  # 03033 is a code, not a number
        return np.array([str(value) for value in values])
    try:
        numbers = np.array([float(value) for value in values])
    except (TypeError, ValueError):
        return np.array([str(value) for value in values])
    whole = np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()
    return numbers.astype(np.int64) if whole else numbers
