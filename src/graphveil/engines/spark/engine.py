"""Reading a graph with Spark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.engines.engine import PeopleSource
from graphveil.engines.spark.fold import EDGES_PER_TASK, colours_for, fold
from graphveil.engines.spark.graph import SparkGraph
from graphveil.engines.spark.pairs import Pairs, read_pairs
from graphveil.engines.spark.people import number_people
from graphveil.engines.spark.reports import outcome_of_reports
from graphveil.errors import GraphFormatError, UnsupportedByEngine
from graphveil.graph.files.fold import Read, ReadReport
from graphveil.graph.files.people import read_people
from graphveil.graph.files.read import Reading
from graphveil.local.campaign import Campaign
from graphveil.local.result import CollectionResult

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PathLike = str | os.PathLike[str]


class SparkEngine:
    """Graphs from tables that Spark can read; `edges_per_task` bounds what one task holds in memory."""

    def __init__(self, spark: SparkSession, *, edges_per_task: int = EDGES_PER_TASK) -> None:
        self.spark = spark
        self.edges_per_task = edges_per_task

    def read(self, path: PathLike, *, people: PeopleSource | None = None, how: Reading | None = None) -> Read:
        """Parquet, a file or a folder, or an edge list, of edges alone."""
        if how is not None and (how.directed or how.weighted is not None):
            flag = "--directed" if how.directed else "--weighted"
            raise UnsupportedByEngine(
                f"the spark engine keeps edges without directions and weights: leave out {flag}, or leave out --engine "
                "where the graph fits in memory"
            )
        known = None if people is None else frozenset(read_people(people).names)
        pairs = read_pairs(self.spark, path, how=how or Reading(), people=known)
        return self.graph_of(pairs, people=people, origin=str(path))

    def outcome(self, campaign: Campaign, reports: PathLike) -> CollectionResult:
        """What a campaign comes to, from a table of reports."""
        return outcome_of_reports(self.spark, campaign, reports)

    def graph_of(self, pairs: Pairs, *, people: PeopleSource | None = None, origin: str = "table") -> Read:
        """The graph with these pairs, and what was dropped."""
        folded = fold(pairs.frame, colours_for(pairs.lines, self.edges_per_task), pairs.largest)
        graph = SparkGraph(folded, number_people(pairs, folded.ids, people, origin), edges_per_task=self.edges_per_task)
        if graph.n_edges == 0 and not graph.roster_declared:
            raise GraphFormatError(f"{origin}: no edges in it; if nobody has any, list the people (people=, --people)")
        report = ReadReport(
            file=Path(origin).name,
            lines=pairs.lines,
            nodes=graph.n_nodes,
            edges=graph.n_edges,
            self_loops=pairs.loops,
            repeated_edges=pairs.lines - pairs.loops - graph.n_edges,
            roster_declared=graph.roster_declared,
            notes=pairs.notes,
        )
        return Read(graph, report)
