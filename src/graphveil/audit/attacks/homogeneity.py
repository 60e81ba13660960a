"""The homogeneity attack on a k-anonymous table (node privacy).

Machanavajjhala et al. 2007: whoever finds a person's class reads off their sensitive value if all of the class share
it, however large k is. The adversary knows the quasi-identifiers and names the most common value of the person's class.
Where a class agrees this is no guess, so the result counts people and has no test of significance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.anonymity.tables.certify_table import classes_of, shares_by_class
from graphveil.anonymity.tables.table import Table
from graphveil.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Whose sensitive value a table gives away to somebody who knows their quasi-identifiers.

    `certain` people are in a class that agrees on one value. `likely` people are told rightly by the most common value
    of their class, `likely_without` by the most common value of all, which needs no class.
    """

    sensitive: str
    people: int
    certain: int
    likely: int
    likely_without: int

    def to_json(self) -> dict[str, Any]:
        """The result as `graphveil attack --attack homogeneity --json` prints it."""
        return {
            "attack": "homogeneity",
            "need": "node",
            "knows": "the person's quasi-identifiers",
            "sensitive": self.sensitive,
            "people": self.people,
            "disclosed_for_sure": self.certain,
            "rate": self.likely / self.people,
            "baseline": "naming the most common value",
            "baseline_rate": self.likely_without / self.people,
            "details": {"certain": self.certain / self.people},
        }

    def __str__(self) -> str:
        return (
            f"{self.certain:,} of {self.people:,} people: disclosed for sure (their whole class has one value of "
            f"{self.sensitive}). Naming the most common value of a class is right for {self.likely:,} of "
            f"{self.people:,}; without classes, {self.likely_without:,} of {self.people:,}."
        )


def homogeneity_attack(table: Table, *, quasi_identifiers: Sequence[str], sensitive: str) -> Disclosure:
    """Name everybody's sensitive value by their class, and count the people whose class agrees on one.

    >>> patients = Table.from_columns({"zip": [30332] * 3 + [30333] * 3, "G": ["yes"] * 3 + ["no", "no", "yes"]})
    >>> print(homogeneity_attack(patients, quasi_identifiers=["zip"], sensitive="G"))  # doctest: +ELLIPSIS
    3 of 6 people: disclosed for sure (their whole class has one value of G). Naming ... right for 5 of 6; ... 4 of 6.
    """
    if table.n_rows == 0:
        raise ParameterError("the table has no rows to attack")
    class_of = classes_of(table, quasi_identifiers)
    largest = shares_by_class(table, class_of, sensitive).max(axis=1)
    sizes = np.bincount(class_of)
    return Disclosure(
        sensitive,
        people=table.n_rows,
        certain=int(sizes[largest == 1].sum()),
        likely=int(np.rint(largest * sizes).sum()),
        likely_without=int(np.bincount(table.codes(sensitive)).max()),
    )
