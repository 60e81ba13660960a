"""Edge lists: lines of text with one edge each, such as `12 57`, `ann,bob` or `7<tab>9<tab>0.5`.

An id is text: 7 and 007 are two people. Where all are plain integers they are kept as such (`graph.labels`). Columns
after the ids are passed over, but all lines must have as many.

Well-formed tables are read by polars. Whatever is not plain (comments or blank lines between edges, blanks within
quotes, lines of different widths) is read line by line, which understands it or names the line that is wrong. Messages
give the number of the line and what is expected there, never what it says.
"""

from __future__ import annotations

import csv
import re
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.layout import BLANKS, Layout, guess_layout, lines_of, split
from graphveil.graph.files.numbering import number_people
from graphveil.graph.files.remark import header_lines, read_header
from graphveil.graph.files.streams import read_bytes
from graphveil.graph.files.weights import read_weights, weight_column
from graphveil.graph.labels import is_text, label_list

if TYPE_CHECKING:
    import polars as pl

    Ends = tuple[pl.Series, pl.Series]

_UNWRITABLE = re.compile(r"^$|^ | $|[\x00-\x1f\x7f]")
_LINES_AT_ONCE = 1_000_000
_BYTES_AT_ONCE = 2**24
_SPOKEN = {BLANKS: "blanks", "\t": "a tab"}
_OTHERS = {";": "semicolon", "\t": "tab", "|": "vertical bar", ",": "comma"}


def read(path: Path, kind: FileKind) -> Content:
    """Everything an edge list says."""
    import polars as pl

    data, notes = _text(path, read_bytes(path, kind.compression, may_be_empty=True))  # as good as a blank line
    header = read_header(data)
    if header and (kind.header or kind.columns or kind.separator):
        raise ParameterError(
            f"{path}: was written by graphveil and says itself how it reads; leave out header=, columns= and sep= "
            "(--header, --columns, --sep)"
        )
    titled = kind.header
    if kind.weighted is not None and titled is None and not kind.weighted.isdecimal():
        titled = True  # a column that is called by its name has one
    try:
        layout = header.layout if header else guess_layout(
            data, kind.suffix, header=titled, people=kind.people, columns=kind.columns, separator=kind.separator
        )  # fmt: skip
    except GraphFormatError as error:
        raise GraphFormatError(f"{path}, {error}") from None
    notes += layout.notes if kind.weighted is None else tuple(n for n in layout.notes if "left out" not in n)
    column = None if kind.weighted is None else weight_column(data, layout, kind.weighted, path)

    def place(row: int) -> str:
        line = next(islice(lines_of(data, layout.skip), row, None), None)
        return f"{path}, line {line[0]}" if line else f"{path}, comment lines at the top"

    ends = parse_table(data, layout) or parse_lines(data, layout, path)
    alone = pl.Series(header.alone if header else [], dtype=pl.String)
    keep_text = bool(header and header.remark.text)
    u, v, n_nodes, labels = number_people((*ends, alone), keep_text=keep_text)
    if header and (len(u), n_nodes) != (header.n_edges, header.n_nodes):
        raise GraphFormatError(
            f"{path}: it does not hold the numbers of nodes and edges that its first line promises; get a whole copy, "
            "or delete the first line if the file was changed on purpose"
        )
    declared, named = (header.remark.declared, not header.remark.by_position) if header else (False, True)
    weights = None if column is None else read_weights(data, layout, column, path)
    return Content(u, v, n_nodes, labels, declared, place, notes, named, weights)


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:
    """Write a graph as an edge list; labels with blanks or separators in them are quoted."""
    import polars as pl

    text = is_text(graph.labels)
    labels = label_list(graph.labels, graph.n_nodes)
    if text and any(map(_UNWRITABLE.search, labels)):
        raise ParameterError(
            "an edge list cannot keep a label that is empty, begins or ends with a blank or holds a control character; "
            "write .npz or .parquet instead"
        )
    names = pl.Series(labels, dtype=pl.String if text else pl.Int64)
    separator = {".csv": ",", ".tsv": "\t"}.get(kind.suffix, BLANKS)
    stream.writelines(f"{line}\n".encode() for line in header_lines(graph, separator))
    edges = pl.DataFrame({end: names.gather(nodes) for end, nodes in zip("uv", graph.edges().T, strict=True)})
    looks_like_comment = text and names.str.contains("^[#%]").any()
    for lines in edges.iter_slices(_LINES_AT_ONCE):
        written = lines.write_csv(
            include_header=False, separator=separator, quote_style="always" if looks_like_comment else "necessary"
        )
        stream.write(written.encode())


def parse_table(data: bytes, layout: Layout) -> Ends | None:
    """The two ends of every edge as polars reads them; None if some line is not plain."""
    import polars as pl

    text = data[_offset_of_line(data, layout.skip) :]
    quoted, blanks = b'"' in text, layout.separator == BLANKS
    if quoted and blanks:
        return None
    integers = layout.integers and not quoted and _has_plain_numbers(text, layout.separator)
    # in two columns of integers a second blank is no integer, so that most files need not be searched for one
    if integers and blanks and _width(text, BLANKS) == 2 and (ends := _read_ends(text, layout, pl.Int64)):
        return ends
    text = _squeeze(text) if blanks else text
    return (_read_ends(text, layout, pl.Int64) if integers else None) or _read_ends(text, layout, pl.String)


