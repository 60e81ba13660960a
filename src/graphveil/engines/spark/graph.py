"""A graph whose edges Spark keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers, Words
from graphveil.engines.spark.arrow import Batches, batch_of, collect
from graphveil.engines.spark.fold import EDGES_PER_TASK, Folded, parts_of
from graphveil.engines.spark.heaviest_pair import heaviest_of
from graphveil.engines.spark.parcels import bring, sum_by_id
from graphveil.engines.spark.pareto_pairs import most_apart_by_common
from graphveil.engines.spark.people import People
from graphveil.engines.spark.project import keep_first_edges, scan_in_order
from graphveil.engines.spark.triangles import capped_sums_by_class, triangles_by_id
from graphveil.engines.spark.whole import deepest_core, trees_of_components
from graphveil.graph.core import EdgeFunction
from graphveil.graph.digest import sum_edge_words
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.graph.statistics.degrees import neighbour_sums
from graphveil.graph.statistics.pareto_pairs import Front, front_of_common

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class SparkGraph(EdgeTable):
    """Degrees and labels here; each edge once in `table`, with the degrees of its ends."""

    engine = "spark"
    people: People
    edges_per_task: int

    def __init__(self, folded: Folded, people: People, *, edges_per_task: int = EDGES_PER_TASK) -> None:
        degrees = people.spread(folded.ids, folded.degrees)
        super().__init__(degrees, people.labels, roster_declared=people.declared, named=people.named)
        self.__dict__.update(_folded=folded, people=people, edges_per_task=edges_per_task)

    @cached_property
    def table(self) -> DataFrame:
        """The parts of the graph, a row of bytes each: see `engines.spark.fold`."""
        folded: Folded = self.__dict__["_folded"]
        return folded.edges()

    def sum_over_edges(self, of_degrees: EdgeFunction) -> Integers:
        """Part by part on the workers, the sums of all parts here."""
        shape = of_degrees(np.empty((0, 2), dtype=np.int64)).shape
        parts = self.table.mapInArrow(partial(_sum_of_parts, of_degrees=of_degrees), "part binary")
        total = np.zeros(shape, dtype=np.int64)
        for row in parts.toLocalIterator():
            total += np.frombuffer(row.part, dtype=np.int64).reshape(shape)
        return total

    def edge_word_sums(self, words: Words) -> Words:
        """Part by part on the workers, which are sent the word of everybody who has edges."""
        add = partial(_sum_of_words, ids=self.people.ids, words=words[self.people.places])
        total = np.zeros(2, dtype=np.uint64)
        for row in self.table.mapInArrow(add, "part binary").toLocalIterator():
            total += np.frombuffer(row.part, dtype=np.uint64)
        return total

    def joint_degrees(self) -> DegreeTable:
        """The exact table: the workers count the edges, the rows are sorted here."""
        cells, counts = bring(sum_by_id(self.table, _cells_of_parts, self._colours))
        return DegreeTable(np.stack((cells >> 32, cells & 0xFFFFFFFF), axis=1), counts)

    def neighbour_sums(self, of_degree: Integers) -> Integers:
        """The exact sums: the workers add up, over both ends of every edge, what the other end stands for."""
        values = partial(_neighbour_sums_of_parts, of_degree=of_degree)
        return self.people.spread(*bring(sum_by_id(self.table, values, self._colours)))

    def triangles_per_node(self) -> Integers:
        """The exact counts, in as many parts as it takes for each to fit into a task; counted once."""
        return self._triangles

    @cached_property
    def _triangles(self) -> Integers:
        return self.people.spread(*bring(triangles_by_id(self.table, self._colours)))

    def capped_class_sums(self, k: Integers, low: Integers, high: Integers, caps: Integers) -> Integers:
        """The exact sums, in the same parts."""
        totals = np.zeros(len(caps), dtype=np.int64)
        classes, sums = collect(capped_sums_by_class(self.table, self._colours, (k, low, high), caps))
        totals[classes] = sums
        return totals

    @property
    def _colours(self) -> int:
        folded: Folded = self.__dict__["_folded"]
        return folded.n_colours

    def neighbour_front(self) -> Front:
        """The exact front, from the pairs that share many neighbours, searched hub by hub."""
        ids, degrees = self._with_edges
        return front_of_common(most_apart_by_common(self.table, ids, degrees, self.n_nodes, self._row_parts))

    def heaviest_pair(self, end: Integers, common: Integers) -> int:
        """The exact weight, searched hub by hub."""
        ids, degrees = self._with_edges
        reach = neighbour_sums(self, common)[self.people.places]
        return heaviest_of(self.table, ids, degrees, reach, end, common, self._row_parts)

    @property
    def _with_edges(self) -> tuple[Integers, Integers]:
        """The ids of people with edges, rising, and their degrees."""
        return self.people.ids, self.degrees[self.people.places]

    @property
    def _row_parts(self) -> int:
        return max(8, -(-2 * self.n_edges // self.edges_per_task))

    def component_trees(self) -> Integers:
        """Trees along the edges that join two trees of some part."""
        return trees_of_components(self.table, self.people.ids, self.people.places, self.n_nodes)

    def degeneracy(self) -> int:
        """The exact number, from the edges among people of large degree."""
        return deepest_core(self.table, self.degrees)

    def project(self, max_degree: int, order: int, *, count_dropped: bool) -> SparkGraph:
        """Ranks of edges at each end for B_D, a scan of the edges in doubt for A_θ."""
        if count_dropped:
            folded = keep_first_edges(self.table, max_degree, order, self._colours, text=self.people.text)
        else:
            degrees = self.degrees[self.people.places]
            folded = scan_in_order(
                self.table, self.people.ids, degrees, max_degree, order, self._colours, text=self.people.text
            )
        return SparkGraph(folded, self.people, edges_per_task=self.edges_per_task)


def _sum_of_words(batches: Batches, ids: Integers, words: Words) -> Iterator[Any]:
    for part in parts_of(batches):
        of_person = words[np.searchsorted(ids, part.ids)]
        sums = [sum_edge_words(of_person[u], of_person[v]) for u, v in part.chunks()]
        yield batch_of(part=[np.sum(sums, axis=0, dtype=np.uint64).tobytes()])


def _sum_of_parts(batches: Batches, of_degrees: EdgeFunction) -> Iterator[Any]:
    for part in parts_of(batches):
        sums = [of_degrees(np.stack((part.degrees[u], part.degrees[v]), axis=1)) for u, v in part.chunks()]
        yield batch_of(part=[np.sum(sums, axis=0, dtype=np.int64).tobytes()])


def _cells_of_parts(batches: Batches) -> Iterator[Sequence[Integers]]:
    """The degrees of both ends of edges, the smaller one first, as one number, and how often they occur."""
    for part in parts_of(batches):
        du, dv = part.degrees[part.u], part.degrees[part.v]
        yield np.unique(np.minimum(du, dv) << 32 | np.maximum(du, dv), return_counts=True)


def _neighbour_sums_of_parts(batches: Batches, of_degree: Integers) -> Iterator[Sequence[Integers]]:
    for part in parts_of(batches):
        values, sums = of_degree[part.degrees], np.zeros(len(part.ids), dtype=np.int64)
        np.add.at(sums, part.u, values[part.v])
        np.add.at(sums, part.v, values[part.u])
        yield part.ids, sums
