"""From pairs of ids to the table that everything else uses: each edge once, with the degrees of both its ends.

Direction, repeats and loops are dropped. The degrees are joined to the edges once and for all, so that no later step
needs one number per person on a worker. The table is kept by Spark, in memory or on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import collect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


BROADCAST = 2_000_000  # people whose degrees fit into every executor, at about 32 bytes each


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """Ids rise, and each has its degree; `edges` gives the table, columns u < v (ids), du and dv (degrees)."""

    edges: Callable[[], DataFrame]
    ids: Integers
    degrees: Integers


def fold(pairs: DataFrame) -> Folded:
    """The simple graph with these pairs."""
    from pyspark.sql import functions as sf

    ordered = pairs.select(sf.least("u", "v").alias("u"), sf.greatest("u", "v").alias("v"))
    return with_degrees(ordered.where("u <> v").distinct())


def with_degrees(pairs: DataFrame) -> Folded:
    """The same for pairs that are distinct and ordered already."""
    from pyspark.sql import functions as sf

    pairs = pairs.persist()
    degrees = both_ends(pairs, "u", "v").groupBy("id").agg(sf.count("*").alias("degree")).persist()
    ids, counts = collect(degrees)
    join = "broadcast" if len(ids) <= BROADCAST else "shuffle_hash"  # neither sorts the edges
    first = degrees.select(sf.col("id").alias("u"), sf.col("degree").alias("du")).hint(join)
    second = degrees.select(sf.col("id").alias("v"), sf.col("degree").alias("dv")).hint(join)
    edges = pairs.join(first, "u").join(second, "v").select("u", "v", "du", "dv").persist()
    edges.count()  # from here on pairs and degrees are not needed
    pairs.unpersist()
    degrees.unpersist()
    order = np.argsort(ids)
    return Folded(lambda: edges, ids[order], counts[order])


def both_ends(edges: DataFrame, first: str, second: str, *others: tuple[str, str, str]) -> DataFrame:
    """Every edge from both of its ends: the column `id`, and of others (name, at the first, at the second)."""
    from pyspark.sql import functions as sf

    here = [sf.col(first).alias("id"), *(sf.col(column).alias(name) for name, column, _ in others)]
    there = [sf.col(second).alias("id"), *(sf.col(column).alias(name) for name, _, column in others)]
    return edges.select(*here).unionAll(edges.select(*there))
