"""A made-up table of labelled people, of any length, for audits and tests."""

from __future__ import annotations

from graphveil.learn.people import LabelledPeople


def toy_people(n_people: int) -> LabelledPeople:
    """People called 0 to n - 1, two of three with a label of two kinds and all with a feature that says a little.

    >>> toy_people(6).labels.tolist()
    [0, 1, -1, 1, 0, -1]
    """
    labels = ["" if place % 3 == 2 else "ab"[place % 2] for place in range(n_people)]
    table = {
        "person": list(range(n_people)),
        "kind": labels,
        "colour": ["red" if place % 2 or place % 5 == 0 else "blue" for place in range(n_people)],
    }
    return LabelledPeople.from_columns(table, label="kind")
