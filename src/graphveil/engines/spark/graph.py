"""A graph whose edges Spark keeps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers, Words
from graphveil.engines.spark.arrow import Batches, arrays_of, batch_of, collect
from graphveil.engines.spark.fold import Folded, both_ends
from graphveil.engines.spark.pareto_pairs import most_apart_by_common
from graphveil.engines.spark.people import People
from graphveil.engines.spark.project import keep_first_edges, scan_in_order
from graphveil.engines.spark.triangles import EDGES_PER_TASK, colours_for, triangles_by_id
from graphveil.graph.core import EdgeFunction
from graphveil.graph.digest import sum_edge_words
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.degree_table import DegreeTable
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
        """Columns u < v (ids), du and dv (degrees)."""
        folded: Folded = self.__dict__["_folded"]
        return folded.edges()

    def sum_over_edges(self, of_degrees: EdgeFunction) -> Integers:
        """Part by part on the workers, the sums of all parts here."""
        shape = of_degrees(np.empty((0, 2), dtype=np.int64)).shape
        parts = self.table.select("du", "dv").mapInArrow(partial(_sum_of_parts, of_degrees=of_degrees), "part binary")
        total = np.zeros(shape, dtype=np.int64)
        for row in parts.toLocalIterator():
            total += np.frombuffer(row.part, dtype=np.int64).reshape(shape)
        return total

    def edge_word_sums(self, words: Words) -> Words:
        """Part by part on the workers, which are sent the word of everybody who has edges."""
        add = partial(_sum_of_words, ids=self.people.ids, words=words[self.people.places])
        total = np.zeros(2, dtype=np.uint64)
        for row in self.table.select("u", "v").mapInArrow(add, "part binary").toLocalIterator():
            total += np.frombuffer(row.part, dtype=np.uint64)
        return total

    def joint_degrees(self) -> DegreeTable:
        """The exact table: Spark counts the edges, the rows are sorted here."""
        from pyspark.sql import functions as sf

        pairs = self.table.select(sf.least("du", "dv").alias("k"), sf.greatest("du", "dv").alias("l"))
        small, large, counts = collect(pairs.groupBy("k", "l").count())
        order = np.lexsort((large, small))
        return DegreeTable(np.stack((small, large), axis=1)[order], counts[order])

    def neighbour_degree_sums(self) -> Integers:
        """The exact sums: Spark adds up, over both ends of every edge, the degree of the other end."""
        from pyspark.sql import functions as sf

        ends = both_ends(self.table, "u", "v", ("degree", "dv", "du"))
        return self.people.spread(*collect(ends.groupBy("id").agg(sf.sum("degree"))))

    def triangles_per_node(self) -> Integers:
        """The exact counts, in as many parts as it takes for each to fit into a task."""
        n_colours = colours_for(self.n_edges, self.edges_per_task)
        return self.people.spread(*collect(triangles_by_id(self.table, n_colours)))

    def neighbour_front(self) -> Front:
        """The exact front, from the pairs that share many neighbours, searched hub by hub."""
        ids, degrees = self.people.ids, self.degrees[self.people.places]
        n_parts = max(8, -(-2 * self.n_edges // self.edges_per_task))
        return front_of_common(most_apart_by_common(self.table, ids, degrees, self.n_nodes, n_parts))

    def project(self, max_degree: int, order: int, *, count_dropped: bool) -> SparkGraph:
        """Ranks of edges at each end for B_D, a scan of the edges in doubt for A_θ."""
        if count_dropped:
            folded = keep_first_edges(self.table, max_degree, order, text=self.people.text)
        else:
            degrees = self.degrees[self.people.places]
            folded = scan_in_order(self.table, self.people.ids, degrees, max_degree, order, text=self.people.text)
        return SparkGraph(folded, self.people, edges_per_task=self.edges_per_task)


def _sum_of_words(batches: Batches, ids: Integers, words: Words) -> Iterator[Any]:
    for batch in batches:
        first, second = (words[np.searchsorted(ids, ends)] for ends in arrays_of(batch))
        yield batch_of(part=[sum_edge_words(first, second).tobytes()])


def _sum_of_parts(batches: Batches, of_degrees: EdgeFunction) -> Iterator[Any]:
    total = None
    for batch in batches:
        part = of_degrees(np.stack(arrays_of(batch), axis=1))
        total = part if total is None else total + part
    if total is not None:
        yield batch_of(part=[np.ascontiguousarray(total, dtype=np.int64).tobytes()])
