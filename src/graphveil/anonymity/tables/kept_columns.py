"""Columns of a published table that are neither quasi-identifier nor sensitive.

k-anonymity speaks of the quasi-identifiers alone. A column beside them may undo it: a name, an e-mail address, a
number that is different for everybody. Such columns are left out of what is published unless they are asked for, and
one that tells most people apart is never certified. Nor is a sensitive column of texts in which nearly everybody has a
text of their own: a sensitive value is what people share, an e-mail address is not. Numbers may all differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphveil.anonymity.tables.table import Table
from graphveil.errors import ParameterError

MOST_DISTINCT = 0.5  # different values for each person; above it a column is as good as a name
MOST_SENSITIVE = 0.9  # the same for sensitive texts, of which a small table may have many


def other_columns(table: Table, quasi_identifiers: Sequence[str], sensitive: str | None) -> tuple[str, ...]:
    """The columns that are neither quasi-identifier nor sensitive, in the order of the table."""
    return tuple(name for name in table.columns if name not in quasi_identifiers and name != sensitive)


def naming_columns(table: Table, names: Sequence[str]) -> dict[str, int]:
    """Those of the columns that tell most people apart, each with its number of different values.

    >>> people = Table.from_columns({"name": ["ann", "bob", "cat", "dan"], "city": ["Oslo", "Oslo", "Rome", "Rome"]})
    >>> naming_columns(people, ["name", "city"])
    {'name': 4}
    """
    distinct = {name: len(np.unique(table.column(name))) for name in names}
    return {name: count for name, count in distinct.items() if count > MOST_DISTINCT * table.n_rows}


def names_by_sensitive(table: Table, sensitive: str | None) -> tuple[str, ...]:
    """The sensitive column if it holds texts of which nearly everybody has their own, else nothing."""
    if sensitive is None or table.is_ordered(sensitive):
        return ()
    count = len(np.unique(table.column(sensitive)))
    return (sensitive,) if count > max(MOST_SENSITIVE * table.n_rows, 2) else ()


def refuse_naming_columns(table: Table, names: Sequence[str], sensitive: str | None = None) -> None:
    """Refuse to publish a column that tells most people apart."""
    for name in names_by_sensitive(table, sensitive):
        raise ParameterError(
            f"column {name!r} cannot be the sensitive one: nearly everybody has a text of their own there, so it names "
            "people; leave it out, or group its values first"
        )
    for name, count in naming_columns(table, names).items():
        raise ParameterError(
            f"column {name!r} cannot be kept: it has {count:,} different values among {table.n_rows:,} people, so it "
            "names them; leave it out, or make it a quasi-identifier"
        )
