"""The curator's key: which published name stands for which person. A secret, kept apart from the published graph."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph

HEADER = ["published", "original"]


def write_key(path: str | os.PathLike[str], key: Integers, *, published: Graph, original: Graph) -> None:
    """A line a person, under the names both graphs use; only the owner of the file may read it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(HEADER)
        lines.writerows([published.label_of(i), original.label_of(int(node))] for i, node in enumerate(key))


def read_key(path: str | os.PathLike[str], *, published: Graph, original: Graph) -> Integers:
    """For every published node the original one that it stands for."""
    name = os.fspath(path)
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GraphFormatError(f"cannot read the key {name}: {error}") from None
    if not rows or rows[0] != HEADER:
        raise GraphFormatError(f"{name}, line 1: a key starts with the line {','.join(HEADER)}")
    places, people = _places(published), _places(original)
    key = np.full(published.n_nodes, -1, dtype=np.int64)
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != 2 or row[0] not in places or row[1] not in people:
            raise GraphFormatError(f"{name}, line {number}: a name of each of the two graphs is needed")
        key[places[row[0]]] = people[row[1]]
    if (key < 0).any():
        raise GraphFormatError(f"{name} leaves out {int((key < 0).sum())} people of the published graph")
    return key


def _places(graph: Graph) -> dict[str, int]:
    return {str(graph.label_of(node)): node for node in range(graph.n_nodes)}
