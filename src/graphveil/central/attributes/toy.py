"""A made-up column of people, of any length, for audits and tests."""

from __future__ import annotations

from graphveil.central.attributes.column import PeopleColumn


def toy_column(n_people: int, *, public: bool) -> PeopleColumn:
    """People called 0 to n - 1; of every five, two have the value 1, two the value 2 and one has none.

    >>> toy_column(5, public=True).groups_of(range(5)).tolist()
    [0, 1, 2, 0, 1]
    """
    cells = {str(place): ("1", "2", "", "1", "2")[place % 5] for place in range(n_people)}
    return PeopleColumn("kind", ("1", "2"), public, cells)
