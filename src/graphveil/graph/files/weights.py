"""Weights of edges: the column of a list of edges, or what another library holds.

A weight is a number of 0 or more. It is rounded down to a whole number, which never raises what one edge can change;
multiply the column by a public number first where fractions matter.
"""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.files.layout import Layout, lines_of, split
from graphveil.graph.weighted import HEAVIEST


def weight_column(data: bytes, layout: Layout, wanted: str, path: Path) -> int:
    """The place of the column that is called by this name in the header, or has this number from 1."""
    first = next(lines_of(data), None)
    fields = [] if first is None else _fields(first[1], layout.separator)
    if wanted.isdecimal():
        column = int(wanted) - 1
    elif layout.header and wanted in fields:
        column = fields.index(wanted)
    else:
        there = f"; there are: {', '.join(fields)}" if layout.header else ""
        raise ParameterError(
            f"{path}: the first line names no column {wanted!r}{there}; give the name as it stands there, or the "
            "number of the column, such as 3 (--weighted 3)"
        )
    if column in layout.columns or column < 0:
        raise ParameterError(f"{path}: column {wanted} holds a person; weights stand in a column of their own")
    return column


def read_weights(data: bytes, layout: Layout, column: int, path: Path) -> Integers:
    """The weight on every line with an edge, rounded down to a whole number."""
    weights = []
    for number, line in lines_of(data, layout.skip):
        fields = _fields(line, layout.separator)
        weight = _number(fields[column]) if column < len(fields) else math.nan
        if not 0 <= weight <= HEAVIEST:
            comma = column < len(fields) and not math.isnan(_number(fields[column].replace(",", ".", 1)))
            hint = "; write decimals with a point, such as 0.31 and not 0,31" if math.isnan(weight) and comma else ""
            raise GraphFormatError(
                f"{path}, line {number}: column {column + 1} must hold a weight, a number from 0 to {HEAVIEST:,}{hint}"
            )
        weights.append(weight)
    return _rounded_down(np.array(weights, dtype=np.float64), f"{path}, column {column + 1}")


def whole_weights(values: Sequence[Any] | AnyArray, where: str) -> Integers:
    """Weights of edges in the memory of another library, rounded down; the value that is none is not shown."""
    try:
        given = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    except (TypeError, ValueError):
        given = np.array([math.nan])
    if not ((given >= 0) & (given <= HEAVIEST)).all():
        raise ParameterError(f"{where}: every edge must have a weight, a number from 0 to {HEAVIEST:,}")
    return _rounded_down(given, where)


def _rounded_down(given: AnyArray, where: str) -> Integers:
    """Whole weights; who holds the graph is warned where fractions are lost."""
    weights = given.astype(np.int64)
    if (weights != given).any():
        warnings.warn(
            f"{where}: weights with fractions are rounded down to whole numbers, and those below 1 become 0; where "
            "fractions matter, multiply all weights by a public number first, such as 100",
            stacklevel=2,
        )
    return weights


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _fields(line: bytes, separator: str) -> list[str]:
    try:
        return split(line.decode(errors="replace"), separator)
    except csv.Error:
        return []
