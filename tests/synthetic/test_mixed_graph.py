"""Drawn graphs whose categories mix as measured: closely, with degrees and triangles kept, and any odd input."""

from fractions import Fraction

import numpy as np
import pytest

import graphveil as gv
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi, power_law_cluster
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.synthetic.attributes import Categories, Mixing, mixing_distance
from graphveil.synthetic.mixed_graph import mixed_graph

SIX = Categories(tuple("abcdef"), np.random.default_rng(1).integers(0, 6, 600))


def homophilous(categories: Categories, n_edges: int) -> Mixing:
    """Seven edges in ten lie within a category, the others anywhere."""
    size = len(categories.names)
    table = np.triu(np.full((size, size), 0.3 * n_edges / (size * (size + 1) / 2)))
    table[np.diag_indices(size)] += 0.7 * n_edges / size
    return Mixing(categories, table.round().astype(np.int64), Fraction(1))


@pytest.mark.parametrize(
    "graph", [erdos_renyi(600, m=2600, seed=1), power_law_cluster(600, 5, 0.7, seed=1)], ids=["random", "clustered"]
)
def test_categories_mix_as_measured_and_degrees_and_triangles_stay(graph):
    mixing = homophilous(SIX, graph.n_edges)
    mixed = mixed_graph(graph, mixing, seed=1)
    assert mixing_distance(mixed, mixing, np.sort(SIX.of)) < 0.25  # the exchange of categories alone leaves 0.5
    assert sorted(mixed.degrees) == sorted(graph.degrees)
    assert exact_joint_degrees(mixed) == exact_joint_degrees(graph)
    assert exact_triangles(mixed) == pytest.approx(exact_triangles(graph), rel=0.01)
    assert mixed == mixed_graph(graph, mixing, seed=1)
    assert mixed != mixed_graph(graph, mixing, seed=2)


@pytest.mark.parametrize(
    "graph",
    [Graph.from_edges([], n_nodes=4), Graph.from_edges([(0, 1), (2, 3)], n_nodes=4), erdos_renyi(4, m=6, seed=1)],
    ids=["no edges", "two edges", "complete"],
)
@pytest.mark.parametrize("of", [[0, 0, 0, 0], [0, 1, 1, 0]])
def test_tiny_graphs_get_categories_too(graph, of):
    categories = Categories(("a", "b"), np.array(of))
    for table in ([[0, 0], [0, 0]], [[1, 0], [0, 1]], [[0, 9], [0, 0]]):
        mixed = mixed_graph(graph, Mixing(categories, np.array(table), Fraction(1)), seed=1)
        assert sorted(mixed.degrees) == sorted(graph.degrees)


def test_a_drawn_graph_says_what_it_misses_and_that_it_is_public():
    graph = power_law_cluster(300, 5, 0.7, seed=1)
    given = {person: "ab"[person % 2] for person in range(300)}
    release = gv.Session(graph, unit="edge", budget=4, noise=SeededNoise(1)).synthesize(epsilon=4, attributes=given)
    drawn = release.sample(1)
    assert release.report(drawn)["mixing_l1"]["reached"] < 0.15
    assert "Synthetic graph" in drawn._repr_html_()
    assert "private" in graph._repr_html_()
    assert any(sentence.startswith("mixing: ") for sentence in release.missed(erdos_renyi(300, m=1, seed=1)))
