"""What a file's name says about its format."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Literal, Protocol, cast

from graphveil.errors import GraphFormatError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content

Compression = Literal["gzip", "zstd"]
COMPRESSIONS: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
EDGE_LIST_SUFFIXES = (".txt", ".csv", ".tsv", ".edges", ".el")
TEXT_SUFFIXES = (*EDGE_LIST_SUFFIXES, ".graphml", ".gml", ".mtx")
BINARY_SUFFIXES = (".npz", ".parquet")  # compressed inside, where it pays


class Format(Protocol):
    """What the module of a format offers."""

    def read(self, path: Path, kind: FileKind) -> Content:
        """Return the people and the pairs that a file names, before loops and repeats are dropped."""

    def write(self, graph: Graph, stream: IO[bytes], kind: FileKind) -> None:
        """Write a graph so that `read` gives the same one back."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """Format of a file: its suffix without the compression's, the compression, and what the caller knows of it."""

    suffix: str
    compression: Compression | None = None
    header: bool | None = None  # of an edge list: whether its first line is one; None: if its names say so
    people: Collection[str] | None = None  # everybody, where they are listed: two of them are no header
    columns: tuple[str, str] | None = None  # of a table: those with the ends of edges, by name or counted from 1
    separator: str | None = None  # of an edge list
    weighted: str | None = None  # of an edge list: its column of weights, by name or counted from 1

    @property
    def format(self) -> Format:
        """The module that reads and writes such files."""
        name = "edge_list" if self.suffix in EDGE_LIST_SUFFIXES else self.suffix.removeprefix(".")
        return cast("Format", import_module(f"graphveil.graph.files.{name}"))


def kind_of(path: Path) -> FileKind:
    """Format of a graph file.

    >>> kind_of(Path("friends.csv.gz"))
    FileKind(suffix='.csv', compression='gzip', header=None, people=None, columns=None, separator=None, weighted=None)
    """
    suffix, compression = split_compression(path)
    if suffix in TEXT_SUFFIXES or (suffix in BINARY_SUFFIXES and compression is None):
        return FileKind(suffix, compression)
    raise GraphFormatError(
        f"{path}: the name does not end in a known format; use {', '.join(TEXT_SUFFIXES)} (also with .gz or .zst), "
        f"{' or '.join(BINARY_SUFFIXES)}, or say which it is (format=, --format)"
    )


def kind_named(name: str, path: Path) -> FileKind:
    """Format of a file that the caller names, such as csv; the file's own name tells how it is compressed."""
    suffix = f".{name.lower().removeprefix('.')}"
    known = (*TEXT_SUFFIXES, *BINARY_SUFFIXES)
    if suffix not in known:
        raise unknown_name("format", name, [each.removeprefix(".") for each in known])
    return FileKind(suffix, split_compression(path)[1])


def split_compression(path: Path) -> tuple[str, Compression | None]:
    """Last suffix before the compression's own, and the compression."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    if compression is not None:
        suffixes.pop()
    return (suffixes[-1] if suffixes else ""), compression
