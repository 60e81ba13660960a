"""Spark's graph is the graph of one process, whatever the labels, the skew and the tasks that fail."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import both
import numpy as np
import pytest

from graphveil.central.edge.average_clustering import heaviest_change
from graphveil.engines.spark import hubs, pareto_pairs, triangles
from graphveil.engines.spark.engine import SparkEngine
from graphveil.errors import GraphFormatError, UnsupportedByEngine
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.triangles import exact_triangles_per_node

NAMES = ["ann", "bob", "7", "céline", "Ægir", "z9", "東京", "o'neill", "12a", "dora"]


def random_pairs(seed, n_people=120, n_pairs=700, spread=1):
    """Pairs in both directions, some again, some loops, ids far apart; few people have most of the edges."""
    rng = np.random.default_rng(seed)
    ids = np.sort(rng.choice(n_people * spread, n_people, replace=False))
    pairs = ids[np.minimum(rng.zipf(1.6, (n_pairs, 2)) - 1, n_people - 1)]
    return np.concatenate((pairs, pairs[:50, ::-1], pairs[:20])).tolist()


def test_random_graph_with_people_without_edges(in_both):
    pairs = random_pairs(1, spread=10**12)
    everybody = sorted({end for pair in pairs for end in pair} | {3, 17, 10**15})
    table, graph, (report, wanted) = in_both(pairs, people=everybody)
    both.assert_same_graph(table, graph)
    both.assert_same_statistics(table, graph)
    both.assert_same_projections(table, graph, 6, order=5)
    assert report == replace(wanted, file=report.file)


def test_names_are_text(in_both):
    names = [f"{name}{i}" for name in NAMES for i in range(6)]
    pairs = [(names[a], names[b]) for a, b in random_pairs(2, n_people=60, n_pairs=200)]
    table, graph, _ = in_both(pairs)
    both.assert_same_graph(table, graph)
    both.assert_same_projections(table, graph, 3)


def test_a_hub_that_everybody_knows_and_all_edges_in_one_partition(in_both):
    star = [(0, leaf) for leaf in range(1, 1500)] + list(combinations(range(40, 54), 2))
    table, graph, _ = in_both(star, injected=lambda names: replace(names, frame=names.frame.coalesce(1)))
    assert exact_triangles_per_node(table).tolist() == exact_triangles_per_node(graph).tolist()
    assert neighbour_front(table) == neighbour_front(graph)
    both.assert_same_projections(table, graph, 12)


@pytest.mark.parametrize("n_colours", [1, 4])
def test_triangles_do_not_depend_on_the_colours(in_both, n_colours, monkeypatch):
    monkeypatch.setattr("graphveil.engines.spark.engine.colours_for", lambda *_: n_colours)
    table, graph, _ = in_both(power_law_cluster(60, 5, 0.8, seed=3).edges().tolist())
    assert exact_triangles_per_node(table).tolist() == exact_triangles_per_node(graph).tolist()


def test_hubs_may_come_in_many_batches(in_both, monkeypatch):
    for module in (pareto_pairs, hubs):
        monkeypatch.setattr(module, "FIRST_ENTRIES", 1)
        monkeypatch.setattr(module, "MOST_ENTRIES", 40)
    table, graph, _ = in_both(power_law_cluster(40, 3, 0.5, seed=6).edges().tolist())
    assert neighbour_front(table) == neighbour_front(graph)
    assert heaviest_change(table) == heaviest_change(graph)


def test_few_hubs_may_decide(in_both, monkeypatch):
    """Two hubs with everything in common and many people who know one of them: no other pair needs a look."""
    monkeypatch.setattr(pareto_pairs, "FIRST_ENTRIES", 400)
    monkeypatch.setattr(pareto_pairs, "rows_of", None)
    stars = [(hub, leaf) for hub in (0, 1) for leaf in range(2, 100)] + [(2, leaf) for leaf in range(100, 250)]
    table, graph, _ = in_both([*stars, (100, 101), (101, 102)])
    assert neighbour_front(table) == neighbour_front(graph)


def test_tasks_that_die_are_run_again_and_change_nothing(in_both, tmp_path, monkeypatch):
    read, counted = tmp_path / "read", tmp_path / "counted"
    schema = "u bigint, v bigint"

    def injected(names):
        return replace(names, frame=names.frame.repartition(4).mapInArrow(both.dying_pass(read), schema))

    monkeypatch.setattr(triangles, "count_in_task", both.dying_call(counted, triangles.count_in_task))
    table, graph, _ = in_both(random_pairs(4), injected=injected)
    both.assert_same_graph(table, graph)
    assert exact_triangles_per_node(table).tolist() == exact_triangles_per_node(graph).tolist()
    assert read.exists()
    assert counted.exists()


def test_own_files_and_lines_of_text_are_read_alike(spark, tmp_path):
    graph = power_law_cluster(80, 3, 0.5, seed=6)
    for name in ("friends.parquet", "friends.csv.gz"):
        write_graph(graph, tmp_path / name)
        both.assert_same_graph(SparkEngine(spark).read(tmp_path / name).graph, graph)


def test_a_plain_edge_list_with_header_and_comments(spark, tmp_path):
    file = tmp_path / "edges.tsv"
    file.write_text("# from elsewhere\nsource\ttarget\tweight\n7\t3\t0.5\n3\t007\t1\n\n12\t3\t2\n", encoding="utf-8")
    both.assert_same_graph(SparkEngine(spark).read(file).graph, read_graph(file))


@pytest.mark.parametrize(
    ("lines", "message"),
    [("1 2\n3\n", "no plain edge of 2 columns")],
)
def test_what_is_no_edge_is_refused(spark, tmp_path, lines, message):
    file = tmp_path / "edges.txt"
    file.write_text(lines, encoding="utf-8")
    with pytest.raises(GraphFormatError, match=message):
        SparkEngine(spark).read(file)


@pytest.mark.parametrize("line", ["07 2", "-3 4", f"3 {2**63}", "+7 7", "4 4", "x x"])
def test_who_is_who_does_not_depend_on_the_engine(spark, tmp_path, line):
    file = tmp_path / "edges.txt"
    file.write_text(f"7 8\n8 9\n{line}\n", encoding="utf-8")
    both.assert_same_graph(SparkEngine(spark).read(file).graph, read_graph(file))


def test_strange_files_are_refused(spark, tmp_path):
    with pytest.raises(UnsupportedByEngine, match="Spark reads Parquet"):
        SparkEngine(spark).read(tmp_path / "graph.gml")
    with pytest.raises(GraphFormatError, match="cannot read it"):
        SparkEngine(spark).read(tmp_path / "nothing.parquet")
