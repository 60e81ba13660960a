"""One attribute of people: a column of a table, and the groups that its values make.

Under edge privacy the column is public, like the set of people: who is in which group is known, whom people know is
not. It must have been made without looking at the edges. Under node privacy a person's value is part of what is hidden,
and so is which values occur: somebody must say beforehand which ones are counted. Whoever has no value, or another,
is counted under `(none)`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError, unknown_name
from graphveil.learn.people import as_columns, cell_text, natural_order

NO_VALUE = "(none)"
MOST_GROUPS = 50


@dataclass(frozen=True, slots=True)
class PeopleColumn:
    """Everybody's value of one attribute by name, and the values that make groups, in their order.

    A private column says nothing of its contents: neither its text nor its JSON depends on them.

    >>> table = {"person": [1, 2, 3], "year": ["2008", "2009", ""]}
    >>> years = PeopleColumn.from_columns(table, attribute="year", public=True)
    >>> years.groups, years.groups_of([3, 2, 1]).tolist()
    (('2008', '2009', '(none)'), [2, 1, 0])
    """

    attribute: str
    values: tuple[str, ...]  # those that make groups
    public: bool
    cells: Mapping[str, str] = field(compare=False, repr=False)
    digest: str = field(init=False, default="", repr=False)  # of all cells, as private as they are

    def __post_init__(self) -> None:
        if len(set(self.values)) < len(self.values) or not all(map(_is_name, self.values)):
            raise ParameterError(f"values of {self.attribute} must be names in one line, each once")
        contents = repr(sorted(self.cells.items())).encode("utf-8", "surrogatepass")
        object.__setattr__(self, "digest", hashlib.sha256(contents).hexdigest())

    @classmethod
    def from_columns(
        cls,
        table: Mapping[str, Sequence[Any]] | Any,
        *,
        attribute: str,
        public: bool,
        values: Sequence[Any] | None = None,
    ) -> PeopleColumn:
        """Read one column of a table, such as a data frame: the first column has the names.

        `values` are the ones that make groups. A private column needs them, as its own would tell who is in it.
        """
        table = as_columns(table)
        listed = [str(name) for name in getattr(table, "columns", table)]
        if attribute not in listed[1:]:
            raise unknown_name("attribute", attribute, listed[1:])
        names, entries = ([cell_text(value) for value in table[name]] for name in (listed[0], attribute))
        if len(names) != len(entries) or len(set(names)) < len(names):
            raise ParameterError("everybody has one line in the table of people, with a cell in every column")
        occurring = sorted(set(entries) - {""}, key=natural_order) if public else ()
        found = occurring if values is None else [cell_text(value) for value in values]
        unknown = [value for value in found if value not in occurring] if public else []
        if unknown:
            raise unknown_name("value", unknown[0], occurring, where=f"of {attribute}, which nobody has")
        return cls(attribute, tuple(found), public, dict(zip(names, entries, strict=True)))

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of all groups; last that of people without a value, where there can be any."""
        complete = self.public and set(self.cells.values()) <= set(self.values)
        return self.values if complete else (*self.values, NO_VALUE)

    def groups_of(self, names: Iterable[Any]) -> Integers:
        """The number of everybody's group; who is not in the table is in the last."""
        number = {value: place for place, value in enumerate(self.values)}
        cells, none = self.cells, len(self.values)
        return np.array([number.get(cells.get(str(name), ""), none) for name in names], dtype=np.int64)

    def several(self, name: Any, most: int) -> list[int]:
        """The numbers of somebody's groups where a cell may hold several values, with semicolons between them.

        >>> PeopleColumn("likes", ("art", "film", "sport"), True, {"ann": "sport; art"}).several("ann", 3)
        [0, 2]
        """
        cell = self.cells.get(str(name), "")
        held = {cell} if most == 1 else {part.strip() for part in cell.split(";")}
        found = [place for place, value in enumerate(self.values) if value in held]
        return found[:most] or [len(self.values)]

    def check_names(self, names: Sequence[Any]) -> None:
        """Refuse a public table that does not list the people of the graph and nobody else."""
        wanted = {str(name) for name in names}
        if wanted != set(self.cells):
            missing, strangers = len(wanted - set(self.cells)), len(set(self.cells) - wanted)
            raise ParameterError(
                f"the table of people must list all people of the graph and nobody else; {missing:,} are missing and "
                f"{strangers:,} are not in the graph; people without edges are named with people= (--people)"
            )

    def check_groups(self) -> None:
        """Refuse too many groups, and a private column of which nobody said what is counted."""
        if not self.public and not self.values:
            raise ParameterError(
                f"which values of {self.attribute} occur is private here: say which ones are counted, with values= "
                "(--attribute-values A,B,…); whoever has another is counted as (none)"
            )
        if not 1 <= len(self.values) <= MOST_GROUPS:
            raise ParameterError(
                f"{self.attribute} makes {len(self.values):,} groups; 1 to {MOST_GROUPS} are allowed: name the ones to "
                "count with values= (--attribute-values A,B,…)"
            )

    def __str__(self) -> str:
        contents = f", sha256 {self.digest}" if self.public else ""
        return f"{self.attribute}: {list(self.values)}{contents}"

    def to_json(self) -> dict[str, Any]:
        """What a release says of the column: of a public one also the digest that identifies it."""
        told = {"attribute": self.attribute, "values": list(self.values), "public": self.public}
        return told | ({"sha256": self.digest} if self.public else {})


def _is_name(text: str) -> bool:
    return bool(text.strip()) and text.isprintable() and text != NO_VALUE
