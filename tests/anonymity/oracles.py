"""Slow, literal readings of the definitions, to hold the certifiers against."""

from collections import Counter
from itertools import combinations, permutations

import networkx as nx
from hypothesis import strategies as st

from graphveil.graph.core import Graph


@st.composite
def any_graph(draw, most=9):
    n_nodes = draw(st.integers(1, most))
    pairs = list(combinations(range(n_nodes), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Graph.from_edges(edges, n_nodes=n_nodes)


def as_networkx(graph):
    other = nx.empty_graph(graph.n_nodes)
    other.add_edges_from(graph.edges().tolist())
    return other


def least_shared(keys):
    """The size of the smallest class of equal keys."""
    return min(Counter(keys).values())


def smallest_degree_class(graph):
    return least_shared(graph.degrees.tolist())


def smallest_neighborhood_class(graph):
    whole = as_networkx(graph)
    around = [whole.subgraph(whole[u]) for u in whole]
    return min(sum(nx.is_isomorphic(one, other) for other in around) for one in around)


def smallest_seed(graph):
    friends = [set(graph.neighbors(u).tolist()) for u in range(graph.n_nodes)]
    everybody = range(graph.n_nodes)
    return min(sum(friends[u] - {v} == friends[v] - {u} for v in everybody) for u in everybody)


def automorphisms(graph):
    """All of them, by trying every permutation."""
    edges = {frozenset(edge) for edge in graph.edges().tolist()}
    return [
        image
        for image in permutations(range(graph.n_nodes))
        if all(frozenset((image[u], image[v])) in edges for u, v in map(tuple, edges))
    ]


def is_k_automorphic(graph, k):
    """Whether k automorphisms, the identity among them, pairwise agree nowhere."""
    found = automorphisms(graph)

    def extend(chosen, start):
        if len(chosen) == k:
            return True
        return any(
            all(a != b for other in chosen for a, b in zip(found[i], other, strict=True))
            and extend([*chosen, found[i]], i + 1)
            for i in range(start, len(found))
        )

    return extend([tuple(range(graph.n_nodes))], 0)


def flip(graph, u, v):
    """The graph with the pair uv joined if it was not, and parted if it was."""
    edges = {tuple(edge) for edge in graph.edges().tolist()} ^ {(min(u, v), max(u, v))}
    return Graph.from_edges(sorted(edges), n_nodes=graph.n_nodes)
