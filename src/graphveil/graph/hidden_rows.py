"""An edge table in this process, which keeps its rows to itself: for rehearsals and tests.

What a computation can do with it, it can do with the table of any engine.
"""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Integers, Words
from graphveil.graph.core import EdgeFunction, Graph
from graphveil.graph.digest import sum_edge_words
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.project import project_bounded_degree, project_first_edges
from graphveil.graph.statistics.clustering import capped_class_sums
from graphveil.graph.statistics.components import join_trees
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.statistics.degrees import neighbour_sums
from graphveil.graph.statistics.pareto_pairs import Front, heaviest_pair, neighbour_front
from graphveil.graph.statistics.triangles import exact_triangles_per_node


class HiddenRows(EdgeTable):
    """A graph without its rows.

    >>> table = HiddenRows(Graph.from_edges([(0, 1), (1, 2), (0, 2)]))
    >>> exact_triangles_per_node(table).tolist()
    [1, 1, 1]
    >>> table.edges()
    Traceback (most recent call last):
    graphveil.errors.UnsupportedByEngine: this needs all edges in one process, and the hidden-rows engine keeps them
    elsewhere: leave out --engine where the graph fits in memory
    """

    engine = "hidden-rows"

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.degrees, graph.labels, roster_declared=graph.roster_declared, named=graph.named)
        self.__dict__["_graph"] = graph

    @property
    def whole(self) -> Graph:
        """The graph whose rows are hidden; for this class only."""
        graph: Graph = self.__dict__["_graph"]
        return graph

    def sum_over_edges(self, of_degrees: EdgeFunction) -> Integers:
        """In two parts, as an engine would."""
        ends = self.degrees[self.whole.edges()].astype(np.int64)
        return of_degrees(ends[::2]) + of_degrees(ends[1::2])

    def edge_word_sums(self, words: Words) -> Words:
        """In two parts, as an engine would."""
        ends = words[self.whole.edges()]
        return sum_edge_words(*ends[::2].T) + sum_edge_words(*ends[1::2].T)

    def joint_degrees(self) -> DegreeTable:
        """The exact table, counted on the hidden rows."""
        return exact_joint_degrees(self.whole)

    def neighbour_sums(self, of_degree: Integers) -> Integers:
        """The exact sums, added up over the hidden rows."""
        return neighbour_sums(self.whole, of_degree)

    def triangles_per_node(self) -> Integers:
        """The exact counts, made on the hidden rows."""
        return exact_triangles_per_node(self.whole)

    def neighbour_front(self) -> Front:
        """The exact front, found on the hidden rows."""
        return neighbour_front(self.whole)

    def heaviest_pair(self, end: Integers, common: Integers) -> int:
        """The exact weight, found on the hidden rows."""
        return heaviest_pair(self.whole, end, common)

    def capped_class_sums(self, k: Integers, low: Integers, high: Integers, caps: Integers) -> Integers:
        """The exact sums, added up over the hidden rows."""
        return capped_class_sums(self.whole, k, low, high, caps)

    def component_trees(self) -> Integers:
        """Trees along all hidden edges."""
        parents = np.arange(self.n_nodes)
        join_trees(parents, *self.whole.edges().T)
        return parents

    def degeneracy(self) -> int:
        """The exact number, found by peeling the hidden rows."""
        return exact_degeneracy(self.whole)

    def project(self, max_degree: int, order: int, *, count_dropped: bool) -> EdgeTable:
        """The projected rows, hidden again."""
        project = project_first_edges if count_dropped else project_bounded_degree
        return HiddenRows(project(self.whole, max_degree, order=order))
