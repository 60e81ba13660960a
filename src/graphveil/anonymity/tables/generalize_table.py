"""Make a table k-anonymous, and l-diverse or t-close where demanded, by coarser values: Mondrian.

Paper: LeFevre, DeWitt and Ramakrishnan 2006, "Mondrian multidimensional k-anonymity".

All people start in one box. A box is cut at the median of the quasi-identifier in which it is widest (as a share of
the whole table's values), if both halves still meet all demands, else at the next widest. What cannot be cut
is published as it is: numbers as "low..high", text as "a|b|c". The sensitive column stays. Other columns are left out
unless they are to be kept, and the rows are shuffled, since their order may tell who is who.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphveil.anonymity.tables.certify_table import distances_to_everybody
from graphveil.anonymity.tables.kept_columns import other_columns, refuse_naming_columns
from graphveil.anonymity.tables.table import Column, Table
from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise

Rows = Integers


@dataclass(frozen=True, slots=True)
class _Demand:
    """What every box must meet: `codes` are those of the sensitive column, `overall` their shares."""

    k: int
    diversity: float
    closeness: float
    codes: Integers | None
    overall: Floats
    ordered: bool

    def met_by(self, rows: Rows) -> bool:
        if len(rows) < self.k:
            return False
        if self.codes is None:
            return True
        shares = np.bincount(self.codes[rows], minlength=len(self.overall)) / len(rows)
        entropy = -float(shares[shares > 0] @ np.log(shares[shares > 0]))
        distance = float(distances_to_everybody(shares[None], self.overall, ordered=self.ordered)[0])
        return entropy >= np.log(self.diversity) - 1e-12 and distance <= self.closeness + 1e-12


def generalize_table(
    table: Table,
    *,
    quasi_identifiers: Sequence[str],
    k: int,
    sensitive: str | None = None,
    l_diversity: float = 1,
    t_closeness: float = 1,
    keep: Sequence[str] = (),
    seed: int | None = None,
) -> Table:
    """The table with quasi-identifiers so coarse that the demands are met, in random order.

    It has the quasi-identifiers, the sensitive column and those of `keep`; a column that tells most people apart cannot
    be kept. The order is secret unless a seed is given.

    >>> people = Table.from_columns({"age": [20, 21, 60, 61], "name": ["ann", "bob", "cat", "dan"]})
    >>> made = generalize_table(people, quasi_identifiers=["age"], k=2)
    >>> sorted(made.column("age").tolist()), list(made.columns)
    (['20..21', '20..21', '60..61', '60..61'], ['age'])
    """
    refuse_naming_columns(table, other_columns(table.select(keep), quasi_identifiers, sensitive), sensitive)
    if k < 1 or l_diversity < 1 or t_closeness < 0:
        given = f"k is {k}, l-diversity {l_diversity}, t-closeness {t_closeness}"
        raise ParameterError(f"{given}; give a k and l of at least 1 and a t of at least 0")
    codes = None if sensitive is None else table.codes(sensitive)
    overall = np.ones(1) if codes is None else np.bincount(codes) / max(1, table.n_rows)
    demand = _Demand(k, l_diversity, t_closeness, codes, overall, sensitive is not None and table.is_ordered(sensitive))
    everybody = np.arange(table.n_rows)
    if not demand.met_by(everybody):
        raise ParameterError("the whole table as one class does not meet these demands; lower k or l, or raise t")
    boxes = _boxes([table.codes(name) for name in quasi_identifiers], demand, everybody)
    coarse = {name: _coarsen(table.column(name), boxes) for name in quasi_identifiers}
    listed = {*quasi_identifiers, *keep, sensitive}
    published = table.select([name for name in table.columns if name in listed])
    noise = SystemNoise() if seed is None else SeededNoise(seed)
    order = np.argsort(noise.words(table.n_rows))
    return Table({name: coarse.get(name, column)[order] for name, column in published.columns.items()})


def _boxes(columns: Sequence[Integers], demand: _Demand, everybody: Rows) -> list[Rows]:
    done, pending = [], [everybody]
    while pending:
        rows = pending.pop()
        halves = _cut(columns, demand, rows)
        if halves is None:
            done.append(rows)
        else:
            pending.extend(halves)
    return done


def _cut(columns: Sequence[Integers], demand: _Demand, rows: Rows) -> tuple[Rows, Rows] | None:
    """The two halves along the widest column that may be cut."""
    widths = [np.ptp(column[rows]) / max(1, column.max()) for column in columns]
    for i in np.argsort(widths)[::-1]:
        values = columns[i][rows]
        middle = np.sort(values)[(len(rows) - 1) // 2]
        for low in (values <= middle, values < middle):
            halves = rows[low], rows[~low]
            if demand.met_by(halves[0]) and demand.met_by(halves[1]):
                return halves
    return None


def _coarsen(column: Column, boxes: list[Rows]) -> Column:
    coarse = np.empty(len(column), dtype=object)
    for rows in boxes:
        values = np.unique(column[rows])
        between = ".." if np.issubdtype(column.dtype, np.number) else "|"
        shown = values[[0, -1]] if between == ".." and len(values) > 1 else values
        coarse[rows] = between.join(str(value) for value in shown)
    return coarse.astype(str)
