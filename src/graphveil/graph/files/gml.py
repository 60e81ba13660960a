"""GML (graph modelling language): nested lists of keys and values.

A node is named by its `label`, or by its `name` if no node has a label; then each needs one of its own. Ids merely
number the nodes of one file, so people without labels and names are known by position. Direction and all other keys are
passed over. In text, `&quot;`, `&amp;` and `&#233;` stand for characters, as usual in GML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content, Listing
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.remark import NAME, remark_of
from graphveil.graph.files.streams import read_bytes
from graphveil.graph.labels import label_list

# possessive (*+): a comment is read in one way only, so that a hostile file cannot make the match backtrack
_TOKEN = re.compile(
    r'(?:\s|\#[^\n]*+)*+(?:(?P<open>\[)|(?P<close>\])|(?P<text>"[^"]*+")|(?P<word>[^\s\[\]"#]++)|(?P<end>\Z))'
)
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9a-fA-F]{1,6})|(quot|amp|lt|gt|apos));")
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
NAMING = ("label", "name")
_TO_ESCAPE = re.compile(r'[^ -~]|["&]')


class _Entry(NamedTuple):
    """A key with its value, or with None where its list begins, and the line it stands on; no key: a list ends."""

    line: int
    key: str | None
    value: str | None


def read(path: Path, kind: FileKind) -> Content:
    """Everything a GML file says."""
    data = read_bytes(path, kind.compression)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GraphFormatError(f"{path}, line {line}: not UTF-8; save the file as UTF-8 text") from None
    listing = Listing(path)
    nodes = _gather(text, listing)
    key = next((key for key in NAMING if any(key in node for node in nodes)), None)
    return listing.content(None if key is None else [node.get(key) for node in nodes], ids_are_names=False)


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:  # noqa: ARG001 - all formats are called alike
    """Write a graph as GML."""
    names = (_TO_ESCAPE.sub(_escape, str(name)) for name in label_list(graph.labels, graph.n_nodes))
    stream.write(f'graph [\n  {NAME} "{remark_of(graph)}"\n'.encode())
    stream.writelines(f'  node [ id {i} label "{name}" ]\n'.encode() for i, name in enumerate(names))
    stream.writelines(f"  edge [ source {u} target {v} ]\n".encode() for u, v in graph.edges().tolist())
    stream.write(b"]\n")


def _gather(text: str, listing: Listing) -> list[dict[str, str]]:
    """Put nodes and edges into the listing; returns what the file says of each node that may be its name."""
    nodes: list[dict[str, str]] = []
    within: list[str] = []
    seen: dict[str, str] = {}  # keys of the node or edge being read
    graphs = began = 0
    for line, key, value in _entries(text, listing.path):
        if key is None:
            if within == ["graph", "node"]:
                listing.add_node(_required(seen, "node", "id", listing.path, began), began)
                nodes.append({key: seen[key] for key in NAMING if key in seen})
            elif within == ["graph", "edge"]:
                source, target = (_required(seen, "edge", end, listing.path, began) for end in ("source", "target"))
                listing.add_edge(source, target, began)
            within.pop()
        elif value is None:
            within.append(key)
            if len(within) == 2:
                seen, began = {}, line
            graphs += within == ["graph"]
        elif within in (["graph", "node"], ["graph", "edge"]):
            seen[key] = value
        elif within == ["graph"] and key == NAME:
            listing.remark = value
    if graphs != 1:
        raise GraphFormatError(f"{listing.path}: holds {graphs} graphs; a GML file with one is expected")
    return nodes


def _required(seen: dict[str, str], what: str, key: str, path: Path, line: int) -> str:
    if key not in seen:
        raise GraphFormatError(f"{path}, line {line}: this {what} has no {key}")
    return seen[key]


def _entries(text: str, path: Path) -> Iterator[_Entry]:
    key: str | None = None
    depth = position = 0
    line = 1
    for token in iter(_TOKEN.scanner(text).match, None):  # type: ignore[attr-defined]
        kind = token.lastgroup
        line += text.count("\n", position, token.start(kind))
        position = token.start(kind)
        if kind == "end":
            if depth or key:
                raise GraphFormatError(f"{path}, line {line}: the file ends too early")
            return
        if key is None and kind == "word":
            key = token[kind]
        elif key is None and kind == "close" and depth:
            depth -= 1
            yield _Entry(line, None, None)
        elif key is None or kind == "close":
            raise GraphFormatError(f"{path}, line {line}: a {'value' if key else 'key'} is expected here")
        else:
            depth += kind == "open"
            yield _Entry(line, key, None if kind == "open" else _value(token[kind]))
            key = None
    raise GraphFormatError(f"{path}, line {line}: a quotation mark is not closed after this line's last word")


def _value(token: str) -> str:
    return _ENTITY.sub(_unescape, token[1:-1]) if token.startswith('"') else token


def _unescape(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else entity[0]


def _escape(character: re.Match[str]) -> str:
    return {'"': "&quot;", "&": "&amp;"}.get(character[0], f"&#{ord(character[0])};")
