"""Small graphs for tests: drawn ones for hypothesis, all of them for brute force, and the same ones for the oracles."""

from itertools import combinations

import igraph
import networkx as nx
import numpy as np
from hypothesis import strategies as st

from graphveil.graph.core import Graph


@st.composite
def graphs(draw, max_nodes=12):
    """Any simple graph, isolated nodes included."""
    n_nodes = draw(st.integers(0, max_nodes))
    pairs = list(combinations(range(n_nodes), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Graph.from_edges(edges, n_nodes=n_nodes)


def labelled(edges, labels):
    """The graph whose edges are given by labels; nodes are numbered in the order of `labels`."""
    number = {label: i for i, label in enumerate(labels)}
    pairs = [(number[a], number[b]) for a, b in edges]
    return Graph.from_edges(pairs, n_nodes=len(labels), labels=np.array(labels))


def labelled_edges(graph):
    """The edges as a set of frozen pairs of labels."""
    return {frozenset((graph.label_of(u), graph.label_of(v))) for u, v in graph.edges().tolist()}


def all_edge_sets(labels):
    """The edge sets of all graphs on these labels."""
    pairs = list(combinations(labels, 2))
    for bits in range(2 ** len(pairs)):
        yield frozenset(frozenset(pair) for i, pair in enumerate(pairs) if bits >> i & 1)


def to_networkx(graph):
    """The same graph for networkx."""
    other = nx.empty_graph(graph.n_nodes)
    other.add_edges_from(graph.edges().tolist())
    return other


def to_igraph(graph):
    """The same graph for igraph."""
    return igraph.Graph(n=graph.n_nodes, edges=graph.edges().tolist())
