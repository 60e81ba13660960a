from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.learn.people import LabelledPeople

TABLE: dict[str, list[Any]] = {
    "person": ["10", "9", "ann"],
    "year": ["2008", "", "2009"],
    "words": ["1 5", "", "5"],
    "dorm": ["a", "", "a"],
}


def test_cells_become_words_and_empty_single_cells_a_value() -> None:
    people = LabelledPeople.from_columns(TABLE, label="year")
    assert people.names.tolist() == ["9", "10", "ann"]
    assert people.labels.tolist() == [-1, 0, 1]
    assert people.columns == ("dorm", "words")
    assert people.features.sum(axis=1).tolist() == [1, 3, 2]  # an empty dorm is one; an empty set of words is none


def test_order_of_lines_does_not_matter_and_contents_do() -> None:
    people = LabelledPeople.from_columns(TABLE, label="year")
    turned = LabelledPeople.from_columns({name: cells[::-1] for name, cells in TABLE.items()}, label="year")
    assert people == turned
    assert hash(people) == hash(turned)
    assert people != LabelledPeople.from_columns(TABLE | {"dorm": ["a", "", "b"]}, label="year")
    assert people != LabelledPeople.from_columns(TABLE, label="year", features=["words"])


def test_tables_that_are_built_directly_are_told_apart_too() -> None:
    people = LabelledPeople.from_columns(TABLE, label="year")
    same = LabelledPeople(
        people.names, people.label, people.classes, people.labels, people.columns, people.features, people.in_set
    )
    assert same == people
    assert replace(people, labels=people.labels[::-1]) != people
    assert replace(people, features=2 * people.features) != people
    assert replace(people, names=np.array(["9", "10", "bob"])) != people


def test_words_are_numbered_alike_in_every_process() -> None:
    """A set of texts has another order in each process, and the last digits of a fit follow that order."""
    code = (
        "from graphveil.learn.people import LabelledPeople as P\n"
        "t = {'p': [*'123'], 'y': [*'ab '], 'w': ['h g f e d c b a', 'a c', 'g b']}\n"
        "print(P.from_columns(t, label='y').features.toarray().tolist())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(found) == 1


def test_missing_values_of_data_frames_are_empty() -> None:
    table = {"person": [1, 2, 3], "kind": [1.0, float("nan"), 2.0], "age": [None, 3, 4]}
    people = LabelledPeople.from_columns(table, label="kind")
    assert people.classes == ("1", "2")
    assert people.labels.tolist() == [0, -1, 1]


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({}, {"label": "yaer"}, "unknown label column 'yaer'"),
        ({}, {"label": "year", "features": ["dom"]}, "unknown feature column 'dom'"),
        ({}, {"label": "year", "features": ["year"]}, "unknown feature column 'year'"),
        ({}, {"label": "year", "features": ["dorm", "dorm"]}, "named twice"),
        ({"person": ["1", "1", "2"]}, {"label": "year"}, "listed twice"),
        ({"year": ["", "", ""]}, {"label": "year"}, "names none"),
        ({"year": ["1", "", "1"]}, {"label": "year"}, "only '1'"),
        ({"year": ["1", "2"]}, {"label": "year"}, "different lengths"),
    ],
)
def test_unsuitable_tables_are_refused(change: dict[str, Any], options: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        LabelledPeople.from_columns(TABLE | change, **options)


def test_many_classes_are_refused() -> None:
    many = [str(place) for place in range(300)]
    with pytest.raises(ParameterError, match="merge the rare ones"):
        LabelledPeople.from_columns({"person": many, "kind": many}, label="kind")


def test_a_graph_must_name_the_same_people() -> None:
    people = LabelledPeople.from_columns(TABLE, label="year")
    assert people.places(np.array(["ann", "9", "10"])).tolist() == [2, 0, 1]
    for names in (["ann", "9"], ["ann", "9", "10", "bob"], ["ann", "9", "bob"]):
        with pytest.raises(ParameterError, match="nobody else"):
            people.places(np.array(names))
