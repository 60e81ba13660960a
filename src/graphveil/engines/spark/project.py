"""Degree-bounding projections where the edges are: the same edges as `graph.project`, in the same public order.

Only edges with an end of degree above the bound are in doubt. B_D ranks them at such ends, by Spark alone. A_θ depends
on each edge before: Spark sorts the edges in doubt, and they pass by here, through the scan of one process, which keeps
one number per person, and those edges in doubt that are kept.

Ties need no care: edges with equal keys at one end would need two people with equal keys, who are refused, and the
order of edges without a common end does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers, Words
from graphveil.engines.spark.arrow import Batches, batch_of, frame_of, walk
from graphveil.engines.spark.fold import Folded, edges_in, edges_of, fold
from graphveil.graph.order import keys_between, keys_of_labels
from graphveil.graph.project import scan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SIGN = np.uint64(2**63)


def keep_first_edges(table: DataFrame, max_degree: int, order: int, n_colours: int, *, text: bool) -> Folded:
    """B_D: the edges that are among the first D of both ends."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sf

    ends = _both_ends(_in_doubt(table, max_degree, order, text=text))
    rank = sf.row_number().over(Window.partitionBy("id").orderBy("key"))
    late = ends.where(sf.col("degree") > max_degree).select("id", "other", rank.alias("rank"))
    late = late.where(sf.col("rank") > max_degree)
    dropped = late.select(sf.least("id", "other").alias("u"), sf.greatest("id", "other").alias("v"))
    return fold(edges_of(table).select("u", "v").join(dropped, ["u", "v"], "left_anti"), n_colours)


def scan_in_order(
    table: DataFrame, ids: Integers, degrees: Integers, max_degree: int, order: int, n_colours: int, *, text: bool
) -> Folded:
    """A_θ: the kept edges of a scan that takes each edge while both of its ends have room."""
    doubtful = _in_doubt(table, max_degree, order, text=text)
    places_taken, lost = np.zeros(len(ids), dtype=np.int64), np.zeros(len(ids), dtype=np.int64)
    kept: list[Integers] = []
    for columns in walk(doubtful.sort("key").select("u", "v")):
        pairs = np.searchsorted(ids, columns).T
        keep = scan(pairs, np.arange(len(pairs)), places_taken, max_degree, count_dropped=False)
        np.add.at(lost, pairs[~keep].ravel(), 1)
        kept.append(columns[:, keep])

    def edges() -> DataFrame:
        u, v = np.concatenate(kept, axis=1) if kept else np.empty((2, 0), dtype=np.int64)
        certain = edges_of(table, lambda du, dv: np.maximum(du, dv) <= max_degree).select("u", "v")
        return fold(certain.unionAll(frame_of(table.sparkSession, u=u, v=v)), n_colours).edges()

    return Folded(edges, ids, degrees - lost, n_colours)


def _both_ends(edges: DataFrame) -> DataFrame:
    """Every edge from both of its ends."""
    return edges.selectExpr("u id", "v other", "du degree", "key").unionAll(
        edges.selectExpr("v id", "u other", "dv degree", "key")
    )


def _in_doubt(table: DataFrame, max_degree: int, order: int, *, text: bool) -> DataFrame:
    """The edges that a bound may cost, with their keys."""
    schema = "u bigint, v bigint, du bigint, dv bigint, key bigint"
    return table.mapInArrow(partial(_edges_in_doubt, max_degree=max_degree, order=order, text=text), schema)


def _edges_in_doubt(batches: Batches, max_degree: int, order: int, text: bool) -> Iterator[Any]:  # noqa: FBT001 - travels in a partial
    for columns in edges_in(batches):
        doubtful = np.maximum(*columns[2:]) > max_degree
        u, v, du, dv = (column[doubtful] for column in columns)
        keys = keys_between(_label_keys(u, text=text), _label_keys(v, text=text), order)
        yield batch_of(u=u, v=v, du=du, dv=dv, key=(keys ^ SIGN).view(np.int64))  # Spark compares with signs


def _label_keys(ids: Integers, *, text: bool) -> Words:
    """The ids of text are these keys already."""
    return ids.view(np.uint64) if text else keys_of_labels(ids)
