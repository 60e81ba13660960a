"""Tables that say something of every person: categories, groups, candidate partitions; a line a person."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphveil.errors import GraphFormatError
from graphveil.graph.labels import are_plain_integers

if TYPE_CHECKING:
    from graphveil.graph.core import Graph


def read_categories(path: Path, graph: Graph) -> dict[Any, str]:
    """The one category of each person, by name."""
    return {name: entries[0] for name, entries in _read(path, graph, 1, "person,category").items()}


def read_groups(path: Path, graph: Graph) -> dict[Any, str]:
    """The group of each person who has one, by name."""
    groups = {name: entries[0] for name, entries in _read(path, graph, 1, "person,group").items()}
    nameless = next((name for name, group in groups.items() if not group), None)
    if nameless is not None:
        raise GraphFormatError(f"{path}: the group of {nameless} has no name; leave out the line of who is in no group")
    return groups


def read_partitions(path: Path, graph: Graph | None = None) -> tuple[tuple[int, ...], ...]:
    """Candidate partitions, a column each: numbers of groups in the graph's order of people, or in the file's own."""
    rows = _read(path, graph, None, "person,group,group,… with a column for each candidate")
    if graph is None:
        return tuple(_numbered(column) for column in zip(*rows.values(), strict=True))
    names = [_plain(graph.label_of(node)) for node in range(graph.n_nodes)]
    if sorted(map(str, rows)) != sorted(map(str, names)):
        raise GraphFormatError(f"{path} must have a line for each person of the graph and for nobody else")
    columns = zip(*(rows[name] for name in names), strict=True)
    return tuple(_numbered(column) for column in columns)


def _numbered(groups: tuple[str, ...]) -> tuple[int, ...]:
    number = {group: place for place, group in enumerate(sorted(set(groups)))}
    return tuple(number[group] for group in groups)


def _read(path: Path, graph: Graph | None, columns: int | None, form: str) -> dict[Any, tuple[str, ...]]:
    """Entries by name; names are numbers where the graph's are."""
    numbered = graph is not None and (graph.labels is None or graph.labels.dtype.kind in "iu")
    found: dict[Any, tuple[str, ...]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for line, row in enumerate(csv.reader(file), 1):
                columns = max(1, len(row) - 1) if columns is None else columns
                if len(row) != columns + 1 or (numbered and not are_plain_integers([row[0].strip()])):
                    raise GraphFormatError(f"{path}, line {line}: a line is `{form}`, persons as in the graph")
                name = int(row[0]) if numbered else row[0].strip()
                if name in found:
                    raise GraphFormatError(f"{path}, line {line}: this person has a line already; one each is allowed")
                found[name] = tuple(entry.strip() for entry in row[1:])
    except (OSError, UnicodeDecodeError) as error:
        raise GraphFormatError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    except csv.Error as error:
        after = f"{path}, after line {len(found)}"
        raise GraphFormatError(f"{after}: {error}; a line is `{form}`, in fields of ordinary length") from None
    if not found:
        raise GraphFormatError(f"{path}: no line in it; a line is `{form}`")
    return found


def _plain(name: Any) -> Any:
    return name.item() if hasattr(name, "item") else name
