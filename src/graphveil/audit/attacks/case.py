"""What an attack is judged on: the original, the published graph, and who is who."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

ABSENT = -1
MOST_CHECKED = 20_000
MOST = 0.5  # of the same; above it a graph is the original, changed at best
FEW = 0.2  # of the friendships beyond those that chance gives; below it equal names are not the same people


@dataclass(frozen=True, eq=False)
class Case:
    """`published_as[u]` is the published node that original node u became, ABSENT if none."""

    original: Graph
    published: Graph
    published_as: Integers

    @cached_property
    def members(self) -> Integers:
        """The original nodes that were published."""
        return np.flatnonzero(self.published_as != ABSENT)

    @property
    def kept_edges(self) -> float:
        """The share of the original's edges between published people that are in the published graph."""
        edges = self.published_as[self.original.edges()]
        edges = edges[(edges != ABSENT).all(axis=1)]
        kept = sum(self.published.has_edge(u, v) for u, v in edges[:MOST_CHECKED].tolist())
        return kept / max(1, min(len(edges), MOST_CHECKED))

    @property
    def agreement(self) -> float:
        """How far equal people have equal friends: 1 if all edges are kept, about 0 if people are paired by chance.

        By chance an edge is kept with the probability that a published pair is joined.
        """
        n = self.published.n_nodes
        chance = self.published.n_edges / max(1, n * (n - 1) // 2)
        return (self.kept_edges - chance) / (1 - chance) if chance < 1 else self.kept_edges


def case_by_key(original: Graph, published: Graph, key: Integers) -> Case:
    """From the curator's key: published node i is original node key[i]."""
    if len(key) != published.n_nodes or len(np.unique(key)) < len(key) or (len(key) and key.max() >= original.n_nodes):
        raise ParameterError("the key must name one original node for every published one, each at most once")
    published_as = np.full(original.n_nodes, ABSENT)
    published_as[key] = np.arange(published.n_nodes)
    return _checked(Case(original, published, published_as))


def case_by_names(original: Graph, published: Graph) -> Case:
    """By equal names: people of the published graph who have no namesake in the original are strangers."""
    place = {str(published.label_of(node)): node for node in range(published.n_nodes)}
    names = (str(original.label_of(node)) for node in range(original.n_nodes))
    return _checked(Case(original, published, np.array([place.get(name, ABSENT) for name in names], dtype=np.int64)))


def likeness(original: Graph, published: Graph) -> str:
    """Say in what a graph is the original, where it is nearer than a graph drawn from noisy numbers can be; else "".

    Most friendships are shared under equal names, or else both have the same degrees, whatever names people have.
    """
    try:
        case = case_by_names(original, published)
    except ParameterError:  # no names in common
        case = None
    if case is not None and case.agreement > MOST:
        return f"under equal names it has {case.kept_edges:.0%} of the friendships of the original"
    if original.n_edges and np.array_equal(np.sort(original.degrees), np.sort(published.degrees)):
        return "it has as many people of each degree as the original"
    return ""


def refuse_strangers(case: Case) -> None:
    """Refuse to judge by names where people of one name hardly share their friends: they are not the same people.

    Published people may have new names, or the graph may be synthetic. Either way an attack that names somebody rightly
    would be counted as wrong.
    """
    if case.agreement < FEW:
        raise ParameterError(
            f"cannot judge: names do not match. {len(case.members):,} of {case.original.n_nodes:,} people of the "
            "original have a namesake in the published graph, and these share "
            f"{case.kept_edges:.0%} of their friendships; "
            "give --key (who is who, from anonymize --key), or --same-names if equal names do mean the same people"
        )


def refuse_wrong_key(case: Case) -> None:
    """Refuse a key under which people hardly keep their friends: an attack judged by it would always fail."""
    if case.agreement < FEW:
        raise ParameterError(
            f"the key does not fit: by it the published graph keeps {case.kept_edges:.0%} of the friendships, little "
            "more than by chance; give the key that `anonymize --key` wrote with this graph, or --same-names if the "
            "graph was changed as much as that"
        )


def _checked(case: Case) -> Case:
    if len(case.members) == 0:
        raise ParameterError(
            "cannot judge: names do not match. Nobody of the original is in the published graph; give --key, "
            "which says who is who"
        )
    return case
