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

from graphveil.arrays import Bits
from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import split_compression
from graphveil.graph.files.layout import lines_of, split, table_separator
from graphveil.graph.files.streams import check_readable, read_bytes
from graphveil.graph.labels import are_plain_integers, is_text, label_list, parse_labels

COLUMN_NAMES = {"id", "label", "name", "node", "node_id", "people", "person", "person_id", "user", "user_id"}


@dataclass(frozen=True, slots=True)
class Roster:
    """Everybody's name, as written, and where the list came from."""

    names: Sequence[str]
    origin: str
    notes: tuple[str, ...] = ()


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
    return Roster([str(name) for name in names], "people")


def enrol(content: Content, roster: Roster) -> Content:
    """The same pairs among everybody on the roster, numbered in rising order of their labels."""
    if not content.named and {*roster.names} != {*map(str, range(content.n_nodes))}:
        raise GraphFormatError(
            f"the graph does not name its people, so they cannot be found on the list ({roster.origin}): give it "
            "with their names"
        )
    integers = not is_text(content.labels) and are_plain_integers(roster.names)
    listed = label_list(content.labels, content.n_nodes)
    everybody: list[int] | list[str] = sorted({*map(int, roster.names)}) if integers else sorted({*roster.names})
    place = {name: i for i, name in enumerate(everybody)}
    names = listed if integers else map(str, listed)
    position = np.fromiter((place.get(name, -1) for name in names), dtype=np.int32, count=len(listed))
    if (position < 0).any():
        _refuse_stranger(content, position < 0, roster.origin)
    return replace(
        content,
        u=position[content.u],
        v=position[content.v],
        n_nodes=len(everybody),
        labels=parse_labels([str(name) for name in everybody], keep_text=not integers),
        roster_declared=True,
        notes=(*content.notes, *roster.notes),
    )


def _read_file(path: Path) -> Roster:
    suffix, compression = split_compression(path)
    names = []
    check_readable(path, may_be_empty=True)  # of one person and of nobody: under node privacy, which is private
    lines = list(lines_of(read_bytes(path, compression, may_be_empty=True).removeprefix(b"\xef\xbb\xbf")))
    first = lines[0][1].decode(errors="replace") if lines else ""
    separator = table_separator(first, suffix) if suffix in (".csv", ".tsv") else None
    for number, line in lines:
        try:
            text = line.decode()
            name = text.strip(" \t") if separator is None else split(text, separator)[0]
        except UnicodeDecodeError:
            raise GraphFormatError(f"{path}, line {number}: not UTF-8; save the file as UTF-8 text") from None
        except csv.Error:
            raise GraphFormatError(f"{path}, line {number}: a quotation mark is not closed") from None
        if not name:
            hint = "; R's row numbers are left out by write.csv(..., row.names = FALSE)" if number == 1 else ""
            raise GraphFormatError(f"{path}, line {number}: no name in the first column{hint}")
        names.append(name)
    notes: tuple[str, ...] = ()
    if names and names[0].lower() in COLUMN_NAMES:
        del names[0]
        notes = ("the first line of the list of people was taken as a header",)
    return Roster(names, str(path), notes)


def _refuse_stranger(content: Content, strange: Bits, origin: str) -> None:
    rows = np.flatnonzero(strange[content.u] | strange[content.v])
    if len(rows) == 0:
        raise GraphFormatError(f"somebody without edges in the graph file is not on the list of people ({origin})")
    raise GraphFormatError(
        f"{content.place(int(rows[0]))}: one of the two is not on the list of people ({origin}); open the file at that "
        "line, since names are private and never printed"
    )
