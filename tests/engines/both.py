"""The same graph read by Spark and in one process, and every statistic compared."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from graphveil.central.edge.average_clustering import heaviest_change
from graphveil.engines.spark import fold
from graphveil.engines.spark.arrow import collect
from graphveil.engines.spark.engine import SparkEngine
from graphveil.engines.spark.graph import SparkGraph
from graphveil.engines.spark.names import read_parquet
from graphveil.engines.spark.pairs import pairs_of
from graphveil.graph.core import Graph
from graphveil.graph.files.fold import ReadReport
from graphveil.graph.files.read import read_with_report
from graphveil.graph.project import project_bounded_degree, project_first_edges
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars, neighbour_degree_sums
from graphveil.graph.statistics.pareto_pairs import neighbour_front, star_front
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.statistics.degrees.degree_classes import DegreeClasses, exact_class_sums
from graphveil.statistics.joint_degrees.soft import count_soft_cells

MASTER = "local[2,4]"  # two cores; a task may fail three times


class Both(NamedTuple):
    table: SparkGraph
    graph: Graph
    reports: tuple[ReadReport, ReadReport]


def read(spark, folder: Path, pairs: Any, *, people=None, edges_per_task=500, injected=None) -> Both:
    """Pairs of integers or of text; `injected` is put between the file and the engine."""
    source, target = (list(column) for column in zip(*pairs, strict=True))
    file = folder / "pairs.parquet"
    pq.write_table(pa.table({"source": source, "target": target}), file)
    listed = None
    if people is not None:
        listed = folder / "people.txt"
        listed.write_text("".join(f"{name}\n" for name in people), encoding="utf-8")
    engine = SparkEngine(spark, edges_per_task=edges_per_task)
    names = read_parquet(spark, str(file))
    if injected is not None:
        names = injected(names)
    table = engine.graph_of(pairs_of(names, "pairs.parquet"), people=listed, origin="pairs.parquet")
    graph = read_with_report(file, people=listed)
    return Both(table.graph, graph.graph, (table.report, graph.report))


def edges_of(table: SparkGraph) -> set[tuple[int, int]]:
    """The edges by number, and the degrees that are kept with them."""
    u, v, du, dv = collect(fold.edges_of(table.table))
    place = dict(zip(table.people.ids.tolist(), table.people.places.tolist(), strict=True))
    pairs = {tuple(sorted((place[a], place[b]))) for a, b in zip(u.tolist(), v.tolist(), strict=True)}
    assert len(pairs) == len(u)
    by_id = dict(zip(table.people.ids.tolist(), table.degrees[table.people.places].tolist(), strict=True))
    assert [by_id[a] for a in u.tolist()] == du.tolist()
    assert [by_id[b] for b in v.tolist()] == dv.tolist()
    return pairs


def assert_same_graph(table: SparkGraph, graph: Graph) -> None:
    assert edges_of(table) == set(map(tuple, graph.edges().tolist()))
    assert table.degrees.tolist() == graph.degrees.tolist()
    assert (table.n_nodes, table.n_edges, table.roster_declared) == (
        graph.n_nodes,
        graph.n_edges,
        graph.roster_declared,
    )
    assert (table.labels is None) == (graph.labels is None)
    if graph.labels is not None:
        assert table.labels.tolist() == graph.labels.tolist()
        assert table.labels.dtype == graph.labels.dtype


def assert_same_statistics(table: SparkGraph, graph: Graph) -> None:
    for statistic in (exact_triangles_per_node, neighbour_degree_sums):
        found = statistic(table)
        assert found.dtype == np.int64
        assert found.tolist() == statistic(graph).tolist()
    assert exact_joint_degrees(table) == exact_joint_degrees(graph)
    assert count_soft_cells(table)[1].tolist() == count_soft_cells(graph)[1].tolist()
    assert [exact_k_stars(table, k) for k in (1, 2, 3)] == [exact_k_stars(graph, k) for k in (1, 2, 3)]
    assert exact_assortativity(table) == exact_assortativity(graph)
    assert exact_components(table).labels.tolist() == exact_components(graph).labels.tolist()
    assert exact_degeneracy(table) == exact_degeneracy(graph)
    classes = DegreeClasses(graph.n_nodes)
    assert exact_class_sums(table, classes)[0].tolist() == exact_class_sums(graph, classes)[0].tolist()
    assert heaviest_change(table) == heaviest_change(graph)
    assert star_front(table) == star_front(graph)
    assert neighbour_front(table) == neighbour_front(graph)


def assert_same_projections(table: SparkGraph, graph: Graph, bound: int, order: int = 0) -> None:
    for project in (project_bounded_degree, project_first_edges):
        assert_same_graph(project(table, bound, order=order), project(graph, bound, order=order))


def die_once(marker: Path) -> None:
    """The first task that comes here dies, as if its machine were lost."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os._exit(1)


def dying_pass(marker: Path):
    """Passes batches on, and dies once after the first."""

    def watched(batches):
        for batch in batches:
            yield batch
            die_once(marker)

    return watched


def dying_call(marker: Path, function):
    """Goes through what a function yields, and dies once when it is done."""

    def watched(*given, **options):
        yield from function(*given, **options)
        die_once(marker)

    return watched
