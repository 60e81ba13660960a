"""Edge lists: lines of text with one edge each, such as `12 57`, `ann,bob` or `7<tab>9<tab>0.5`.

If every id in the file is an integer, labels are integers (so 007 is 7) and a negative one, or one of 2^63 or more, is
refused; otherwise all ids are text, also those that look like numbers. Columns after the ids are passed over, but all
lines must have as many.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.layout import guess_layout
from graphveil.graph.files.lines import BLANKS, lines_of
from graphveil.graph.files.numbering import number_people
from graphveil.graph.files.own_head import head_lines, read_head
from graphveil.graph.files.parse import ENDS, parse_edges
from graphveil.graph.files.streams import read_bytes
from graphveil.graph.labels import is_text, label_list

if TYPE_CHECKING:
    import polars as pl

_UNWRITABLE = re.compile(r"^$|^ | $|[\x00-\x1f\x7f]")
_LINES_AT_ONCE = 1_000_000


def read(path: Path, kind: FileKind) -> Content:
    """Everything an edge list says."""
    data, notes = _text(path, read_bytes(path, kind.compression, may_be_empty=True))  # as good as a blank line
    head = read_head(data)
    layout = head.layout if head else guess_layout(data, kind.suffix)
    if layout.header:
        notes += ("the first line was taken as a header",)

    def place(row: int) -> str:
        number, _ = next(islice(lines_of(data, layout.skip), row, None), (0, b""))
        return f"{path}, line {number}"

    edges = parse_edges(data, layout, path)
    alone = _column(head.alone) if head and head.alone else None
    keep_text = bool(head and head.stamp.text)
    u, v, n_nodes, labels = number_people(edges, alone, place, keep_text=keep_text)
    if head and (len(u), n_nodes) != (head.n_edges, head.n_nodes):
        raise GraphFormatError(
            f"{path}: it does not hold the numbers of nodes and edges that its first line promises; get a whole copy, "
            "or delete the first line if the file was changed on purpose"
        )
    return Content(u, v, n_nodes, labels, bool(head and head.stamp.declared), place, notes)


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
    stream.writelines(f"{line}\n".encode() for line in head_lines(graph, separator))
    edges = pl.DataFrame({end: names.gather(nodes) for end, nodes in zip(ENDS, graph.edges().T, strict=True)})
    looks_like_comment = text and names.str.contains("^[#%]").any()
    for lines in edges.iter_slices(_LINES_AT_ONCE):
        written = lines.write_csv(
            include_header=False, separator=separator, quote_style="always" if looks_like_comment else "necessary"
        )
        stream.write(written.encode())


def _column(names: list[str]) -> pl.Series:
    import polars as pl

    return pl.Series("alone", names, dtype=pl.String)


def _text(path: Path, data: bytes) -> tuple[bytes, tuple[str, ...]]:
    if data[:14].lower() == b"%%matrixmarket":
        raise GraphFormatError(
            f"{path}, line 1: a MatrixMarket file, whose first numbers are a size and not an edge; read it with "
            "scipy.io.mmread and write the graph as .npz"
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise GraphFormatError(f"{path}: is UTF-16 text; save it as UTF-8")
    if (zero := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, zero) + 1
        raise GraphFormatError(f"{path}, line {line}: a zero byte; this is not a text file")
    notes: tuple[str, ...] = ()
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        notes += ("lines that end in a bare carriage return were read as lines",)
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:], (*notes, "a byte order mark was skipped")
    return data, notes
