"""Triangles, in parts that fit in memory: colours (Suri and Vassilvitskii 2011).

A hash gives every node one of ρ colours. There is a task for every three colours a <= b <= c, and an edge between the
colours a and b goes to the ρ tasks that hold both. Each task counts the triangles among its edges with the kernel of
one process. A triangle of three colours, or of two, is in exactly one task. One of a single colour a is in the task
aaa and in the ρ - 1 tasks with a twice; so the counts of aaa are taken 2 - ρ times.

A task has about 6 m / ρ² edges at most, whatever the degrees are: the edges of a hub spread over the colours of its
neighbours. The shuffle moves ρ m edges, straight to the partition of their task. Edges with an end of degree 1 are left
out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers, SmallIntegers
from graphveil.engines.spark.arrow import Batches, arrays_of_all, batch_of
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.statistics.clustering import weigh_edges
from graphveil.graph.statistics.triangles import exact_triangles_per_node

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EDGES_PER_TASK = 4_000_000
Tables = tuple[Integers, Integers, Integers]  # class of a degree, weights in it and in the next


def colours_for(n_edges: int, edges_per_task: int = EDGES_PER_TASK) -> int:
    """How many colours keep tasks to about this many edges."""
    return max(1, math.ceil(math.sqrt(6 * n_edges / edges_per_task))) if n_edges > edges_per_task else 1


def triangles_by_id(edges: DataFrame, n_colours: int) -> DataFrame:
    """Columns id and triangles, for nodes that have any."""
    from pyspark.sql import functions as sf

    counted = _tasks(edges, n_colours, "u", "v").mapInArrow(
        partial(count_in_task, n_colours=n_colours), "id bigint, triangles bigint"
    )
    return counted.groupBy("id").agg(sf.sum("triangles").alias("triangles"))


def capped_sums_by_class(edges: DataFrame, n_colours: int, tables: Tables, caps: Integers) -> DataFrame:
    """Columns k (the class) and total: see `graph.statistics.clustering.capped_class_sums`.

    A task has only some of an edge's common neighbours, so their weights are added up before they are capped.
    """
    from pyspark.sql import functions as sf

    weighed = _tasks(edges, n_colours, "u", "v", "du", "dv").mapInArrow(
        partial(_weigh_in_task, n_colours=n_colours, tables=tables), "u bigint, v bigint, k bigint, weight bigint"
    )
    whole = weighed.groupBy("u", "v", "k").agg(sf.sum("weight").alias("weight"))
    cap = sf.get(sf.array(*map(sf.lit, caps.tolist())), sf.col("k"))
    return whole.groupBy("k").agg(sf.sum(sf.least("weight", cap)).alias("total"))


def _tasks(edges: DataFrame, n_colours: int, *columns: str) -> DataFrame:
    """These columns of all edges, each task in a partition of its own; with them the colours of both ends."""
    from pyspark.sql import functions as sf

    def colour(end: str) -> Any:
        return sf.pmod(sf.xxhash64(end), sf.lit(n_colours)).cast("int")

    third = sf.explode(sf.sequence(sf.lit(0), sf.lit(n_colours - 1)))
    shared = edges.where("du > 1 and dv > 1").select(
        *columns, colour("u").alias("a"), colour("v").alias("b"), third.alias("c")
    )
    low, high = sf.least("a", "b", "c"), sf.greatest("a", "b", "c")
    middle = sf.col("a") + sf.col("b") + sf.col("c") - low - high
    # tasks are numbered like the entries of a pyramid: C(high + 2, 3) + C(middle + 1, 2) + low
    task = sf.expr("div(high * (high + 1) * (high + 2), 6) + div(middle * (middle + 1), 2) + low")
    alike = (sf.col("a") == sf.col("b")) & (sf.col("b") == sf.col("c"))
    ranked = shared.select(*columns, alike.alias("alike"), low.alias("low"), middle.alias("middle"), high.alias("high"))
    n_tasks = n_colours * (n_colours + 1) * (n_colours + 2) // 6
    placed = ranked.select(*columns, "alike", task.cast("int").alias("task"))
    return placed.repartitionById(n_tasks, "task").select(*columns, "alike")


def count_in_task(batches: Batches, n_colours: int) -> Iterator[Any]:
    """Triangles per node among the edges of one task, once or 2 - ρ times."""
    columns = arrays_of_all(batches)
    if columns is None:
        return
    ids, graph, _ = _graph_of(columns[0], columns[1])
    triangles = exact_triangles_per_node(graph) * _times(columns[-1], n_colours)
    found = triangles != 0
    yield batch_of(id=ids[found], triangles=triangles[found])


def _weigh_in_task(batches: Batches, n_colours: int, tables: Tables) -> Iterator[Any]:
    """What the common neighbours within one task weigh, class by class, for every edge of it."""
    columns = arrays_of_all(batches)
    if columns is None:
        return
    u, v, du, dv, alike = columns
    ids, graph, numbers = _graph_of(u, v)
    degrees = np.empty(len(ids), dtype=np.int64)
    degrees[numbers] = np.concatenate((du, dv))
    pairs, classes, weights = weigh_edges(graph, degrees, *tables)
    yield batch_of(u=ids[pairs[:, 0]], v=ids[pairs[:, 1]], k=classes, weight=weights * _times(alike, n_colours))


def _graph_of(u: Integers, v: Integers) -> tuple[Integers, Graph, SmallIntegers]:
    """The ids of all ends, rising; the graph of their numbers; and the number of every end."""
    numbers, ids = number_integers((u, v))
    return ids, Graph(len(ids), *rows_from_edges(numbers[: len(u)], numbers[len(u) :], len(ids))), numbers


def _times(alike: Any, n_colours: int) -> int:
    """How often a task counts: every edge of aaa has the colours aaa, and no edge of another task."""
    return 2 - n_colours if alike[0] else 1
