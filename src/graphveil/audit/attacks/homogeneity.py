"""The homogeneity attack on a k-anonymous table (node privacy).

Machanavajjhala et al. 2007: whoever finds a person's class reads off their sensitive value if all of the class share
it, however large k is. The adversary knows the quasi-identifiers and names the most common value of the person's class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphveil.anonymity.tables.certify_table import classes_of, shares_by_class
from graphveil.anonymity.tables.table import Table
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.errors import ParameterError


def homogeneity_attack(table: Table, *, quasi_identifiers: Sequence[str], sensitive: str) -> AttackOutcome:
    """Name everybody's sensitive value by their class; `certain` is the share of people whose class agrees.

    >>> patients = Table.from_columns({"zip": [30332] * 3 + [30333] * 3, "G": ["yes"] * 3 + ["no", "no", "yes"]})
    >>> outcome = homogeneity_attack(patients, quasi_identifiers=["zip"], sensitive="G")
    >>> outcome.successes, outcome.baseline_rate, outcome.details["certain"]
    (5, 0.6666666666666666, 0.5)
    """
    if table.n_rows == 0:
        raise ParameterError("the table has no rows to attack")
    class_of = classes_of(table, quasi_identifiers)
    shares = shares_by_class(table, class_of, sensitive)
    sizes = np.bincount(class_of)
    right = int(np.rint((shares.max(axis=1) * sizes).sum()))
    certain = float(sizes[shares.max(axis=1) == 1].sum() / table.n_rows)
    return AttackOutcome(
        "homogeneity",
        "node",
        "the person's quasi-identifiers",
        table.n_rows,
        right,
        "naming the most common value",
        float(np.bincount(table.codes(sensitive)).max() / table.n_rows),
        {"certain": certain},
    )
