import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.graph.core import Graph
from graphveil.graph.csr import TINY
from graphveil.graph.digest import graph_digest
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.hidden_rows import HiddenRows

GRAPH = power_law_cluster(60, 3, 0.5, seed=4)


@pytest.mark.parametrize("suffix", ["csv", "txt.gz", "npz", "graphml", "gml", "parquet"])
def test_a_graph_is_known_again_in_every_format(tmp_path, suffix):
    write_graph(GRAPH, tmp_path / f"g.{suffix}")
    assert graph_digest(read_graph(tmp_path / f"g.{suffix}")).edges == graph_digest(GRAPH).edges


@given(st.permutations(range(60)), st.booleans())
def test_the_order_of_people_and_the_type_of_names_do_not_matter(order, text):
    order = np.array(order)
    names = np.argsort(order)
    moved = Graph.from_edges(order[GRAPH.edges()], labels=names.astype(str) if text else names, roster_declared=True)
    assert graph_digest(moved) == graph_digest(GRAPH)


def test_every_change_is_noticed():
    edges = GRAPH.edges()
    one_less = [Graph.from_edges(np.delete(edges, place, axis=0), n_nodes=60) for place in range(len(edges))]
    moved = [Graph.from_edges((edges + shift) % 60, n_nodes=60) for shift in range(1, 60)]
    renamed = Graph.from_edges(edges, labels=np.array(["07", *(f"{n}" for n in range(1, 60))]))
    digests = [graph_digest(graph) for graph in (GRAPH, renamed, *one_less, *moved)]
    assert len({digest.edges for digest in digests}) == len({digest.graph for digest in digests}) == len(digests)


def test_people_without_edges_change_the_graph_and_not_its_edges():
    larger = Graph.from_edges(GRAPH.edges(), n_nodes=61)
    undeclared = Graph.from_edges(GRAPH.edges(), n_nodes=60, roster_declared=False)
    for other in (larger, undeclared):
        assert graph_digest(other).edges == graph_digest(GRAPH).edges
        assert graph_digest(other).graph != graph_digest(GRAPH).graph
    empty = [graph_digest(Graph.from_edges([], n_nodes=n)) for n in (1, 2)]
    assert empty[0].edges != empty[1].edges


@pytest.mark.parametrize("n_nodes", [60, 5_000])  # the larger one is read by the compiled kernel
def test_edges_kept_by_an_engine_are_known_again(n_nodes):
    graph = power_law_cluster(n_nodes, 8, 0.5, seed=4)
    assert graph_digest(HiddenRows(graph)) == graph_digest(graph)
    assert (graph.n_edges < TINY) == (n_nodes == 60)
