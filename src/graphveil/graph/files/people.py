"""The roster: a list of everybody, also of those without edges.

A file of people has one name per line; of a table (.csv, .tsv) the first column counts. Comments and blank lines are
passed over, and so is a first line that is a well-known column name.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from graphveil.arrays import AnyArray, Bits, Integers
from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import split_compression
from graphveil.graph.files.layout import lines_of, split
from graphveil.graph.files.streams import check_readable, read_bytes
from graphveil.graph.labels import INTEGER, Labels, fault_of_integer, integer_labels, is_text, label_list, text_labels

COLUMN_NAMES = {"id", "label", "name", "node", "node_id", "people", "person", "person_id", "user", "user_id"}


@dataclass(frozen=True, slots=True)
class Roster:
    """Everybody's name, as written, where the list came from, and on which line of it each name stands."""

    names: Sequence[str]
    origin: str
    lines: Sequence[int] = ()

    def place(self, row: int) -> str:
        """Where a name stands, for messages."""
        return f"{self.origin}, line {self.lines[row]}" if self.lines else f"{self.origin}, name {row + 1}"


def read_people(people: str | os.PathLike[str] | Iterable[int | str]) -> Roster:
    """A roster from a file, or from the names themselves."""
    if isinstance(people, str | os.PathLike):
        return _read_file(Path(people))
    names = list(people)
    wrong = next(
        (name for name in names if isinstance(name, bool) or not isinstance(name, int | np.integer | str)), None
    )
    if wrong is not None:
        raise ParameterError(f"people must be integers or text, not {type(wrong).__name__}")
    return _non_empty(Roster([str(name) for name in names], "people"))


def enrol(content: Content, roster: Roster) -> Content:
    """The same pairs among everybody on the roster, numbered in rising order of their labels."""
    if not content.named:
        raise GraphFormatError(
            f"the graph file does not name its people, so they cannot be found on the list ({roster.origin}): save it "
            "with their names"
        )
    integers = not is_text(content.labels) and all(INTEGER.fullmatch(name) for name in roster.names)
    listed = _listed(content.labels, content.n_nodes, integers=integers)
    everybody = np.unique(_integers(roster) if integers else text_labels(roster.names))
    position = np.searchsorted(everybody, listed).astype(np.int32)
    known = everybody[np.minimum(position, len(everybody) - 1)] == listed
    if not known.all():
        _refuse_stranger(content, ~known, roster.origin)
    return replace(
        content,
        u=position[content.u],
        v=position[content.v],
        n_nodes=len(everybody),
        labels=integer_labels(everybody) if integers else everybody,
        roster_declared=True,
    )


def _read_file(path: Path) -> Roster:
    suffix, compression = split_compression(path)
    separator = {".csv": ",", ".tsv": "\t"}.get(suffix)
    names, lines = [], []
    check_readable(path)
    for number, line in lines_of(read_bytes(path, compression).removeprefix(b"\xef\xbb\xbf")):
        try:
            text = line.decode()
            name = text.strip(" \t") if separator is None else split(text, separator)[0]
        except UnicodeDecodeError:
            raise GraphFormatError(f"{path}, line {number}: not UTF-8; save the file as UTF-8 text") from None
        except csv.Error:
            raise GraphFormatError(f"{path}, line {number}: a quotation mark is not closed") from None
        if not name:
            raise GraphFormatError(f"{path}, line {number}: no name in the first column")
        names.append(name)
        lines.append(number)
    if names and names[0].lower() in COLUMN_NAMES:
        del names[0], lines[0]
    return _non_empty(Roster(names, str(path), lines))


def _non_empty(roster: Roster) -> Roster:
    if not roster.names:
        raise GraphFormatError(f"{roster.origin}: nobody is listed")
    return roster


def _integers(roster: Roster) -> Integers:
    for row, name in enumerate(roster.names):
        if fault := fault_of_integer(name):
            raise GraphFormatError(f"{roster.place(row)}: {fault}")
    return np.array([int(name) for name in roster.names], dtype=np.int64)


def _listed(labels: Labels, n_nodes: int, *, integers: bool) -> AnyArray:
    if integers:
        return np.arange(n_nodes) if labels is None else labels
    return text_labels([str(label) for label in label_list(labels, n_nodes)])


def _refuse_stranger(content: Content, strange: Bits, origin: str) -> None:
    rows = np.flatnonzero(strange[content.u] | strange[content.v])
    if len(rows) == 0:
        raise GraphFormatError(f"somebody without edges in the graph file is not on the list of people ({origin})")
    raise GraphFormatError(f"{content.place(int(rows[0]))}: one of the two is not on the list of people ({origin})")