def parse_lines(data: bytes, layout: Layout, path: Path) -> Ends:
    """The two ends of every edge, line by line; the first line that is wrong is named."""
    import polars as pl

    separator = _SPOKEN.get(layout.separator, repr(layout.separator))
    sources, targets, width = [], [], 0
    for number, line in lines_of(data, layout.skip):
        try:
            fields = split(line.decode(), layout.separator)
        except UnicodeDecodeError:
            fault = "not UTF-8; save the file as UTF-8 text"
        except csv.Error:
            fault = "a quotation mark is not closed"
        else:
            source, target = layout.ends(fields)
            fault = "" if source and target else _missing(fields, layout, separator)
            width = width or len(fields)
            if not fault and len(fields) != width:
                fault = f"{width} columns are expected, as on the first edge; ids with blanks need quotes"
        if fault:
            raise GraphFormatError(f"{path}, line {number}: {fault}")
        sources.append(source)
        targets.append(target)
    return pl.Series(sources, dtype=pl.String), pl.Series(targets, dtype=pl.String)


def _missing(fields: list[str], layout: Layout, separator: str) -> str:
    empty = next((place + 1 for place in layout.columns if place < len(fields) and not fields[place]), None)
    if empty is None:
        other = next((name for each, name in _OTHERS.items() if each != layout.separator and each in fields[0]), None)
        found = f"; the line has a {other}: if that separates them, give sep= (--sep)" if other else ""
        return f"an edge needs two ids, separated by {separator}{found}"
    return f"column {empty} is empty, and an edge needs two ids; fill it in or delete the line"


def _text(path: Path, data: bytes) -> tuple[bytes, tuple[str, ...]]:
    if data[:14].lower() == b"%%matrixmarket":
        raise GraphFormatError(
            f"{path}, line 1: a MatrixMarket file, whose first numbers are a size and not an edge; call it .mtx or say "
            'so (format="mtx", --format mtx)'
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise GraphFormatError(f"{path}: is UTF-16 text; save it as UTF-8")
    if (zero := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, zero) + 1
        raise GraphFormatError(f"{path}, line {line}: a zero byte; this is not a text file")
    notes: tuple[str, ...] = ()
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if b"\r" in data:
        data = data.replace(b"\r", b"\n")
        notes += ("lines that end in a bare carriage return were read as lines",)
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:], (*notes, "a byte order mark was skipped")
    return data, notes


def _offset_of_line(data: bytes, skip: int) -> int:
    """Where the first line after `skip` lines begins."""
    begin = 0
    for _ in range(skip):
        begin = data.find(b"\n", begin) + 1 or len(data)
    return begin


def _width(text: bytes, separator: str) -> int:
    """How many columns the first line has."""
    end = text.find(b"\n")
    return text.count(separator.encode(), 0, len(text) if end < 0 else end) + 1


def _squeeze(text: bytes) -> bytes:
    """The same lines with one space in place of every run of blanks, and none at the ends of lines."""
    text = text.replace(b"\t", b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")


def _has_plain_numbers(text: bytes, separator: str) -> bool:
    """Whether no field begins with a sign, or with a zero before another digit: then a number tells how it was written.

    All columns are looked at, so that one which is no end of edges may say no in vain; this costs time only.
    """
    if re.match(rb"[+-]|0[0-9]", text):
        return False
    every, signs = np.frombuffer(text, dtype=np.uint8), b"+" in text or b"-" in text
    for begin in range(0, len(text), _BYTES_AT_ONCE):
        block = every[begin : begin + _BYTES_AT_ONCE + 2]
        before, first, second = block[:-2], block[1:-1], block[2:]
        begins = (before == ord("\n")) | (before == ord(separator))
        zero = np.flatnonzero(begins & (first == ord("0")))
        if ((second[zero] >= ord("0")) & (second[zero] <= ord("9"))).any():
            return False
        if signs and (begins & ((first == ord("+")) | (first == ord("-")))).any():
            return False
    return True


def _read_ends(text: bytes, layout: Layout, kind: type[pl.Int64 | pl.String]) -> Ends | None:
    """The two ends of every line if they are of this kind; None if polars refuses or might misunderstand a line.

    Besides the ends, the first column is read, since a comment begins there, and the last, which a line that is too
    short lacks; with quotation marks all columns are, since a separator within quotes would shift the others.
    """
    import polars as pl

    width, quoted = _width(text, layout.separator), b'"' in text
    if width <= max(layout.columns):
        return None
    schema = {f"column_{i + 1}": kind if i in layout.columns else pl.String for i in range(width)}
    needed = range(width) if quoted else sorted({0, *layout.columns, width - 1})
    try:
        table = pl.read_csv(
            text,
            has_header=False,
            separator=layout.separator,
            quote_char=None,
            schema=schema,
            columns=[f"column_{i + 1}" for i in needed],
        )
    except pl.exceptions.PolarsError:
        return None
    if any(column.null_count() for column in table):  # a blank line, an empty field or a line that is too short
        return None
    if any(mark.encode() in text for mark in ' \t"' if mark != layout.separator):
        table = table.with_columns(pl.col(pl.String).str.strip_chars(" \t"))
    if quoted:
        if not table.select(pl.all_horizontal(pl.all().str.contains('^(?:[^"]*|"[^"]*")$').all())).item():
            return None
        table = table.with_columns(pl.all().str.strip_chars(' \t"'))
    first, *ends = (table[f"column_{i + 1}"] for i in (0, *layout.columns))
    if first.dtype == pl.String and (first.str.starts_with("#") | first.str.starts_with("%")).any():
        return None
    if any(column.dtype == pl.String and column.min() < "!" for column in (first, *ends)):  # type: ignore[operator]
        return None  # an empty name, or a control character that may be a blank
    return ends[0], ends[1]
