"""Triangles, in parts that fit in memory: colours (Suri and Vassilvitskii 2011).

Every node has one of ρ colours, and the table has a part for every two colours (`engines.spark.fold`). There is a task
for every three colours a <= b <= c, which is sent the parts of any two of them, and counts the triangles among these
edges with the kernel of one process. A triangle of three colours, or of two, is in exactly one task. One of a single
colour a is in the task aaa and in the ρ - 1 tasks with a twice; so the counts of aaa are taken 2 - ρ times.

A task has about 6 m / ρ² edges at most (3 m / 4 for two colours), whatever the degrees are: the edges of a hub spread
over the colours of its neighbours. The shuffle moves ρ m edges of 8 bytes, and the ids of every part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, batch_of
from graphveil.engines.spark.fold import Part
from graphveil.engines.spark.parcels import deliver, delivery, sum_by_id
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.statistics.clustering import weigh_edges
from graphveil.graph.statistics.triangles import triangles_of_edges

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Tables = tuple[Integers, Integers, Integers]  # class of a degree, weights in it and in the next


def triangles_by_id(table: DataFrame, n_colours: int) -> DataFrame:
    """Parcels of ids and triangles (`parcels.bring`), for nodes that have any."""
    return sum_by_id(_tasks(table, n_colours), partial(count_in_task, n_colours=n_colours), n_colours)


def capped_sums_by_class(table: DataFrame, n_colours: int, tables: Tables, caps: Integers) -> DataFrame:
    """Columns k (the class) and total: see `graph.statistics.clustering.capped_class_sums`.

    A task has only some of an edge's common neighbours, so their weights are added up before they are capped.
    """
    from pyspark.sql import functions as sf

    weighed = _tasks(table, n_colours).mapInArrow(
        partial(_weigh_in_task, n_colours=n_colours, tables=tables), "u bigint, v bigint, k bigint, weight bigint"
    )
    whole = weighed.groupBy("u", "v", "k").agg(sf.sum("weight").alias("weight"))
    cap = sf.get(sf.array(*map(sf.lit, caps.tolist())), sf.col("k"))
    return whole.groupBy("k").agg(sf.sum(sf.least("weight", cap)).alias("total"))


def _tasks(table: DataFrame, n_colours: int) -> DataFrame:
    wanted = tasks_of_colours(n_colours)
    return deliver(table, int(wanted.max()) + 1, wanted)


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


def count_in_task(batches: Batches, n_colours: int) -> Iterator[Sequence[Integers]]:
    """Triangles per node among the edges of one task, once or 2 - ρ times."""
    sent = delivery(batches)
    if sent is not None and (times := _times(sent.part, n_colours)):
        part = _joined(sent.parcels)
        triangles = times * triangles_of_edges(part.u, part.v, part.degrees)
        some = triangles != 0
        yield part.ids[some], triangles[some]


def _weigh_in_task(batches: Batches, n_colours: int, tables: Tables) -> Iterator[Any]:
    """What the common neighbours within one task weigh, class by class, for every edge of it."""
    sent = delivery(batches)
    if sent is not None and (times := _times(sent.part, n_colours)):
        part = _joined(sent.parcels)
        graph = Graph(len(part.ids), *rows_from_edges(part.u, part.v, len(part.ids)))
        pairs, classes, weights = weigh_edges(graph, part.degrees, *tables)
        yield batch_of(u=part.ids[pairs[:, 0]], v=part.ids[pairs[:, 1]], k=classes, weight=times * weights)


def _joined(parcels: list[bytes]) -> Part:
    """The parts in one, without an order of edges."""
    parts = [Part.unpack(parcel) for parcel in parcels]
    numbers, ids = number_integers([part.ids for part in parts])
    degrees = np.empty(len(ids), dtype=np.int64)
    degrees[numbers] = np.concatenate([part.degrees for part in parts])
    starts = np.cumsum([0, *(len(part.ids) for part in parts)])
    u, v = (
        np.concatenate([numbers[start + part[end]] for start, part in zip(starts, parts, strict=False)])
        for end in (2, 3)
    )
    return Part(ids, degrees, u, v)


def _times(task: int, n_colours: int) -> int:
    """How often a task counts: 2 - ρ times if it is that of a single colour."""
    a = np.arange(n_colours)
    alone = a + a * (a + 1) // 2 + a * (a + 1) * (a + 2) // 6
    return 2 - n_colours if task in alone else 1
