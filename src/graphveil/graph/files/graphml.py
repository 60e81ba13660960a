"""GraphML, read with the standard library's expat and written by hand.

A node is named by its attribute `name`, as igraph writes it, if the file has such an attribute for nodes; then each
needs one of its own. Otherwise it is named by its id, unless ids are n0, n1, n2, … from first to last, which number
nodes by position. Direction and all other attributes are passed over. Document type declarations are refused,
so that no entity can be defined, let alone expanded a billion times. Nested graphs and hyperedges are refused
too: they are no plain graphs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content, Listing
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.remark import NAME, remark_of
from graphveil.graph.files.streams import read_bytes
from graphveil.graph.labels import is_text, label_list

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def read(path: Path, kind: FileKind) -> Content:
    """Everything a GraphML file says."""
    data = read_bytes(path, kind.compression)
    listener = _Listener(Listing(path))
    try:
        listener.parser.Parse(data, True)  # noqa: FBT003 - expat takes no keywords
    except expat.ExpatError as error:
        raise GraphFormatError(f"{path}, line {error.lineno}: {expat.ErrorString(error.code)}") from None
    except GraphFormatError:
        raise
    except (LookupError, ValueError):
        raise GraphFormatError(f"{path}, line 1: the encoding cannot be read; save the file as UTF-8") from None
    if listener.graphs == 0:
        raise GraphFormatError(f"{path}: no <graph> element; this is not GraphML")
    listing = listener.listing
    by_position = all(identity == f"n{place}" for place, identity in enumerate(listing.ids))
    return listing.content(listener.own_names(), ids_are_names=not by_position)


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:  # noqa: ARG001 - all formats are called alike
    """Write a graph as GraphML."""
    names = label_list(graph.labels, graph.n_nodes)
    if is_text(graph.labels) and any(map(_NOT_IN_XML.search, names)):
        raise ParameterError("a label holds a character that XML does not allow; write .npz or .parquet instead")
    quoted = [quoteattr(str(name)) for name in names]
    stream.write(_HEAD.format(name=NAME, remark=remark_of(graph)).encode())
    stream.writelines(f"<node id={name}/>\n".encode() for name in quoted)
    stream.writelines(f"<edge source={quoted[u]} target={quoted[v]}/>\n".encode() for u, v in graph.edges().tolist())
    stream.write(b"</graph>\n</graphml>\n")


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="{name}" for="graph" attr.name="{name}" attr.type="string"/>
<graph edgedefault="undirected">
<data key="{name}">{remark}</data>
"""


class _Listener:
    """Gathers nodes and edges while expat walks through the file."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.graphs = 0
        self.name_key: str | None = None  # under which nodes have their names, if they have
        self.names: list[str | None] | None = None
        self.around = ""  # the node, edge or graph that is being read
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end

    def start(self, element: str, attributes: dict[str, str]) -> None:
        name = element.rpartition(" ")[2]
        try:
            if name == "node":
                self.listing.add_node(attributes["id"], self.parser.CurrentLineNumber)
                if self.names is not None:
                    self.names.append(None)
            elif name == "key":
                self.note_key(attributes)
            elif name == "edge":
                ends = attributes["source"], attributes["target"]
                self.listing.add_edge(*ends, self.parser.CurrentLineNumber)
            elif name == "data" and attributes.get("key") == NAME:
                self.parser.CharacterDataHandler = self.hear_remark
            elif name == "data" and self.around == "node" and self.name_key in attributes.values():
                self.parser.CharacterDataHandler = self.hear_name
        except KeyError as missing:
            raise self.fault(f"<{name}> lacks the attribute {missing}") from None
        self.around = name if name in ("node", "edge", "graph") else self.around
        self.graphs += name == "graph"
        if name == "hyperedge" or self.graphs > 1:
            raise self.fault("only one plain graph can be read, no hyperedges, nested or further graphs")

    def note_key(self, attributes: dict[str, str]) -> None:
        if attributes.get("attr.name") == "name" and attributes.get("for", "all") in ("node", "all"):
            if self.listing.ids:
                raise self.fault("this <key> must stand before all nodes")
            self.name_key, self.names = attributes["id"], []

    def hear_remark(self, text: str) -> None:
        self.listing.remark += text

    def hear_name(self, text: str) -> None:
        assert self.names
        self.names[-1] = (self.names[-1] or "") + text

    def own_names(self) -> list[str | None] | None:
        """The names of the nodes without blanks around them, None for a node without name; None if nodes have none."""
        return None if self.names is None else [name and (name.strip(" \t\n") or None) for name in self.names]

    def end(self, _: str) -> None:
        self.parser.CharacterDataHandler = None

    def refuse_doctype(self, *_: object) -> None:
        raise self.fault("a document type declaration (<!DOCTYPE …>) is not allowed; remove it")

    def fault(self, message: str) -> GraphFormatError:
        return GraphFormatError(f"{self.listing.path}, line {self.parser.CurrentLineNumber}: {message}")
