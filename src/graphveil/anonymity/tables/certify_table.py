"""Is a table anonymous? k-anonymity, l-diversity and t-closeness, measured.

People whose quasi-identifiers (what an adversary may know from elsewhere) agree form a class.

    k-anonymity (Sweeney 2002)                      every class has at least k people
    distinct l-diversity (Machanavajjhala et al.    every class has at least l different sensitive values
    2007), entropy l-diversity                      and entropy of at least ln l
    t-closeness (Li, Li and Venkatasubramanian      the sensitive values of every class are within distance t of those
    2007)                                           of everybody: total variation for text; for numbers, the earth
                                                    mover's distance over the ranks of the values, which is at most 1

Columns that are neither quasi-identifier nor sensitive are not part of these definitions, and may undo them. So a
table that has one is certified only where it is kept on purpose, and never where it tells most people apart, such as
their names (`kept_columns`).

k-anonymity alone stops nobody from reading off a sensitive value that a whole class shares (the homogeneity attack).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from graphveil.anonymity.tables.kept_columns import names_by_sensitive, naming_columns, other_columns
from graphveil.anonymity.tables.table import Table
from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError


@dataclass(frozen=True, slots=True)
class TableCertificate:
    """The smallest k, l and largest t that a table has; the l's and t are None without a sensitive column.

    `holds` says whether all that was asked for is met. `worst_class` gives the quasi-identifiers of a smallest class.
    `other_columns` are neither quasi-identifier nor sensitive. Nothing holds where some of them were not accepted
    (`unlisted_columns`), or tell most people apart (`naming_columns`). `k_if_all_known` is the smallest class for
    somebody who knows the other columns, too.
    """

    holds: bool
    classes: int
    k: int
    distinct_l: int | None
    entropy_l: float | None
    t: float | None
    worst_class: dict[str, Any] | None
    other_columns: tuple[str, ...] = ()
    unlisted_columns: tuple[str, ...] = ()
    naming_columns: tuple[str, ...] = ()
    k_if_all_known: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The certificate as `graphveil certify --json` prints it, by name of field."""
        return asdict(self)


def certify_table(
    table: Table,
    *,
    quasi_identifiers: Sequence[str],
    k: int = 1,
    sensitive: str | None = None,
    l_diversity: float | None = None,
    t_closeness: float | None = None,
    keep: Sequence[str] = (),
) -> TableCertificate:
    """Measure a table, and check it against the k, (entropy) diversity and closeness asked for.

    `keep` names the columns that are published on purpose though nothing protects them; the table must have no other
    column that is neither quasi-identifier nor sensitive.

    >>> patients = Table.from_columns({"zip": [30332] * 3, "condition G": ["yes", "yes", "yes"]})
    >>> found = certify_table(patients, quasi_identifiers=["zip"], k=3, sensitive="condition G")
    >>> found.holds, found.k, found.distinct_l
    (True, 3, 1)
    """
    if sensitive is None and (l_diversity is not None or t_closeness is not None):
        raise ParameterError("diversity and closeness speak of a sensitive column; name it")
    class_of = classes_of(table, quasi_identifiers)
    accepted = table.select(keep).columns  # each must exist
    others = other_columns(table, quasi_identifiers, sensitive)
    unlisted = tuple(name for name in others if name not in accepted)
    if table.n_rows == 0:
        return TableCertificate(not unlisted, 0, 0, None, None, None, None, others, unlisted)
    sizes = np.bincount(class_of)
    first_of_smallest = int(np.flatnonzero(class_of == sizes.argmin())[0])
    worst = {name: _plain(table.column(name)[first_of_smallest]) for name in quasi_identifiers}
    distinct, entropy, distance = (None, None, None) if sensitive is None else _diversity(table, class_of, sensitive)
    naming = (*naming_columns(table, others), *names_by_sensitive(table, sensitive))
    holds = (
        int(sizes.min()) >= k
        and not unlisted
        and not naming
        and (l_diversity is None or (entropy is not None and entropy >= l_diversity * (1 - 1e-12)))
        and (t_closeness is None or (distance is not None and distance <= t_closeness + 1e-12))
    )
    known = int(np.bincount(classes_of(table, [*quasi_identifiers, *others])).min())
    measured = len(sizes), int(sizes.min()), distinct, entropy, distance
    return TableCertificate(holds, *measured, worst, others, unlisted, naming, known)


def classes_of(table: Table, quasi_identifiers: Sequence[str]) -> Integers:
    """For every row the number of its class."""
    if not quasi_identifiers:
        return np.zeros(table.n_rows, dtype=np.int64)
    codes = np.column_stack([table.codes(name) for name in quasi_identifiers])
    return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def shares_by_class(table: Table, class_of: Integers, sensitive: str) -> Floats:
    """Row c: how the sensitive values of class c are distributed over all values in rising order."""
    codes = table.codes(sensitive)
    counts = np.zeros((class_of.max() + 1, codes.max() + 1))
    np.add.at(counts, (class_of, codes), 1)
    shares: Floats = counts / counts.sum(axis=1, keepdims=True)
    return shares


def distances_to_everybody(shares: Floats, overall: Floats, *, ordered: bool) -> Any:
    """Of every row of shares, its distance to the overall ones."""
    difference = shares - overall
    if not ordered:
        return np.abs(difference).sum(axis=1) / 2
    return np.abs(np.cumsum(difference, axis=1)).sum(axis=1) / max(1, shares.shape[1] - 1)


def _diversity(table: Table, class_of: Integers, sensitive: str) -> tuple[int, float, float]:
    shares = shares_by_class(table, class_of, sensitive)
    overall = np.bincount(table.codes(sensitive)) / table.n_rows
    logs = np.log(np.where(shares > 0, shares, 1))
    distances = distances_to_everybody(shares, overall, ordered=table.is_ordered(sensitive))
    return (
        int((shares > 0).sum(axis=1).min()),
        float(np.exp(-(shares * logs).sum(axis=1).max())),
        float(distances.max()),
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
