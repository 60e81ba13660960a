"""Triangles per node, in parts that fit in memory: colours (Suri and Vassilvitskii 2011).

A hash gives every node one of ρ colours. There is a task for every three colours a <= b <= c, and an edge between the
colours a and b goes to the ρ tasks that hold both. Each task counts the triangles among its edges with the kernel of
one process. A triangle of three colours, or of two, is in exactly one task. One of a single colour a is in the task
aaa and in the ρ - 1 tasks with a twice; so the counts of aaa are taken 2 - ρ times.

A task has about 6 m / ρ² edges at most, whatever the degrees are: the edges of a hub spread over the colours of its
neighbours. The shuffle moves ρ m edges. Edges with an end of degree 1 are left out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.engines.spark.arrow import arrays_of
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.statistics.triangles import exact_triangles_per_node

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EDGES_PER_TASK = 4_000_000


def colours_for(n_edges: int, edges_per_task: int = EDGES_PER_TASK) -> int:
    """How many colours keep tasks to about this many edges."""
    return max(1, math.ceil(math.sqrt(6 * n_edges / edges_per_task))) if n_edges > edges_per_task else 1


def triangles_by_id(edges: DataFrame, n_colours: int) -> DataFrame:
    """Columns id and triangles, for nodes that have any."""
    from pyspark.sql import functions as sf

    def colour(end: str) -> Any:
        return sf.pmod(sf.xxhash64(end), sf.lit(n_colours))

    third = sf.explode(sf.sequence(sf.lit(0), sf.lit(n_colours - 1)))
    shared = edges.where("du > 1 and dv > 1").select(
        "u", "v", colour("u").alias("a"), colour("v").alias("b"), third.alias("c")
    )
    low, high = sf.least("a", "b", "c"), sf.greatest("a", "b", "c")
    middle = sf.col("a") + sf.col("b") + sf.col("c") - low - high
    tasks = shared.select("u", "v", low.alias("low"), middle.alias("middle"), high.alias("high"))
    counted = tasks.groupBy("low", "middle", "high").applyInArrow(
        lambda table: count_in_task(table, n_colours), "id bigint, triangles bigint"
    )
    return counted.groupBy("id").agg(sf.sum("triangles").alias("triangles"))


def count_in_task(table: Any, n_colours: int) -> Any:
    """Triangles per node among the edges of one task, once or 2 - ρ times."""
    import pyarrow as pa

    u, v, low, _, high = arrays_of(table)
    numbers, ids = number_integers((u, v))
    indptr, indices = rows_from_edges(numbers[: len(u)], numbers[len(u) :], len(ids))
    triangles = exact_triangles_per_node(Graph(len(ids), indptr, indices))
    if low[0] == high[0]:
        triangles = triangles * (2 - n_colours)
    found = triangles != 0
    return pa.table({"id": ids[found], "triangles": np.asarray(triangles[found])})
