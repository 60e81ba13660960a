"""k-automorphism: k - 1 maps of the graph onto itself send everybody to k - 1 different others.

Paper: Zou, Chen and Özsu 2009, "k-automorphism: a general framework for privacy preserving network publication".
Adversary: knows any subgraph around a person, of any size; finds at least k places where the person may be.
Not protected: links between people whose places are known, and what all k candidates share.
Steps: people with much the same friends form rows of k (block alignment). Turning all rows by one place at once
    sends the pair (row r, place a) - (row s, place b) round an orbit of k pairs with the same r, s and b - a. Each is
    joined completely or not at all, the fullest first, until there are as many edges as before; so the turn is an
    automorphism, its powers 1 … k - 1 are the maps, and it is published with the graph as proof.
Differs: the paper copies every edge round its orbit and so multiplies the edges up to k-fold; here orbits with few
    edges are emptied instead. The up to 2k - 1 people who fit in no row lose their edges, so that they are alike.
Cost: the sum of squared degrees for the rows; memory in proportion to the edges.
"""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.symmetry.similar_groups import fullest_blocks, similar_groups
from graphveil.arrays import Integers
from graphveil.graph.core import Graph

NO_ROW = -1


def k_automorphism_edges(graph: Graph, k: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """The edges of a k-automorphic graph on the same people, and the automorphism that proves it."""
    order = similar_groups(graph, k, rng)
    n_rows = graph.n_nodes // k - (graph.n_nodes % k > 0)
    rows, left_over = order[: n_rows * k].reshape(n_rows, k), order[n_rows * k :]
    orbits = _orbits(graph.edges(), rows, graph.n_nodes)
    orbits, edges_in = np.unique(orbits, return_counts=True)
    first, second, turn = orbits // k // max(n_rows, 1), orbits // k % max(n_rows, 1), orbits % k
    size = np.where((first == second) & (2 * turn == k), k // 2, k)
    chosen = fullest_blocks(edges_in, size, graph.n_edges, rng)
    place = np.arange(k)
    ends = rows[first[chosen]], rows[second[chosen, None], (place + turn[chosen, None]) % k]
    automorphism = np.empty(graph.n_nodes, dtype=np.int64)
    automorphism[rows] = np.roll(rows, -1, axis=1)
    automorphism[left_over] = np.roll(left_over, -1)
    # an orbit half as long as the others was listed twice over
    turned = Graph.from_edges(np.column_stack([end.ravel() for end in ends]), n_nodes=graph.n_nodes)
    return turned.edges(), automorphism


def _orbits(edges: Integers, rows: Integers, n_nodes: int) -> Integers:
    """The orbit of every edge between people in rows, as (row · rows + row) · k + turn with the lower row first."""
    n_rows, k = rows.shape
    row, place = np.full(n_nodes, NO_ROW), np.zeros(n_nodes, dtype=np.int64)
    row[rows], place[rows] = np.arange(n_rows)[:, None], np.arange(k)
    edges = edges[(row[edges] != NO_ROW).all(axis=1)]
    lower_first = np.argsort(row[edges], axis=1)
    u, v = np.take_along_axis(edges, lower_first, axis=1).T
    turn = (place[v] - place[u]) % k
    turn = np.where(row[u] == row[v], np.minimum(turn, k - turn), turn)
    orbits: Integers = (row[u] * n_rows + row[v]) * k + turn
    return orbits
