"""Graphs into files: the front door of all formats.

A file appears whole or not at all, and reading it gives back the same graph: its people (also those without edges),
their labels, and whether they were declared. Edge lists and Parquet order people by label; the other formats
keep the order they have.
"""

from __future__ import annotations

import os
from pathlib import Path

from graphveil.graph.core import Graph
from graphveil.graph.files.formats import kind_of
from graphveil.graph.files.streams import compressing, replacing


def write_graph(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file; its format follows from the file's name.

    >>> import tempfile
    >>> from graphveil.graph.files.read import read_graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2)], n_nodes=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_graph(graph, f"{folder}/friends.txt.gz")
    ...     read_graph(f"{folder}/friends.txt.gz") == graph
    True
    """
    path = Path(path)
    kind = kind_of(path)
    with replacing(path) as handle, compressing(handle, kind.compression) as stream:
        kind.format.write(graph, stream, kind)
