"""Triangles, in parts that fit in memory: colours (Suri and Vassilvitskii 2011).

A hash gives every node one of ρ colours. There is a task for every three colours a <= b <= c, and an edge between the
colours a and b goes to the ρ tasks that hold both. Each task counts the triangles among its edges with the kernel of
one process. A triangle of three colours, or of two, is in exactly one task. One of a single colour a is in the task
aaa and in the ρ - 1 tasks with a twice; so the counts of aaa are taken 2 - ρ times.

A task has about 6 m / ρ² edges at most, whatever the degrees are: the edges of a hub spread over the colours of its
neighbours. The shuffle moves ρ m edges of 16 bytes. Edges with an end of degree 1 are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers, SmallIntegers
from graphveil.engines.spark.arrow import Batches, batch_of
from graphveil.engines.spark.parcels import colour_of, contents, send
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

    tasks = send(edges, partial(_pairs_by_colour, n_colours=n_colours), tasks_of_colours(n_colours))
    counted = tasks.mapInArrow(partial(count_in_task, n_colours=n_colours), "id bigint, triangles bigint")
    return counted.groupBy("id").agg(sf.sum("triangles").alias("triangles"))


def capped_sums_by_class(edges: DataFrame, n_colours: int, tables: Tables, caps: Integers) -> DataFrame:
    """Columns k (the class) and total: see `graph.statistics.clustering.capped_class_sums`.

    A task has only some of an edge's common neighbours, so their weights are added up before they are capped.
    """
    from pyspark.sql import functions as sf

    sort = partial(_pairs_by_colour, n_colours=n_colours, with_degrees=True)
    weighed = send(edges, sort, tasks_of_colours(n_colours)).mapInArrow(
        partial(_weigh_in_task, n_colours=n_colours, tables=tables), "u bigint, v bigint, k bigint, weight bigint"
    )
    whole = weighed.groupBy("u", "v", "k").agg(sf.sum("weight").alias("weight"))
    cap = sf.get(sf.array(*map(sf.lit, caps.tolist())), sf.col("k"))
    return whole.groupBy("k").agg(sf.sum(sf.least("weight", cap)).alias("total"))


def tasks_of_colours(n_colours: int) -> Integers:
    """For every two colours a <= b, in place b (b + 1) / 2 + a, the tasks that hold both, in rising order of the third.

    Tasks are numbered like the cells of a pyramid: a + b (b + 1) / 2 + c (c + 1) (c + 2) / 6 for a <= b <= c.

    >>> tasks_of_colours(2).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    larger, smaller = np.tril_indices(n_colours)
    thirds = np.arange(n_colours)
    three = np.broadcast_arrays(larger[:, None], smaller[:, None], thirds)
    a, b, c = np.sort(np.stack(three), axis=0)
    tasks: Integers = a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6
    return tasks


def _pairs_by_colour(
    u: Integers,
    v: Integers,
    du: Integers,
    dv: Integers,
    n_colours: int,
    with_degrees: bool = False,  # noqa: FBT001, FBT002 - travels in a partial
) -> tuple[Integers, list[Integers]]:
    """The edges that may be in a triangle, and the colours of each."""
    kept = (du > 1) & (dv > 1)
    columns = [column[kept] for column in ((u, v, du, dv) if with_degrees else (u, v))]
    first, second = (colour_of(end, n_colours) for end in columns[:2])
    larger = np.maximum(first, second)
    return larger * (larger + 1) // 2 + np.minimum(first, second), columns


def count_in_task(batches: Batches, n_colours: int) -> Iterator[Any]:
    """Triangles per node among the edges of one task, once or 2 - ρ times."""
    found = contents(batches, 2)
    if found is None:
        return
    ids, graph, _ = _graph_of(*found.columns)
    triangles = exact_triangles_per_node(graph) * _times(found.part, n_colours)
    some = triangles != 0
    yield batch_of(id=ids[some], triangles=triangles[some])


def _weigh_in_task(batches: Batches, n_colours: int, tables: Tables) -> Iterator[Any]:
    """What the common neighbours within one task weigh, class by class, for every edge of it."""
    found = contents(batches, 4)
    if found is None:
        return
    u, v, du, dv = found.columns
    ids, graph, numbers = _graph_of(u, v)
    degrees = np.empty(len(ids), dtype=np.int64)
    degrees[numbers] = np.concatenate((du, dv))
    pairs, classes, weights = weigh_edges(graph, degrees, *tables)
    weights *= _times(found.part, n_colours)
    yield batch_of(u=ids[pairs[:, 0]], v=ids[pairs[:, 1]], k=classes, weight=weights)


def _graph_of(u: Integers, v: Integers) -> tuple[Integers, Graph, SmallIntegers]:
    """The ids of all ends, rising; the graph of their numbers; and the number of every end."""
    numbers, ids = number_integers((u, v))
    return ids, Graph(len(ids), *rows_from_edges(numbers[: len(u)], numbers[len(u) :], len(ids))), numbers


def _times(task: int, n_colours: int) -> int:
    """How often a task counts: 2 - ρ times if it is that of a single colour."""
    a = np.arange(n_colours)
    alone = a + a * (a + 1) // 2 + a * (a + 1) * (a + 2) // 6
    return 2 - n_colours if task in alone else 1
