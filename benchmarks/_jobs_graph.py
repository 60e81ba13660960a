"""Work on graphs: reading, exact statistics, generators."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import networkx as nx
from benchmarks._timing import Job, Task

from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.generate.degrees import configuration
from graphveil.graph.generate.joint_degrees import joint_degree_graph
from graphveil.graph.statistics.betweenness import exact_edge_betweenness
from graphveil.graph.statistics.clustering import exact_average_clustering
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_core_numbers
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.graph.statistics.degrees import exact_assortativity
from graphveil.graph.statistics.distances import exact_distances
from graphveil.graph.statistics.triangles import exact_triangles_per_node


def reading(name: str, packed: Path, folder: Path) -> Job:
    """A plain edge list, without the comments that igraph cannot read."""
    import igraph

    lines = gzip.decompress(packed.read_bytes()).splitlines(keepends=True)
    file = folder / f"{name}.txt"
    file.write_bytes(b"".join(line for line in lines if not line.startswith(b"#")))
    others: dict[str, Task] = {
        "igraph": lambda: igraph.Graph.Read_Ncol(str(file), directed=False).simplify(),
        "networkx": lambda: nx.read_edgelist(file, nodetype=int),
    }
    if find_spec("pandas"):
        others["pandas + networkx"] = lambda: _with_pandas(file)
    return Job("read an edge list", name, lambda: read_graph(file), others)


def _with_pandas(file: Path) -> Any:
    import pandas as pd

    table = pd.read_csv(file, sep=" ", header=None, names=["source", "target"])
    return nx.from_pandas_edgelist(table)


def statistics(name: str, graph: Graph, *, with_networkx: bool) -> Iterator[Job]:
    """Exact statistics; networkx is asked where it can answer in a minute."""
    import igraph

    edges = graph.edges()
    ig, other = igraph.Graph(n=graph.n_nodes, edges=edges), nx.empty_graph(graph.n_nodes)
    other.add_edges_from(edges.tolist())
    rows: list[tuple[str, Task, Task | None, Task]] = [
        (
            "triangles of every person",
            lambda: exact_triangles_per_node(graph),
            lambda: ig.transitivity_local_undirected(),
            lambda: nx.triangles(other),
        ),
        (
            "average clustering",
            lambda: exact_average_clustering(graph),
            lambda: ig.transitivity_avglocal_undirected(mode="zero"),
            lambda: nx.average_clustering(other),
        ),
        ("core numbers", lambda: exact_core_numbers(graph), ig.coreness, lambda: nx.core_number(other)),
        (
            "components",
            lambda: exact_components(graph),
            ig.connected_components,
            lambda: list(nx.connected_components(other)),
        ),
        (
            "assortativity",
            lambda: exact_assortativity(graph),
            lambda: ig.assortativity_degree(directed=False),
            lambda: nx.degree_assortativity_coefficient(other),
        ),
        ("joint degrees", lambda: exact_joint_degrees(graph), None, lambda: nx.degree_mixing_dict(other)),
    ]
    for job, ours, theirs, slow in rows:
        others: dict[str, Task] = {} if theirs is None else {"igraph": theirs}
        if with_networkx or job == "triangles of every person":
            others["networkx"] = slow
        if others:
            yield Job(job, name, ours, others)


def shortest_paths(name: str, graph: Graph) -> Iterator[Job]:
    """What takes O(n m), on all cores."""
    import igraph

    ig = igraph.Graph(n=graph.n_nodes, edges=graph.edges())
    yield Job("edge betweenness", name, lambda: exact_edge_betweenness(graph), {"igraph": ig.edge_betweenness})
    yield Job("all distances", name, lambda: exact_distances(graph), {"igraph": ig.path_length_hist})


def generators(name: str, graph: Graph) -> Iterator[Job]:
    """Graphs with given degrees, and with given joint degrees."""
    joint = exact_joint_degrees(graph)
    degrees = graph.degrees.tolist()
    table = nx.degree_mixing_dict(nx.from_edgelist(graph.edges().tolist()))
    yield Job(
        "graph with given degrees",
        name,
        lambda: configuration(graph.degrees, seed=0),
        {"networkx, with loops": lambda: nx.configuration_model(degrees, seed=0)},
    )
    yield Job(
        "graph with given joint degrees",
        name,
        lambda: joint_degree_graph(joint, seed=0),
        {"networkx": lambda: nx.joint_degree_graph(table, seed=0)},
    )
