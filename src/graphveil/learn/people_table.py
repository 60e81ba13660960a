"""A table of people as text: a header, then a line for everybody, whose name stands in the first cell."""

from __future__ import annotations

import csv
import io

from graphveil.errors import GraphFormatError


def parse_table(text: str, where: str, *, delimiter: str = ",") -> dict[str, list[str]]:
    r"""The columns by their names; every line has a cell for each. `NA`, as R writes it, is an empty cell.

    >>> parse_table("person,year\nann,2008\nbob,NA\n", "people.csv")
    {'person': ['ann', 'bob'], 'year': ['2008', '']}
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        raise GraphFormatError(f"{where}: {error}; a line has cells of ordinary length, commas between") from None
    header = [name.strip() for name in rows[0]] if rows else []
    if header and not header[0]:
        raise GraphFormatError(
            f"{where}, line 1: the first column has no name; it must hold the names of people. R writes row numbers "
            "there: leave them out with write.csv(..., row.names = FALSE)"
        )
    if len(header) < 2 or not all(header) or len(set(header)) < len(header):
        wanted = "a tab" if delimiter == "\t" else "a comma"
        raise GraphFormatError(
            f"{where}, line 1: a header names two or more columns, with {wanted} between, each by another name"
        )
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise GraphFormatError(f"{where}, row {line}: it has {len(row)} cells and the header {len(header)}")
        if not row[0].strip():
            raise GraphFormatError(f"{where}, row {line}: the first cell must name a person")
    return {
        name: ["" if place and row[place] == "NA" else row[place] for row in rows[1:]]
        for place, name in enumerate(header)
    }
