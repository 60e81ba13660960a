"""The dK series: what it says of a graph, tables nobody has, and graphs made to order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.clustering import target_clustering
from graphveil.graph.generate.joint_degrees import joint_degree_graph, people_by_degree
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.generate.realisable import nearest_realisable
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.statistics.dk_series import exact_dk_series, triangle_ends_by_degree
from graphveil.graph.statistics.triangles import exact_triangles

GRAPHS = ("ego-Facebook", "wiki-Vote", "ca-AstroPh", "email-Enron", "ego-Twitter")

edge_lists = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=50)
cells = st.dictionaries(
    st.tuples(st.integers(1, 9), st.integers(1, 9)).map(lambda pair: tuple(sorted(pair))),
    st.floats(-30, 60),
    min_size=1,
    max_size=25,
)


def arrays(table: dict) -> tuple[np.ndarray, np.ndarray]:
    return np.array(list(table), dtype=np.int64), np.array(list(table.values()))


@given(edge_lists, st.integers(0, 10))
def test_any_realisable_table_is_realised_exactly(edges, seed):
    graph = Graph.from_edges(edges, n_nodes=12)
    table = exact_joint_degrees(graph)
    isolated = int((graph.degrees == 0).sum())
    made = joint_degree_graph(table, isolated=isolated, seed=seed)
    assert exact_joint_degrees(made) == table
    assert sorted(made.degrees.tolist()) == sorted(graph.degrees.tolist())
    assert nearest_realisable(table.degrees, table.counts) == table


@given(cells)
def test_a_noisy_table_becomes_one_that_a_graph_has(table):
    near = nearest_realisable(*arrays(table))
    people_by_degree(near)
    assert exact_joint_degrees(joint_degree_graph(near, seed=1)) == near


@given(st.lists(st.integers(50, 60), min_size=21, max_size=21))
def test_where_pairs_suffice_no_more_is_changed_than_ends_are_out_of_balance(counts):
    degrees = np.array([(k, m) for k in range(1, 7) for m in range(k, 7)])
    near = nearest_realisable(degrees, np.array(counts)).to_dict()
    moved = sum(abs(near[tuple(pair)] - count) for pair, count in zip(degrees.tolist(), counts, strict=True))
    ends = np.bincount(np.repeat(degrees, counts, axis=0).ravel(), minlength=7)
    assert moved <= 2 * sum(min(ends[k] % k, -ends[k] % k) for k in range(1, 7))


def test_the_nearest_table_is_found_mostly_and_hardly_missed_otherwise():
    pairs = np.array([(k, m) for k in range(1, 4) for m in range(k, 4)])
    every = np.stack(np.meshgrid(*[np.arange(8)] * 6, indexing="ij"), axis=-1).reshape(-1, 6)
    ends = np.stack([every @ (pairs == degree).sum(axis=1) for degree in (1, 2, 3)], axis=1)
    people = np.concatenate((np.zeros((len(every), 1), dtype=np.int64), ends // (1, 2, 3)), axis=1)
    low, high = people[:, pairs[:, 0]], people[:, pairs[:, 1]]
    room = np.where(pairs[:, 0] == pairs[:, 1], low * (low - 1) // 2, low * high)
    realisable = every[(ends % (1, 2, 3) == 0).all(axis=1) & (every <= room).all(axis=1)]
    rng = np.random.default_rng(1)
    beyond = []
    for _ in range(100):
        counts = rng.integers(0, 6, 6) * (rng.random(6) < 0.7)
        near = nearest_realisable(pairs, counts).to_dict()
        own = sum(abs(near.get(tuple(pair), 0) - count) for pair, count in zip(pairs.tolist(), counts, strict=True))
        beyond.append(own - np.abs(realisable - counts).sum(axis=1).min())
    assert beyond.count(0) >= 97
    assert max(beyond) <= 1


def test_trying_other_numbers_of_people_brings_larger_tables_nearer(monkeypatch):
    table = exact_joint_degrees(power_law_cluster(300, 4, 0.5, seed=1))
    noisy = table.counts + np.random.default_rng(1).laplace(0, 5, len(table))
    wanted = {tuple(pair): max(0, round(count)) for pair, count in zip(table.degrees.tolist(), noisy, strict=True)}

    def distance():
        near = nearest_realisable(table.degrees, noisy).to_dict()
        return sum(abs(near.get(pair, 0) - wanted.get(pair, 0)) for pair in near.keys() | wanted.keys())

    searched = distance()
    monkeypatch.setattr("graphveil.graph.generate.realisable.SEARCHED", 0)
    assert searched < distance()


def test_rounding_alone_is_undone():
    graph = power_law_cluster(300, 4, 0.5, seed=1)
    table = exact_joint_degrees(graph)
    shaken = table.counts + np.random.default_rng(1).uniform(-0.4, 0.4, len(table))
    assert nearest_realisable(table.degrees, shaken) == table


def test_odd_tables():
    assert len(nearest_realisable(np.empty((0, 2), dtype=np.int64), np.empty(0))) == 0
    assert len(nearest_realisable(np.array([[2, 5]]), np.array([-3.0]))) == 0
    with pytest.raises(ParameterError, match="at least 1"):
        nearest_realisable(np.array([[0, 2]]), np.array([1.0]))


def test_the_series_is_consistent():
    graph = power_law_cluster(200, 4, 0.6, seed=1)
    series = exact_dk_series(graph)
    degrees = np.arange(len(series.degrees))
    assert series.degrees @ degrees == 2 * graph.n_edges == 2 * series.joint_degrees.total
    assert series.triangle_ends.sum() == 3 * series.triples.triangles.total
    people = people_by_degree(series.joint_degrees)
    assert all(series.degrees[degree] == count for degree, count in people.items())


def test_clustering_is_targeted_while_joint_degrees_stay():
    graph = power_law_cluster(600, 6, 0.9, seed=1)
    table, wanted = exact_joint_degrees(graph), triangle_ends_by_degree(graph)
    loose = joint_degree_graph(table, seed=2)
    made = target_clustering(loose, wanted, tries=150_000, seed=3)
    assert exact_joint_degrees(made) == table
    off = [np.abs(triangle_ends_by_degree(g) - wanted).sum() / wanted.sum() for g in (loose, made)]
    assert off[1] < 0.5 * off[0]
    emptied = target_clustering(graph, np.zeros_like(wanted), tries=150_000, seed=3)
    assert exact_triangles(emptied) < 0.6 * exact_triangles(graph)


@pytest.mark.needs_data
@pytest.mark.parametrize("name", GRAPHS)
def test_the_joint_degrees_of_real_graphs_are_reproduced_exactly(real_graph, name):
    table = exact_joint_degrees(real_graph(name))
    assert exact_joint_degrees(joint_degree_graph(table, seed=1)) == table
    assert isinstance(table, DegreeTable)
