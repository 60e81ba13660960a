"""Categories of people (departments, parties) in a synthetic graph, carried by a private mixing matrix.

Who is in which category is public, like the set of people; whom people know is not. The mixing matrix says how many
edges join each two categories. One edge changes one of its entries by 1, so discrete Laplace noise of rate epsilon on
each is epsilon-private for an edge.

A drawn graph that follows people has their categories. `mixed_graph.py` gives them to the nodes of any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.statistics.mixing import SENSITIVITY, mixing_counts

MOST_CATEGORIES = 50
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


def mixing_distance(graph: Graph, mixing: Mixing, own: Integers) -> float:
    """L1 distance of the mixing matrix, with these categories of the nodes, from the measured one, over the edges.

    >>> people = Categories(("blue", "red"), np.array([0, 0, 1, 1]))
    >>> mixing = Mixing(people, np.array([[1, 0], [0, 1]]), Fraction(1))
    >>> mixing_distance(Graph.from_edges([(0, 1), (2, 3)]), mixing, np.array([0, 1, 1, 1]))
    1.0
    """
    return float(np.abs(missing_edges(graph, mixing, own)).sum() / max(1, graph.n_edges))


def missing_edges(graph: Graph, mixing: Mixing, own: Integers) -> Integers:
    """How many edges each two categories lack, or have too many (negative), for as many edges as the graph has."""
    scale = graph.n_edges / max(1, int(mixing.table.sum()))
    missing: Integers = np.rint(mixing.table * scale).astype(np.int64)
    ends = np.sort(own[graph.edges()], axis=1)
    np.subtract.at(missing, (ends[:, 0], ends[:, 1]), 1)
    return missing
