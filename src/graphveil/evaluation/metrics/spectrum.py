"""The largest eigenvalues of the adjacency matrix, and the eigenvector centrality of everybody."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph

N_EIGENVALUES = 10
DENSE_UP_TO = 1_000  # people with friends; Lanczos' iteration, for larger graphs, can miss eigenvalues that are alike
BASIS = 60  # vectors it keeps: with fewer it misses more of them
TOLERANCE = 1e-6

Values = NDArray[np.float64]


def leading_spectrum(graph: Graph) -> tuple[Values, Values]:
    """(the ten largest eigenvalues, falling; the absolute values of the first eigenvector, unit length).

    >>> values, centrality = leading_spectrum(Graph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4)]))
    >>> float(values[0].round(6)), centrality.round(3).tolist()
    (2.0, [0.707, 0.354, 0.354, 0.354, 0.354])
    """
    n, some = graph.n_nodes, np.flatnonzero(graph.degrees)  # the others add zeros alone
    if not len(some):
        return np.zeros(min(n, N_EIGENVALUES)), np.full(n, 1 / np.sqrt(max(1, n)))
    values, first = _dense(graph, some) if len(some) <= DENSE_UP_TO else _lanczos(graph, some)
    values = np.sort(np.append(values, np.zeros(n - len(some))))[::-1][:N_EIGENVALUES]
    centrality = np.zeros(n)
    centrality[some] = np.abs(first)
    return values, centrality


def _dense(graph: Graph, some: NDArray[np.int64]) -> tuple[Values, Values]:
    """The ten largest eigenvalues among these people, or all, and the eigenvector of the largest."""
    from scipy.linalg import eigh

    place = np.empty(graph.n_nodes, dtype=np.int64)
    place[some] = np.arange(len(some))
    matrix = np.zeros((len(some), len(some)))
    matrix[tuple(place[graph.edges()].T)] = 1
    largest = (max(0, len(some) - N_EIGENVALUES), len(some) - 1)
    values, vectors = eigh(matrix + matrix.T, subset_by_index=largest)
    return values, vectors[:, -1]


def _lanczos(graph: Graph, some: NDArray[np.int64]) -> tuple[Values, Values]:
    """Likewise."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import eigsh

    shape = (graph.n_nodes, graph.n_nodes)
    matrix = csr_array((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=shape)[some][:, some]
    start = np.random.default_rng(0).random(len(some))  # an even one can be an eigenvector, and lead nowhere
    values, vectors = eigsh(matrix, k=N_EIGENVALUES, which="LA", v0=start, ncv=BASIS, tol=TOLERANCE)
    return values, np.real(vectors[:, np.argmax(values)])
