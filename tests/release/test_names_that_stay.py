"""When one person leaves, nobody else's name may change: for every file format and every way into Python.

Projections under node privacy take edges in an order made from names. Whatever knows people by position must be refused
there, with nothing spent; whatever is answered must keep the order of everybody else's edges, and with it the bound on
what one person changes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import polars as pl
import pytest
import scipy.sparse

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.interop import from_igraph, from_networkx, from_scipy
from graphveil.graph.order import edge_order
from graphveil.graph.project import project_bounded_degree
from graphveil.graph.subgraph import induced_subgraph
from graphveil.registry import Job, Row, rows
from graphveil.release.session import Session

Name = int | str
Route = Callable[[list[Name], list[tuple[Name, Name]], Path], Graph]
BOUND = 2


def numbered(names: list[Name], pairs: list[tuple[Name, Name]]) -> np.ndarray:
    place = {name: i for i, name in enumerate(names)}
    return np.array([(place[u], place[v]) for u, v in pairs], dtype=np.int64).reshape(-1, 2)


def in_igraph(names: list[Name], pairs: list[tuple[Name, Name]], *, named: bool) -> igraph.Graph:
    graph = igraph.Graph(n=len(names), edges=numbered(names, pairs).tolist())
    if named:
        graph.vs["name"] = [str(name) for name in names]
    return graph


def in_networkx(names: list[Name], pairs: list[tuple[Name, Name]]) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(pairs)
    return graph


def in_scipy(names: list[Name], pairs: list[tuple[Name, Name]]) -> scipy.sparse.coo_array:
    u, v = numbered(names, pairs).T
    return scipy.sparse.coo_array((np.ones(len(u)), (u, v)), shape=(len(names), len(names)))


def ours(suffix: str, *, named: bool = True) -> Route:
    def route(names: list[Name], pairs: list[tuple[Name, Name]], folder: Path) -> Graph:
        labels = np.array(names) if named else None
        write_graph(Graph.from_edges(numbered(names, pairs), n_nodes=len(names), labels=labels), folder / f"g{suffix}")
        return read_graph(folder / f"g{suffix}")

    return route


def lines(names: list[Name], pairs: list[tuple[Name, Name]], folder: Path) -> Graph:
    (folder / "g.csv").write_text("".join(f"{u},{v}\n" for u, v in pairs))
    return read_graph(folder / "g.csv", people=names)


def parquet(names: list[Name], pairs: list[tuple[Name, Name]], folder: Path) -> Graph:
    pl.DataFrame({"source": [u for u, _ in pairs], "target": [v for _, v in pairs]}).write_parquet(folder / "g.parquet")
    return read_graph(folder / "g.parquet", people=names)


def written(write: Callable[[nx.Graph, Path], None], suffix: str) -> Route:
    def route(names: list[Name], pairs: list[tuple[Name, Name]], folder: Path) -> Graph:
        write(in_networkx(names, pairs), folder / f"g{suffix}")
        return read_graph(folder / f"g{suffix}", people=names)

    return route


def by_igraph(suffix: str, *, named: bool) -> Route:
    def route(names: list[Name], pairs: list[tuple[Name, Name]], folder: Path) -> Graph:
        in_igraph(names, pairs, named=named).save(str(folder / f"g{suffix}"))
        return read_graph(folder / f"g{suffix}", people=names if named else None)

    return route


def by_scipy(names: list[Name], pairs: list[tuple[Name, Name]], folder: Path) -> Graph:
    scipy.sparse.save_npz(folder / "g.npz", in_scipy(names, pairs))
    return read_graph(folder / "g.npz")


SUFFIXES = (".txt", ".csv.gz", ".tsv", ".graphml", ".gml", ".npz", ".parquet")
NAMED: dict[str, Route] = {
    **{f"our {suffix}": ours(suffix) for suffix in SUFFIXES},
    "lines": lines,
    "parquet": parquet,
    "networkx .graphml": written(nx.write_graphml, ".graphml"),
    "networkx .gml": written(nx.write_gml, ".gml"),
    "igraph .graphml": by_igraph(".graphml", named=True),
    "igraph .gml": by_igraph(".gml", named=True),
    "from_edges": lambda n, p, _: Graph.from_edges(numbered(n, p), n_nodes=len(n), labels=np.array(n)),
    "from_networkx": lambda n, p, _: from_networkx(in_networkx(n, p), roster_declared=True),
    "from_igraph": lambda n, p, _: from_igraph(in_igraph(n, p, named=True), roster_declared=True),
    "from_scipy": lambda n, p, _: from_scipy(in_scipy(n, p), labels=n, roster_declared=True),
}
BY_POSITION: dict[str, Route] = {
    **{f"our {suffix}": ours(suffix, named=False) for suffix in SUFFIXES},
    "scipy .npz": by_scipy,
    "igraph .graphml": by_igraph(".graphml", named=False),
    "igraph .gml": by_igraph(".gml", named=False),
    "from_edges": lambda n, p, _: Graph.from_edges(numbered(n, p), n_nodes=len(n)),
    "from_igraph": lambda n, p, _: from_igraph(in_igraph(n, p, named=False), roster_declared=True),
    "from_scipy": lambda n, p, _: from_scipy(in_scipy(n, p), roster_declared=True),
    "part of one": lambda n, p, _: induced_subgraph(
        Graph.from_edges(numbered(n, p), n_nodes=len(n)), np.ones(len(n), dtype=bool)
    ),
}


def random_pairs(names: list[Name], seed: int) -> list[tuple[Name, Name]]:
    rng = np.random.default_rng(seed)
    return [(u, v) for i, u in enumerate(names) for v in names[:i] if rng.random() < 4 / len(names)]


def names_in_order(graph: Graph) -> list[frozenset[str]]:
    edges = graph.edges()
    return [frozenset(str(graph.label_of(end)) for end in edges[e].tolist()) for e in edge_order(graph, edges)]


def without(gone: Name, names: list[Name], pairs: list[tuple[Name, Name]]) -> tuple[list[Name], list]:
    return [name for name in names if name != gone], [pair for pair in pairs if gone not in pair]


@pytest.mark.parametrize(
    "names", [list(range(14)), [f"p{i}" for i in range(12)] + ["7", "n0"]], ids=["numbers", "text"]
)
@pytest.mark.parametrize("route", NAMED)
def test_nobody_else_moves_when_one_person_leaves(route: str, names: list[Name], tmp_path: Path) -> None:
    pairs = random_pairs(names, 1)
    whole = NAMED[route](names, pairs, tmp_path)
    before, kept = names_in_order(whole), project_bounded_degree(whole, BOUND).n_edges
    Session(whole, unit="node", budget=1)
    for gone in names:
        rest = NAMED[route](*without(gone, names, pairs), tmp_path)
        assert names_in_order(rest) == [edge for edge in before if str(gone) not in edge]
        assert 0 <= kept - project_bounded_degree(rest, BOUND).n_edges <= BOUND


@pytest.mark.parametrize("route", BY_POSITION)
def test_people_known_by_position_are_refused_under_node_privacy(route: str, tmp_path: Path) -> None:
    names: list[Name] = ["zoe", "ann", "mia", "bob"]
    graph = BY_POSITION[route](names, random_pairs(names, 2), tmp_path)
    with pytest.raises(ParameterError, match="names that stay with people"):
        Session(graph, unit="node", budget=1, ledger=tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()
    assert not graph.named
    Session(graph, unit="edge", budget=1)


def test_positions_would_break_the_bound() -> None:
    """The check above can fail: where people are known by position, one who leaves changes more than the bound."""
    names: list[Name] = list(range(120))
    pairs = random_pairs(names, 3)
    by_position = BY_POSITION["from_edges"]
    kept = project_bounded_degree(by_position(names, pairs, Path()), BOUND).n_edges
    changes = [
        abs(kept - project_bounded_degree(by_position(*without(gone, names, pairs), Path()), BOUND).n_edges)
        for gone in names
    ]
    assert max(changes) > BOUND


def test_the_guarantee_says_that_names_stay() -> None:
    graph = Graph.from_edges([(0, 1), (1, 2)], n_nodes=3, labels=np.array(["ann", "bob", "cem"]))
    release = Session(graph, unit="node", budget=9).nodes(epsilon=9)
    assert "people keep their names: nobody's joining or leaving renames anybody else" in release.guarantee.assumes


@pytest.mark.parametrize("row", [row for row in rows(Job.RELEASE) if row.unit == "node" and not row.package], ids=str)
def test_nobody_and_one_person_get_an_answer_alike(row: Row) -> None:
    """Whether the last person is there is private under node privacy, and a refusal would tell."""
    answered = []
    for names in ([], ["ann"]):
        graph = Graph.from_edges([], n_nodes=len(names), labels=np.array(names, dtype=np.dtypes.StringDType()))
        session = Session(graph, unit="node", budget=9)
        try:
            session.release(row.query, epsilon=5, method=row.name, accept_noise=True)
        except ParameterError as refusal:
            answered.append(str(refusal))
        else:
            answered.append("answered")
    assert answered[0] == answered[1]
