"""All that a comparison needs to know about one graph, computed once.

Distances are exact up to a size, then from sampled people, and the profile says so.

The largest eigenvalues of the adjacency matrix, and the eigenvector centrality of everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import AnyIntegers, Floats, Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import clustering_of, mean_clustering, transitivity_of
from graphveil.graph.statistics.communities import exact_modularity, find_communities
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.distances import Distances, exact_distances
from graphveil.graph.statistics.triangles import exact_triangles_per_node

N_EIGENVALUES = 10
DENSE_UP_TO = 1_000  # people with friends; Lanczos' iteration, for larger graphs, can miss eigenvalues that are alike
BASIS = 60  # vectors it keeps: with fewer it misses more of them
TOLERANCE = 1e-6


def leading_spectrum(graph: Graph) -> tuple[Floats, Floats]:
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


def _dense(graph: Graph, some: Integers) -> tuple[Floats, Floats]:
    """The ten largest eigenvalues among these people, or all, and the eigenvector of the largest."""
    from scipy.linalg import eigh

    place = np.empty(graph.n_nodes, dtype=np.int64)
    place[some] = np.arange(len(some))
    matrix = np.zeros((len(some), len(some)))
    matrix[tuple(place[graph.edges()].T)] = 1
    largest = (max(0, len(some) - N_EIGENVALUES), len(some) - 1)
    values, vectors = eigh(matrix + matrix.T, subset_by_index=largest)
    return values, vectors[:, -1]


def _lanczos(graph: Graph, some: Integers) -> tuple[Floats, Floats]:
    """The same as `_dense`, for more people than a dense matrix has room for."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import eigsh

    shape = (graph.n_nodes, graph.n_nodes)
    matrix = csr_array((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=shape)[some][:, some]
    start = np.random.default_rng(0).random(len(some))  # an even one can be an eigenvector, and lead nowhere
    values, vectors = eigsh(matrix, k=N_EIGENVALUES, which="LA", v0=start, ncv=BASIS, tol=TOLERANCE)
    return values, np.real(vectors[:, np.argmax(values)])


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A graph's statistics: `numbers` by name, and the vectors and tables that distances are computed from.

    `log_joint` holds the number of edges between people of degree about 2^k and about 2^l, hard bins; `by_degree` the
    mean clustering of people of degree 2^k up to 2^(k+1).
    """

    n_nodes: int
    numbers: dict[str, float]
    degree_counts: Integers
    distances: Distances
    communities: Integers
    eigenvalues: Floats
    centrality: Floats
    log_joint: Integers
    by_degree: Floats


def profile(graph: Graph, *, seed: int = 0) -> Profile:
    """Compute everything; `seed` is Louvain's, and draws people where distances are sampled."""
    triangles, degrees = exact_triangles_per_node(graph), graph.degrees
    total = int(triangles.sum()) // 3
    local = clustering_of(triangles, degrees)
    distances = exact_distances(graph, seed=seed)
    communities = find_communities(graph, seed=seed)
    eigenvalues, centrality = leading_spectrum(graph)
    numbers = {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "triangles": total,
        "average_degree": 2 * graph.n_edges / graph.n_nodes if graph.n_nodes else 0.0,
        "degree_variance": float(degrees.var()) if graph.n_nodes else 0.0,
        "diameter": distances.diameter,
        "average_path": distances.average,
        "global_clustering": transitivity_of(total, exact_k_stars(graph, 2)),
        "average_clustering": mean_clustering(local),
        "modularity": exact_modularity(graph, communities),
        "assortativity": exact_assortativity(graph),
    }
    counts = np.bincount(degrees, minlength=1)
    classes = degree_classes(degrees)
    by_degree = _class_means(local[degrees > 1], classes[degrees > 1])
    joint = joint_classes(classes[graph.edges()])
    return Profile(
        graph.n_nodes, numbers, counts, distances, communities, eigenvalues, centrality, joint, by_degree
    )  # fmt: skip


def degree_classes(degrees: AnyIntegers) -> Integers:
    """The floor of the binary logarithm of each degree; 0 for degree 0."""
    classes: Integers = np.frexp(np.maximum(degrees, 1).astype(np.float64))[1].astype(np.int64) - 1
    return classes


def _class_means(values: Floats, classes: Integers) -> Floats:
    sizes = np.bincount(classes, minlength=1)
    sums = np.bincount(classes, weights=values, minlength=1)
    means: Floats = np.divide(sums, sizes, out=np.full(len(sums), np.nan), where=sizes > 0)
    return means


def joint_classes(ends: Integers) -> Integers:
    """How many edges join each two classes, given the classes at their two ends; rows and columns in rising order."""
    size = int(ends.max(initial=0)) + 1
    table = np.bincount(ends.min(axis=1) * size + ends.max(axis=1), minlength=size * size)
    return table.reshape(size, size)
