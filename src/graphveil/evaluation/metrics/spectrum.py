"""The largest eigenvalues of the adjacency matrix, and the eigenvector centrality of everybody."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph

N_EIGENVALUES = 10
DENSE_UP_TO = 64  # Lanczos needs more rows than eigenvalues
TOLERANCE = 1e-6

Values = NDArray[np.float64]


def leading_spectrum(graph: Graph) -> tuple[Values, Values]:
    """(the ten largest eigenvalues, falling; the absolute values of the first eigenvector, unit length).

    >>> values, centrality = leading_spectrum(Graph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4)]))
    >>> float(values[0].round(6)), centrality.round(3).tolist()
    (2.0, [0.707, 0.354, 0.354, 0.354, 0.354])
    """
    n = graph.n_nodes
    if graph.n_edges == 0:
        return np.zeros(min(n, N_EIGENVALUES)), np.full(n, 1 / np.sqrt(max(1, n)))
    if n <= DENSE_UP_TO:
        matrix = np.zeros((n, n))
        matrix[tuple(graph.edges().T)] = 1
        values, vectors = np.linalg.eigh(matrix + matrix.T)
    else:
        values, vectors = _lanczos(graph)
    falling = np.argsort(values)[::-1][:N_EIGENVALUES]
    return values[falling], np.abs(vectors[:, falling[0]])


def _lanczos(graph: Graph) -> tuple[Values, Values]:
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import eigsh

    n = graph.n_nodes
    matrix = csr_array((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=(n, n))
    start = np.full(n, 1 / np.sqrt(n))
    values, vectors = eigsh(matrix, k=N_EIGENVALUES, which="LA", v0=start, tol=TOLERANCE)
    return values, np.real(vectors)
