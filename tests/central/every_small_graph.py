"""Graphs for brute force and for coverage, shared by the tests of central queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import numpy as np

from graphveil.graph.core import Graph

ALPHA = 1e-6  # probability that a correct program fails one statistical test


def every_graph(n_nodes: int) -> Iterator[list[tuple[int, int]]]:
    """The edge lists of all labelled graphs on this many nodes."""
    pairs = list(combinations(range(n_nodes), 2))
    for mask in range(1 << len(pairs)):
        yield [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]


@cache
def edge_neighbours(n_nodes: int) -> list[tuple[Graph, Graph]]:
    """Every pair of graphs of which the second has one edge more; equal graphs are one object."""
    graphs = [Graph.from_edges(edges, n_nodes=n_nodes) for edges in every_graph(n_nodes)]
    bits = [1 << bit for bit in range(n_nodes * (n_nodes - 1) // 2)]
    return [(graph, graphs[mask | bit]) for mask, graph in enumerate(graphs) for bit in bits if not mask & bit]


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


@cache
def node_neighbours(n_nodes: int) -> list[tuple[Graph, Graph]]:
    """Every pair of graphs of which the second has one person more, under persistent names; equal graphs are one."""
    names = np.arange(n_nodes) * 7 + 3
    smaller: dict[tuple[int, tuple[tuple[int, int], ...]], Graph] = {}
    pairs = []
    for edges in every_graph(n_nodes):
        whole = Graph.from_edges(edges, n_nodes=n_nodes, labels=names.copy())
        for gone in range(n_nodes):
            left = tuple(edge for edge in edges if gone not in edge)
            if (gone, left) not in smaller:
                renumbered = [(u - (u > gone), v - (v > gone)) for u, v in left]
                smaller[gone, left] = Graph.from_edges(renumbered, n_nodes=n_nodes - 1, labels=np.delete(names, gone))
            pairs.append((smaller[gone, left], whole))
    return pairs


def largest_change(pairs: list[tuple[Graph, Graph]], statistics: Callable[[Graph], list[int]]) -> list[int]:
    """By how much each of several statistics differs at most between neighbours."""
    values: dict[int, np.ndarray] = {}
    for graph in {id(graph): graph for pair in pairs for graph in pair}.values():
        values[id(graph)] = np.array(statistics(graph))
    changes: list[int] = np.max([np.abs(values[id(less)] - values[id(more)]) for less, more in pairs], axis=0).tolist()
    return changes
