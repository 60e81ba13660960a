"""A graph whose edges are kept elsewhere, by an engine, because they do not fit here.

Whatever has one entry per person is here: degrees, labels. What needs edges is asked of the engine, by the few methods
below; the exact statistics of this layer call them where they meet such a graph, so whoever uses those statistics need
not know. Rows are not to be had: code that reaches for them is refused in one line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NoReturn

from graphveil.arrays import AnyArray, AnyIntegers, Integers, Words
from graphveil.errors import UnsupportedByEngine
from graphveil.graph.core import EdgeFunction, Graph

if TYPE_CHECKING:
    from graphveil.graph.statistics.degree_table import DegreeTable
    from graphveil.graph.statistics.pareto_pairs import Front


class EdgeTable(Graph, ABC):
    """A simple undirected graph without rows; every method gives exactly what rows would."""

    engine: ClassVar[str]

    def __init__(
        self,
        degrees: AnyIntegers,
        labels: AnyArray | None,
        *,
        roster_declared: bool,
        named: bool | None = True,
        n_edges: int | None = None,
    ) -> None:
        known = {"n_nodes": len(degrees), "labels": labels, "roster_declared": roster_declared, "degrees": degrees}
        self.__dict__.update(known, named=named, _n_edges=int(degrees.sum()) // 2 if n_edges is None else n_edges)

    def __getattr__(self, name: str) -> NoReturn:
        """Rows are what is missing here."""
        if name in ("indptr", "indices"):
            raise UnsupportedByEngine(
                f"this needs all edges in one process, and the {self.engine} engine keeps them elsewhere: leave out "
                "--engine where the graph fits in memory"
            )
        raise AttributeError(name)

    @property
    def n_edges(self) -> int:
        """The number of edges, each counted once, wherever they are kept."""
        edges: int = self.__dict__["_n_edges"]
        return edges

    @abstractmethod
    def sum_over_edges(self, of_degrees: EdgeFunction) -> Integers:
        """As in `Graph`, part by part where the edges are; the function travels there."""

    @abstractmethod
    def edge_word_sums(self, words: Words) -> Words:
        """The sums of `graph.digest.sum_edge_words` over all edges, given a word for each person."""

    @abstractmethod
    def joint_degrees(self) -> DegreeTable:
        """Return what `graph.statistics.degree_table.exact_joint_degrees` gives for the same graph."""

    @abstractmethod
    def neighbour_sums(self, of_degree: Integers) -> Integers:
        """Return what `graph.statistics.degrees.neighbour_sums` gives for the same graph."""

    @abstractmethod
    def triangles_per_node(self) -> Integers:
        """Return what `graph.statistics.triangles.exact_triangles_per_node` gives for the same graph."""

    @abstractmethod
    def neighbour_front(self) -> Front:
        """Return what `graph.statistics.pareto_pairs.neighbour_front` gives for the same graph."""

    @abstractmethod
    def heaviest_pair(self, end: Integers, common: Integers) -> int:
        """Return what `graph.statistics.pareto_pairs.heaviest_pair` gives for the same graph."""

    @abstractmethod
    def capped_class_sums(self, k: Integers, low: Integers, high: Integers, caps: Integers) -> Integers:
        """Return what `graph.statistics.clustering.capped_class_sums` gives for the same graph."""

    @abstractmethod
    def component_trees(self) -> Integers:
        """A tree for every component: each node's parent, as `graph.statistics.components.join_trees` leaves them."""

    @abstractmethod
    def degeneracy(self) -> int:
        """Return what `graph.statistics.cores.exact_degeneracy` gives for the same graph."""

    @abstractmethod
    def project(self, max_degree: int, order: int, *, count_dropped: bool) -> EdgeTable:
        """See `graph.project`: A_θ, or B_D where dropped edges count."""
