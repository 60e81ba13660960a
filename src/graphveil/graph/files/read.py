r"""Graphs from files: the front door of all formats.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder, "friends.csv")
...     _ = file.write_text("source,target\nann,bob\nbob,cem\nbob,ann\ncem,cem\n")
...     read = read_with_report(file)
>>> print(read.report)
friends.csv: 3 people (as the data names them), 2 edges; 4 listed, 1 self-loop and 1 repeat dropped;
directions ignored; the first line was taken as a header
>>> read.graph.labels.tolist()
['ann', 'bob', 'cem']
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.fold import Kept, Read, fold
from graphveil.graph.files.formats import EDGE_LIST_SUFFIXES, FileKind, kind_named, kind_of
from graphveil.graph.files.layout import SEPARATOR_NAMES
from graphveil.graph.files.streams import STDIN, check_readable, spooled_stdin

PathLike = str | os.PathLike[str]
NOT_BOTH = "a graph is read as directed or as weighted, not as both: read it twice"
COLUMN_FORMATS = (*EDGE_LIST_SUFFIXES, ".parquet")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the caller knows of a file that its name and content do not say.

    `header`: whether the first line of an edge list is one. `columns`: the two that hold the ends of edges, by name or
    by place counted from 1. `separator`: what stands between the fields of an edge list. `format`: a suffix without its
    dot, such as csv, where the file's name does not end in one. `directed` keeps directions; `weighted` is the column
    of an edge list that holds weights, by name or counted from 1.
    """

    header: bool | None = None
    columns: tuple[str, str] | None = None
    separator: str | None = None
    format: str | None = None
    directed: bool = False
    weighted: str | None = None

    @classmethod
    def of(
        cls,
        *,
        header: bool | None = None,
        columns: Sequence[str | int] | None = None,
        sep: str | None = None,
        format: str | None = None,  # noqa: A002 - the word of the option
        directed: bool = False,
        weighted: str | int | None = None,
    ) -> Reading:
        """From what a caller or a command gives; a separator may be named: tab, comma, semicolon, space."""
        ends = None if columns is None else tuple(str(column).strip() for column in columns)
        if ends is not None and (len(ends) != 2 or "" in ends or ends[0] == ends[1]):
            raise ParameterError("columns must be two different ones, such as 1,3 or from,to (columns=, --columns)")
        separator = None if sep is None else SEPARATOR_NAMES.get(sep, sep)
        if separator is not None and (len(separator) != 1 or separator in '"\n\r#%' or separator.isalnum()):
            raise ParameterError(
                f"a separator is one character or one of {', '.join(SEPARATOR_NAMES)}, not {sep!r} (sep=, --sep)"
            )
        if directed and weighted is not None:
            raise ParameterError(NOT_BOTH)
        column = None if weighted is None else str(weighted).strip()
        return cls(header, None if ends is None else (ends[0], ends[1]), separator, format, directed, column)

    @property
    def kept(self) -> Kept:
        """What is kept besides edges."""
        return Kept(self.directed, None if self.weighted is None else f"column {self.weighted}")

    def kind(self, path: Path) -> FileKind:
        """The kind of a file with all that is known of it; what does not fit its format is refused."""
        kind = kind_of(path) if self.format is None else kind_named(self.format, path)
        edge_list = kind.suffix in EDGE_LIST_SUFFIXES
        if self.header is not None and not edge_list:
            raise ParameterError(
                f"{path}: header= (--header, --no-header) is for edge lists; {kind.suffix} has no header"
            )
        if self.separator is not None and not edge_list:
            raise ParameterError(f"{path}: sep= (--sep) is for edge lists; {kind.suffix} has no separator")
        if self.columns is not None and kind.suffix not in COLUMN_FORMATS:
            raise ParameterError(f"{path}: columns= (--columns) is for tables of edges; {kind.suffix} has no columns")
        if self.weighted is not None and not edge_list:
            raise ParameterError(
                f"{path}: weights (weighted=, --weighted) are read from a column of an edge list, not from "
                f"{kind.suffix}; save it as .csv"
            )
        return replace(kind, header=self.header, columns=self.columns, separator=self.separator, weighted=self.weighted)


def read_graph(
    path: PathLike,
    *,
    people: PathLike | Iterable[int | str] | None = None,
    header: bool | None = None,
    columns: Sequence[str | int] | None = None,
    sep: str | None = None,
    format: str | None = None,  # noqa: A002 - the word of the option
    directed: bool = False,
    weighted: str | int | None = None,
) -> Graph:
    """The graph in a file; its format follows from the file's name. `-` is the standard input.

    `people` lists everybody, also those without edges: a file with one name per line, or the names themselves. `header`
    says whether the first line of an edge list is a header; if it is left out, one is known by its names of columns.
    `columns` are the two with the ends of edges, by name or counted from 1; `sep` separates them; `format`, such as
    "csv", is needed where the name does not say it. What was read and left out is in `graph.reading`, in one line, and
    is said on stderr where Python is used interactively.
    `directed` keeps directions (a `DirectedGraph`); `weighted` names the column of an edge list that holds weights, or
    counts it from 1 (a `WeightedGraph`). Both graphs answer every question about plain edges too.
    """
    how = Reading.of(header=header, columns=columns, sep=sep, format=format, directed=directed, weighted=weighted)
    read = read_with_report(path, people=people, how=how)
    if hasattr(sys, "ps1"):
        sys.stderr.write(f"{read.report}\n")
    return read.graph


def read_with_report(
    path: PathLike, *, people: PathLike | Iterable[int | str] | None = None, how: Reading | None = None
) -> Read:
    """The graph in a file, and a report of what was dropped or assumed on the way."""
    how = how or Reading()
    path = Path(path)
    if str(path) != STDIN:
        return _read(path, people, how, path.name)
    with spooled_stdin(how.format) as spool:
        try:
            return _read(spool, people, replace(how, format=None), "stdin")
        except (GraphFormatError, ParameterError) as error:
            raise type(error)(str(error).replace(str(spool), "stdin")) from None


def _read(path: Path, people: PathLike | Iterable[int | str] | None, how: Reading, name: str) -> Read:
    suffix = path.suffix.lower() if how.format is None else f".{how.format}"
    # nobody may have an edge, which is private: where people are listed a list of edges without a byte is one
    check_readable(path, may_be_empty=people is not None and suffix in EDGE_LIST_SUFFIXES)
    kind = how.kind(path)
    if people is None:
        return fold(kind.format.read(path, kind), str(path), source=name, kept=how.kept)
    from graphveil.graph.files.people import enrol, read_people

    roster = read_people(people)
    content = kind.format.read(path, replace(kind, people=frozenset(roster.names)))
    return fold(enrol(content, roster), str(path), source=name, kept=how.kept)
