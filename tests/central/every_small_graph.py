"""Graphs for brute force and for coverage, shared by the tests of central pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from graphveil.graph.core import Graph

ALPHA = 1e-6  # probability that a correct program fails one statistical test


def every_graph(n_nodes: int) -> Iterator[list[tuple[int, int]]]:
    """The edge lists of all labelled graphs on this many nodes."""
    pairs = list(combinations(range(n_nodes), 2))
    for mask in range(1 << len(pairs)):
        yield [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]


def edge_neighbours(n_nodes: int) -> Iterator[tuple[Graph, Graph]]:
    """Every pair of graphs of which the second has one edge more."""
    graphs = [Graph.from_edges(edges, n_nodes=n_nodes) for edges in every_graph(n_nodes)]
    n_pairs = n_nodes * (n_nodes - 1) // 2
    for mask, graph in enumerate(graphs):
        for bit in range(n_pairs):
            if not mask >> bit & 1:
                yield graph, graphs[mask | 1 << bit]


def skewed_graph(n_nodes: int, n_edges: int, seed: int, *, skew: float = 0.5) -> Graph:
    """A random graph whose degrees fall like a power, some people without edges."""
    rng = np.random.default_rng(seed)
    weights = np.arange(1, n_nodes + 1) ** -skew
    ends = rng.choice(n_nodes, size=(n_edges, 2), p=weights / weights.sum())
    return Graph.from_edges(ends, n_nodes=n_nodes)


def least_successes(runs: int, probability: float) -> int:
    """A right program has fewer successes with probability below ALPHA only."""
    from scipy.stats import binom

    return int(binom.ppf(ALPHA, runs, probability))
