"""Exact statistics and projections beside igraph and networkx: `python -m benchmarks exact_statistics`.

Milliseconds, the best of a few runs after one that compiles; "x faster" is the other's time over ours. Everything runs
on one thread but the rows that say otherwise. networkx is only asked on ego-Facebook, and so is whatever takes O(n m).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphveil.graph.assortativity import exact_assortativity
from graphveil.graph.betweenness import exact_edge_betweenness, sampled_edge_betweenness
from graphveil.graph.clustering import exact_average_clustering
from graphveil.graph.components import exact_components
from graphveil.graph.core import Graph
from graphveil.graph.cores import exact_core_numbers
from graphveil.graph.datasets import load_dataset
from graphveil.graph.degree_table import exact_joint_degrees
from graphveil.graph.degree_triples import exact_3k
from graphveil.graph.distances import exact_distances
from graphveil.graph.generate_degrees import configuration
from graphveil.graph.generate_joint_degree import joint_degree_graph
from graphveil.graph.order import edge_order
from graphveil.graph.project import project_bounded_degree
from graphveil.graph.triangles import exact_triangles_per_node

DATA = os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[2] / "shared" / "data"
Task = Callable[[], Any]


def main() -> None:
    for name in ("ego-Facebook", "ego-Twitter"):
        graph = load_dataset(name, folder=DATA)
        print(f"{name}: {graph.n_nodes:,} people, {graph.n_edges:,} edges")
        print(f"{'':28}{'ours':>10}{'igraph':>10}{'x faster':>10}{'networkx':>10}{'x faster':>10}")
        small = name == "ego-Facebook"
        for label, ours, igraph, networkx in [*fast(graph), *(slow(graph) if small else [])]:
            row(label, ours, igraph, networkx if small else None)


def fast(graph: Graph) -> list[tuple[str, Task, Task | None, Task | None]]:
    import networkx as nx

    ig, other = both(graph)
    return [
        (
            "triangles per node",
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
        ("joint degrees (2K)", lambda: exact_joint_degrees(graph), None, lambda: nx.degree_mixing_dict(other)),
        ("public order of edges", lambda: edge_order(graph, graph.edges()), None, None),
        ("projection to degree 50", lambda: project_bounded_degree(graph, 50), None, None),
        ("betweenness, 10 sources", lambda: sampled_edge_betweenness(graph, 10, seed=0, threads=1), None, None),
        ("configuration model", lambda: configuration(graph.degrees, seed=0), None, None),
        ("2K graph", lambda: joint_degree_graph(exact_joint_degrees(graph), seed=0), None, None),
    ]


def slow(graph: Graph) -> list[tuple[str, Task, Task | None, Task | None]]:
    ig, _ = both(graph)
    return [
        ("3K", lambda: exact_3k(graph), None, None),
        ("all distances", lambda: exact_distances(graph, threads=1), lambda: ig.path_length_hist(), None),
        ("edge betweenness", lambda: exact_edge_betweenness(graph, threads=1), ig.edge_betweenness, None),
        ("edge betweenness, all cores", lambda: exact_edge_betweenness(graph), ig.edge_betweenness, None),
    ]


def both(graph: Graph) -> tuple[Any, Any]:
    import igraph
    import networkx as nx

    edges = graph.edges()
    other = nx.empty_graph(graph.n_nodes)
    other.add_edges_from(edges.tolist())
    return igraph.Graph(n=graph.n_nodes, edges=edges), other


def row(label: str, *tasks: Task | None) -> None:
    ours, *others = (None if task is None else best(task) for task in tasks)
    cells = "".join(
        f"{'':>20}" if theirs is None or ours is None else f"{theirs:>10,.1f}{theirs / ours:>10.1f}"
        for theirs in others
    )
    print(f"  {label:26}{ours:>10,.1f}{cells}".rstrip())


def best(task: Task) -> float:
    """The shortest of up to five runs within about two seconds, in milliseconds."""
    task()
    times: list[float] = []
    while len(times) < 5 and sum(times) < 2_000:
        start = time.perf_counter()
        task()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


if __name__ == "__main__":
    main()
