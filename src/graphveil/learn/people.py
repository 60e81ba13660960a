"""Everybody by name, with the classes that are known and the features: what is public where edges are private."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy

from graphveil.arrays import AnyArray, Bits, Integers
from graphveil.errors import ParameterError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.learn.features import EMPTY, indicators

MOST_CLASSES = 100
WHOLE = re.compile("0|-?[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class LabelledPeople:
    """People in the order of their names, the class of each as a number, -1 where it is to be predicted, and features.

    Two tables with the same contents, in whatever order, are equal: the ledger knows a repeated request by them.

    >>> table = {"person": [1, 2, 3, 4], "year": ["2008", "2009", "2008", ""], "dorm": ["a", "b", "a", "b"]}
    >>> people = LabelledPeople.from_columns(table, label="year")
    >>> people.classes, people.labels.tolist(), people.columns, people.features.toarray().tolist()[3]
    (('2008', '2009'), [0, 1, 0, -1], ('dorm',), [0.0, 1.0])
    """

    names: AnyArray = field(compare=False)
    label: str = field(compare=False)
    classes: tuple[str, ...] = field(compare=False)
    labels: Integers = field(compare=False, repr=False)
    columns: tuple[str, ...] = field(compare=False)
    features: scipy.sparse.csr_array[Any] = field(compare=False, repr=False)  # indicators
    in_set: Bits = field(compare=False, repr=False)  # which features are words of sets
    digest: str = field(init=False, default="")  # of all the contents

    def __post_init__(self) -> None:
        cells = self.features.copy()
        cells.sum_duplicates()
        named = (self.names.tolist(), self.label, self.classes, self.labels.tolist(), self.columns, cells.shape)
        digest = hashlib.sha256(repr(named).encode())
        for part in (cells.indptr, cells.indices):
            digest.update(part.astype("<i8").tobytes())
        digest.update(cells.data.astype("<f8").tobytes())
        digest.update(np.packbits(self.in_set).tobytes())
        object.__setattr__(self, "digest", digest.hexdigest())

    @classmethod
    def from_columns(
        cls, table: Mapping[str, Sequence[Any]] | Any, *, label: str, features: Sequence[str] | None = None
    ) -> LabelledPeople:
        """Read a table of columns, such as a data frame: the first holds the names, an empty label means "predict".

        Without `features` all other columns serve. A cell with several words between blanks is a set of words.
        """
        columns, person, used = used_columns(table, label, features)
        return cls._made(columns[person], columns[label], {name: columns[name] for name in used}, label)

    @classmethod
    def _made(
        cls, names: list[str], labels: list[str], features: Mapping[str, list[str]], label: str
    ) -> LabelledPeople:
        repeated = next((name for name, times in Counter(names).items() if times > 1), None)
        if repeated is not None:
            raise ParameterError(f"person {repeated!r} is listed twice; everybody has one line")
        classes = tuple(sorted(set(labels) - {EMPTY}, key=natural_order))
        if len(classes) < 2:
            found = f"only {classes[0]!r}" if classes else "none"
            raise ParameterError(f"column {label} names {found}: learning needs labels of two classes or more")
        if len(classes) > MOST_CLASSES:
            raise ParameterError(
                f"column {label} names {len(classes):,} classes; {MOST_CLASSES} are allowed: merge the rare ones"
            )
        order = sorted(range(len(names)), key=lambda place: natural_order(names[place]))
        names, labels = [names[place] for place in order], [labels[place] for place in order]
        features = {name: [cells[place] for place in order] for name, cells in sorted(features.items())}
        number = {name: place for place, name in enumerate(classes)} | {EMPTY: -1}
        known = np.array([number[each] for each in labels], dtype=np.int64)
        shown, in_set = indicators(features, len(names))
        return cls(np.array(names), label, classes, known, tuple(features), shown, in_set)

    def without_features(self) -> LabelledPeople:
        """The same people with their labels alone."""
        nothing: Any = scipy.sparse.csr_array((len(self.names), 0))
        return replace(self, columns=(), features=nothing, in_set=np.zeros(0, dtype=np.bool_))

    def __str__(self) -> str:
        return f"{len(self.names)} people, sha256 {self.digest}"

    def to_json(self) -> dict[str, Any]:
        """What a release says of this table: no names, labels or features, but the digest that identifies it."""
        return {
            "people": len(self.names),
            "label": self.label,
            "classes": list(self.classes),
            "features": list(self.columns),
            "sha256": self.digest,
        }

    def places(self, names: Iterable[Any]) -> Integers:
        """Where the people of a graph stand in this table; both must name the same people."""
        return places_in(self.names, names)

    def ordered(self, graph: Graph) -> Graph:
        """The graph with its people in the order of this table; the graph itself where that is its order already."""
        return in_order_of(self.names, graph)


def in_order_of(table: AnyArray, graph: Graph) -> Graph:
    """The graph with its people in the order of the names of a table, which must name the same people."""
    places = places_in(table, label_list(graph.labels, graph.n_nodes))
    if np.array_equal(places, np.arange(graph.n_nodes)):
        return graph
    return Graph.from_edges(places[graph.edges()], n_nodes=graph.n_nodes)


def places_in(table: AnyArray, names: Iterable[Any]) -> Integers:
    """Where people stand in the names of a table; both must name the same people."""
    place = {str(name): number for number, name in enumerate(table.tolist())}
    wanted = [str(name) for name in names]
    missing = next((name for name in wanted if name not in place), None)
    if missing is not None or len(wanted) != len(place):
        what = f"{missing} is not in the table" if missing is not None else "the table names people beyond it"
        raise ParameterError(f"the table must list all people of the graph and nobody else: {what}")
    return np.array([place[name] for name in wanted], dtype=np.int64)


def has_attributes(graph: Any) -> bool:
    """Whether it is a graph of networkx or igraph, whose nodes may have attributes."""
    return (hasattr(graph, "nodes") and hasattr(graph, "adj")) or _is_igraph(graph)


def _is_igraph(graph: Any) -> bool:
    return hasattr(graph, "vs") and hasattr(graph, "vcount")


def as_columns(table: Any) -> Any:
    """A table of people as columns by name: a data frame or mapping as it is, a graph by the attributes of its nodes.

    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_node("ann", team="red")
    >>> as_columns(graph)
    {'person': ['ann'], 'team': ['red']}
    """
    if _is_igraph(table):
        named = {name: table.vs[name] for name in table.vs.attributes()}
        return {"person": named.pop("name", list(range(table.vcount()))), **named}
    if has_attributes(table):
        nodes = dict(table.nodes(data=True))
        found = dict.fromkeys(name for facts in nodes.values() for name in facts)
        return {"person": list(nodes), **{name: [facts.get(name) for facts in nodes.values()] for name in found}}
    if isinstance(table, Mapping) and table and all(isinstance(cells, Mapping) for cells in table.values()):
        raise ParameterError(
            "people must be columns, not attributes by name: give the networkx graph itself, or a data frame"
        )
    lists = isinstance(table, Mapping) and all(
        hasattr(cells, "__len__") and not isinstance(cells, str | bytes) for cells in table.values()
    )
    if lists or hasattr(table, "columns"):
        return table
    raise ParameterError(
        "people must be a data frame, a mapping of columns such as {'person': [...], 'team': [...]}, or a graph "
        f"of networkx or igraph with attributes of nodes, not {type(table).__name__}; read a file first, such "
        "as with pandas.read_csv"
    )


def used_columns(
    table: Mapping[str, Sequence[Any]] | Any, label: str, features: Sequence[str] | None
) -> tuple[dict[str, list[str]], str, list[str]]:
    """All columns of a table as text, which of them has the names, and which ones are features."""
    table = as_columns(table)
    listed = [str(name) for name in getattr(table, "columns", table)]
    columns = {name: [cell_text(value) for value in table[name]] for name in listed}
    if len(listed) < 2:
        raise ParameterError(f"people need a column of names and one of labels, not {len(listed)} columns")
    person, others = listed[0], listed[1:]
    if label not in others:
        raise unknown_name("label column", label, others)
    used = [name for name in others if name != label] if features is None else list(features)
    for name in used:
        if name not in others or name == label:
            raise unknown_name("feature column", name, [each for each in others if each != label])
    if len(set(used)) < len(used):
        raise ParameterError(f"a feature column is named twice: {', '.join(used)}; name each once")
    if len({len(cells) for cells in columns.values()}) > 1:
        raise ParameterError("the columns of people have different lengths; every person needs a cell in each")
    return columns, person, used


def cell_text(value: Any) -> str:
    """A cell as text; what data frames have for a missing value is empty."""
    if value is None or value != value:  # NaN
        return EMPTY
    if isinstance(value, float) and value.is_integer():  # whole numbers of a column with missing values
        return str(int(value))
    return str(value).strip()


def natural_order(text: str) -> tuple[int, int, str]:
    """Whole numbers in their order, then texts in theirs: the order in which graphs have their people."""
    return (0, int(text), text) if WHOLE.fullmatch(text) else (1, 0, text)
