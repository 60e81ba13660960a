"""Categories of people (departments, parties) in a synthetic graph, carried by a private mixing matrix.

Who is in which category is public, like the set of people; whom people know is not. The mixing matrix says how many
edges join each two categories. One edge changes one of its entries by 1, so discrete Laplace noise of rate epsilon on
each is epsilon-private for an edge.

A drawn graph that follows people has their categories. In any other, categories are handed out: each to as many
nodes as it has people, at random, and then exchanged between nodes as long as that brings the matrix closer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.kernels import kernel
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.statistics.mixing import SENSITIVITY, mixing_counts

MOST_CATEGORIES = 50
TRIES_PER_NODE = 40
NO_CATEGORY = "(none)"


@dataclass(frozen=True, slots=True)
class Categories:
    """Everybody's category, public: `of[u]` is the place of node u's category in `names`."""

    names: tuple[str, ...]
    of: Integers


@dataclass(frozen=True, slots=True)
class Mixing:
    """A noisy mixing matrix: `table[a, b]` edges between categories a <= b."""

    categories: Categories
    table: Integers
    epsilon: Fraction

    def to_json(self) -> dict[str, Any]:
        """Categories with their sizes, and the matrix."""
        sizes = np.bincount(self.categories.of, minlength=len(self.categories.names))
        named = dict(zip(self.categories.names, sizes.tolist(), strict=True))
        return {"people": named, "mixing": self.table.tolist(), "epsilon": float(self.epsilon)}


def read_categories(graph: Graph, given: Mapping[Any, str]) -> Categories:
    """Everybody's category by name; who is in none is in a category of their own."""
    names = [graph.label_of(node) for node in range(graph.n_nodes)]
    plain = [name.item() if isinstance(name, np.generic) else name for name in names]
    strangers = len(given.keys() - set(plain))
    if strangers:
        raise ParameterError(f"{strangers} people with a category are not among the people of the graph")
    own = np.array([given.get(name, NO_CATEGORY) for name in plain], dtype=str)
    distinct, of = np.unique(own, return_inverse=True)
    if len(distinct) > MOST_CATEGORIES:
        raise ParameterError(f"{len(distinct)} categories were given; at most {MOST_CATEGORIES} can be carried")
    return Categories(tuple(distinct.tolist()), of.astype(np.int64))


def mixing_measurements(graph: Graph, categories: Categories, epsilon: Fraction) -> tuple[NoisyVector]:
    """The number of edges between each two categories a <= b, row by row.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> people = read_categories(graph, {0: "red", 1: "red", 2: "blue", 3: "blue"})
    >>> mixing_measurements(graph, people, Fraction(1))[0].exact.tolist()
    [1, 1, 1]
    """
    counts = mixing_counts(graph, categories.of, len(categories.names))
    what = "edges between each two categories of people"
    return (NoisyVector(what=what, exact=counts, sensitivity=SENSITIVITY, epsilon=epsilon),)


def conclude_mixing(noisy: Integers, categories: Categories, epsilon: Fraction) -> Mixing:
    """The mixing matrix from its noisy entries, with none below 0."""
    size = len(categories.names)
    table = np.zeros((size, size), dtype=np.int64)
    table[np.triu_indices(size)] = np.maximum(noisy, 0)
    return Mixing(categories, table, epsilon)


def hand_out(graph: Graph, mixing: Mixing, *, seed: int) -> tuple[str, ...]:
    """A category for every node of a drawn graph, as many of each as there are people, mixed as measured."""
    rng = np.random.default_rng(seed)
    own = rng.permutation(mixing.categories.of)
    missing = _missing(graph, mixing, own)
    _exchange(rng, graph.indptr, graph.indices, own, missing, TRIES_PER_NODE * graph.n_nodes)
    return tuple(mixing.categories.names[category] for category in own)


def mixing_distance(graph: Graph, mixing: Mixing, categories: Sequence[str]) -> float:
    """L1 distance of the mixing matrix, with these categories of the nodes, from the measured one, over the edges.

    >>> people = Categories(("blue", "red"), np.array([0, 0, 1, 1]))
    >>> mixing = Mixing(people, np.array([[1, 0], [0, 1]]), Fraction(1))
    >>> mixing_distance(Graph.from_edges([(0, 1), (2, 3)]), mixing, ("blue", "red", "red", "red"))
    1.0
    """
    place = {name: number for number, name in enumerate(mixing.categories.names)}
    own = np.array([place[category] for category in categories], dtype=np.int64)
    return float(np.abs(_missing(graph, mixing, own)).sum() / max(1, graph.n_edges))


def _missing(graph: Graph, mixing: Mixing, own: Integers) -> Integers:
    """How many edges each two categories lack, or have too many; the drawn graph has its own number of edges."""
    scale = graph.n_edges / max(1, int(mixing.table.sum()))
    missing: Integers = np.rint(mixing.table * scale).astype(np.int64)
    ends = np.sort(own[graph.edges()], axis=1)
    np.subtract.at(missing, (ends[:, 0], ends[:, 1]), 1)
    return missing


@kernel
def _exchange(rng: Any, indptr: Any, indices: Any, own: Any, missing: Any, tries: Any) -> None:
    """Exchange the categories of two nodes where that leaves no more edges missing or too many."""
    for _ in range(tries):
        u, v = int(rng.random() * len(own)), int(rng.random() * len(own))
        if own[u] != own[v]:
            before = np.abs(missing).sum()
            _swap(indptr, indices, own, u, v, missing)
            if np.abs(missing).sum() > before:
                _swap(indptr, indices, own, u, v, missing)


@kernel
def _swap(indptr: Any, indices: Any, own: Any, u: Any, v: Any, missing: Any) -> None:
    for sign in (1, -1):
        _count(indptr, indices, own, u, -1, sign, missing)
        _count(indptr, indices, own, v, u, sign, missing)
        if sign == 1:
            own[u], own[v] = own[v], own[u]


@kernel
def _count(indptr: Any, indices: Any, own: Any, u: Any, skipped: Any, sign: Any, table: Any) -> None:
    """Add u's edges to the table, but not the one to `skipped`."""
    for k in range(indptr[u], indptr[u + 1]):
        w = indices[k]
        if w != skipped:
            table[min(own[u], own[w]), max(own[u], own[w])] += sign
