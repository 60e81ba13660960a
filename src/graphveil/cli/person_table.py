"""Tables that say something of every person: categories, groups, candidate partitions, attributes; a line a person.

And the options that name such a table, or speak of its columns.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from graphveil.cli.options import split_names
from graphveil.errors import GraphFormatError, ParameterError

if TYPE_CHECKING:
    from graphveil.central.attributes.column import PeopleColumn
    from graphveil.graph.core import Graph

People: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="All people, one name a line, also those without edges. Node privacy needs this."
    ),
]
Attribute: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of --people that says each person's group. --people is then a table with a header, names first.",
    ),
]
AttributeValues: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,…",
        help="The values to count; others count as (none). "
        "Needed under node privacy, where the values that occur are private.",
    ),
]
AttributeIs: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="public|private", help="Whether the attribute is public (edge privacy) or private (node privacy)."
    ),
]
Partitions: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Candidates for best-partition, a line `person,group,group,…` each.")
]


def category_of_everybody(column: PeopleColumn, graph: Graph) -> dict[Any, str]:
    """The one category of each person, by name; who has none is in that of no value."""
    from graphveil.central.attributes.column import NO_VALUE
    from graphveil.graph.labels import label_list

    names = label_list(graph.labels, graph.n_nodes)
    column.check_names(names)
    return {name: column.cells[str(name)] or NO_VALUE for name in names}


def read_groups(path: Path, graph: Graph) -> dict[Any, str]:
    """The group of each person who has one, by name."""
    groups = {name: entries[0] for name, entries in _read(path, graph, 1, "person,group").items()}
    nameless = next((name for name, group in groups.items() if not group), None)
    if nameless is not None:
        raise GraphFormatError(f"{path}: the group of {nameless} has no name; leave out the line of who is in no group")
    return groups


def read_partitions(path: Path, graph: Graph | None = None) -> tuple[tuple[int, ...], ...]:
    """Candidate partitions, a column each: numbers of groups in the graph's order of people, or in the file's own."""
    from graphveil.graph.labels import label_list

    rows = _read(path, graph, None, "person,group,group,… with a column for each candidate")
    if graph is None:
        return tuple(_numbered(column) for column in zip(*rows.values(), strict=True))
    names = label_list(graph.labels, graph.n_nodes)
    if sorted(map(str, rows)) != sorted(map(str, names)):
        raise GraphFormatError(f"{path} must have a line for each person of the graph and for nobody else")
    columns = zip(*(rows[name] for name in names), strict=True)
    return tuple(_numbered(column) for column in columns)


def read_table(path: Path) -> dict[str, list[str]]:
    """The columns of a table by their names; every line has a cell for each. `NA`, as R writes it, is an empty cell."""
    from graphveil.graph.files.formats import split_compression
    from graphveil.graph.files.layout import table_separator
    from graphveil.graph.files.streams import check_readable, read_bytes
    from graphveil.learn.people_table import parse_table

    check_readable(path)
    suffix, compression = split_compression(path)
    try:
        text = read_bytes(path, compression).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GraphFormatError(f"{path}: is no text in UTF-8") from None
    return parse_table(text, str(path), delimiter=table_separator(text, suffix))


def planned_column(path: Path | None, attribute: str | None, values: str | None, unit: str) -> PeopleColumn | None:
    """The attribute to plan for: without a table its values will do."""
    from graphveil.central.attributes.column import PeopleColumn
    from graphveil.privacy.unit import Kind, Unit

    if path is None and values is not None:
        public = Unit.parse(unit).kind is Kind.EDGE
        return PeopleColumn(attribute or "attribute", tuple(split_names(values)), public, {})
    return read_column(path, attribute, values, None, unit)[0]


def read_column(
    path: Path | None, attribute: str | None, values: str | None, declared: str | None, unit: str
) -> tuple[PeopleColumn | None, list[str] | None]:
    """The attribute of people that options name, and all names of its table; None where no attribute is named.

    It is public under edge privacy and private under node privacy; whoever declares it to be otherwise is refused.
    """
    from graphveil.central.attributes.column import PeopleColumn
    from graphveil.privacy.unit import Kind, Unit

    if attribute is None:
        if values is not None or declared is not None:
            raise ParameterError("--attribute-values and --attribute-is need --attribute COLUMN, the one they speak of")
        return None, None
    if path is None:
        raise ParameterError("--attribute needs --people TABLE.csv: a header, the name first, a line for everybody")
    kind = Unit.parse(unit).kind
    if declared not in (None, "public", "private"):
        raise ParameterError(f"--attribute-is must be public or private, not {declared!r}")
    if declared == "private" and kind is Kind.EDGE:
        raise ParameterError(
            "edge privacy protects edges, and takes people's attributes for public; where one is private, ask under "
            "--unit node, which protects it with the person"
        )
    if declared == "public" and kind is Kind.NODE:
        raise ParameterError(
            "under node privacy who is in the data is private, and so is everybody's attribute; leave out "
            "--attribute-is, and name with --attribute-values the values to count"
        )
    table = read_table(path)
    named = None if values is None else split_names(values)
    column = PeopleColumn.from_columns(table, attribute=attribute, public=kind is Kind.EDGE, values=named)
    return column, [name.strip() for name in next(iter(table.values()))]


def _numbered(groups: tuple[str, ...]) -> tuple[int, ...]:
    number = {group: place for place, group in enumerate(sorted(set(groups)))}
    return tuple(number[group] for group in groups)


def _read(path: Path, graph: Graph | None, columns: int | None, form: str) -> dict[Any, tuple[str, ...]]:
    """Entries by name; names are numbers where the graph's are."""
    from graphveil.graph.labels import are_plain_integers

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
