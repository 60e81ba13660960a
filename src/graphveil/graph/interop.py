"""Graphs from and to networkx, igraph and scipy. Nodes keep their order and their names.

`roster_declared` states that the nodes are all the people there are, also those without edges, and that who is among
them does not follow from the edges. No library tells, so it is the caller who has to.

>>> import networkx as nx
>>> graph = from_networkx(nx.path_graph(["ann", "bob", "cem"]))
>>> graph, graph.labels.tolist()
(Graph(n_nodes=3, n_edges=2), ['ann', 'bob', 'cem'])
>>> sorted(to_networkx(graph).edges)
[('ann', 'bob'), ('bob', 'cem')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.fold import Kept, fold
from graphveil.graph.files.weights import whole_weights
from graphveil.graph.labels import Labels, label_list, labels_of_objects

NO_DIRECTIONS = "this graph has no directions to keep: give a directed one, or leave out directed=True"


NO_WEIGHTS = "weights of edges were left out; weighted=True keeps them"
Weighted = str | int | None  # the name of an attribute, the place of a column, or True


def from_networkx(
    graph: Any, *, roster_declared: bool = False, directed: bool = False, weighted: Weighted = None
) -> Graph:
    """Fold a networkx graph: self-loops and repeats are dropped, and so are directions and weights unless asked for.

    Nodes are integers or text. An undirected graph has no directions to keep. `weighted` names the attribute of edges
    that holds weights, True means `weight`; weights are rounded down, and those of repeated edges add up.
    """
    if directed and not graph.is_directed():
        raise ParameterError(NO_DIRECTIONS)
    labels = labels_of_objects(list(graph.nodes))
    position = {node: i for i, node in enumerate(graph.nodes)}
    edges = np.array([(position[u], position[v]) for u, v in graph.edges()], dtype=np.int64)
    attribute = _attribute(weighted)
    values = [value for _, _, value in graph.edges(data=attribute or "weight")]
    facts = Facts(roster_declared, named=True, directed=directed, weights=attribute and f"edge attribute {attribute}")
    return _folded(edges, len(position), labels, "networkx graph", facts, values)


def to_networkx(graph: Graph, *, attributes: Mapping[str, Sequence[Any]] | None = None) -> Any:
    """An undirected networkx graph whose nodes are the labels. Each of the `attributes` has a value for every node."""
    other = _import("networkx").Graph()
    names = label_list(graph.labels, graph.n_nodes)
    values = _checked_attributes(graph, attributes)
    other.add_nodes_from((name, {key: values[key][u] for key in values}) for u, name in enumerate(names))
    other.add_edges_from((names[u], names[v]) for u, v in graph.edges().tolist())
    return other


def from_igraph(
    graph: Any, *, roster_declared: bool = False, directed: bool = False, weighted: Weighted = None
) -> Graph:
    """Fold an igraph graph, as for networkx; the vertex attribute `name`, if there is one, gives the labels."""
    if directed and not graph.is_directed():
        raise ParameterError(NO_DIRECTIONS)
    named = "name" in graph.vs.attributes()
    labels: Labels = labels_of_objects(graph.vs["name"]) if named else None
    edges = np.array(graph.get_edgelist(), dtype=np.int64)
    attribute = _attribute(weighted)
    there = (attribute or "weight") in graph.es.attributes()
    values = graph.es[attribute or "weight"] if there else [None] * len(edges)
    facts = Facts(roster_declared, named=named, directed=directed, weights=attribute and f"edge attribute {attribute}")
    return _folded(edges, graph.vcount(), labels, "igraph graph", facts, values)


def to_igraph(graph: Graph, *, attributes: Mapping[str, Sequence[Any]] | None = None) -> Any:
    """An undirected igraph graph with the labels, if there are any, in the vertex attribute `name`."""
    values = _checked_attributes(graph, attributes)
    other = _import("igraph").Graph(n=graph.n_nodes, edges=graph.edges().tolist(), vertex_attrs=values)
    if graph.labels is not None:
        other.vs["name"] = graph.labels.tolist()
    return other


def from_scipy(
    matrix: Any,
    *,
    labels: Sequence[int] | Sequence[str] | None = None,
    roster_declared: bool = False,
    directed: bool = False,
    weighted: bool = False,
) -> Graph:
    """The graph with an edge wherever a square sparse matrix has an entry other than 0, above or below the diagonal.

    With `directed`, the person of the row points at that of the column. With `weighted`, the entries are weights, and
    the matrix must be symmetric. Rows have no names: without `labels` people are known by position, which node privacy
    refuses.
    """
    if matrix.shape[0] != matrix.shape[1]:
        raise ParameterError(f"an adjacency matrix must be square, not {matrix.shape[0]} by {matrix.shape[1]}")
    entries = _once(matrix).tocoo() if weighted else matrix.tocoo()
    present = entries.data != 0
    edges = np.column_stack((entries.row[present], entries.col[present]))
    names = None if labels is None else labels_of_objects(list(labels))
    if names is not None and len(names) != entries.shape[0]:
        raise ParameterError(f"{len(names)} labels were given for {entries.shape[0]} rows")
    where = "its entries" if weighted else None
    facts = Facts(roster_declared, named=labels is not None, directed=directed, weights=where)
    other = bool((entries.data[present] != 1).any())
    values = entries.data[present] if weighted or other else ()
    return _folded(edges, entries.shape[0], names, "scipy matrix", facts, values)


def to_scipy(graph: Graph) -> Any:
    """The adjacency matrix, in compressed sparse rows of 64-bit integers so that its powers count walks."""
    from scipy.sparse import csr_array

    ones = np.ones(len(graph.indices), dtype=np.int64)
    return csr_array((ones, graph.indices, graph.indptr), shape=(graph.n_nodes, graph.n_nodes), copy=True)


def _checked_attributes(graph: Graph, attributes: Mapping[str, Sequence[Any]] | None) -> dict[str, list[Any]]:
    """The values of each attribute as a list, one for every node."""
    values = {name: list(of_nodes) for name, of_nodes in (attributes or {}).items()}
    for name, of_nodes in values.items():
        if len(of_nodes) != graph.n_nodes:
            raise ParameterError(f"attribute {name} has {len(of_nodes)} values for {graph.n_nodes} nodes")
    return values


class Facts(NamedTuple):
    """What no library tells of its graph, and whether directions and weights are kept."""

    declared: bool
    named: bool
    directed: bool
    weights: str | None = None  # where those are that are kept, in words


def _attribute(weighted: Weighted) -> str | None:
    return "weight" if weighted is True else str(weighted) if weighted else None


def _once(matrix: Any) -> Any:
    """The entries of a symmetric matrix on and above its diagonal: the weight of each edge once."""
    from scipy.sparse import triu

    if abs(matrix - matrix.T).sum() != 0:
        raise ParameterError(
            "a matrix of weights must be symmetric; add up both directions first: weighted=True of matrix + matrix.T"
        )
    return triu(matrix)


def _folded(
    pairs: Integers, n_nodes: int, labels: Labels, origin: str, facts: Facts, values: Sequence[Any] | AnyArray
) -> Graph:
    """The graph of these pairs, with the `values` as weights where they are kept."""
    ends, where = pairs.reshape(-1, 2), facts.weights
    left_out = where is None and any(value is not None for value in values)
    weights = None if where is None else whole_weights(values, f"{origin}, {where}")
    content = Content(
        ends[:, 0],
        ends[:, 1],
        n_nodes,
        labels,
        facts.declared,
        lambda row: f"edge {row + 1}",
        named=facts.named,
        notes=(NO_WEIGHTS,) if left_out else (),
        weights=weights,
    )
    return fold(content, origin, may_be_empty=True, kept=Kept(facts.directed, where)).graph


def _import(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise ParameterError(f"{package} is not installed; pip install {package}") from None
