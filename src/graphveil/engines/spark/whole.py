"""Components and degeneracy: the few edges that decide them are brought here.

Components. Each task keeps only edges that join two trees, at most one fewer than there are people, and those of all
tasks are joined here: a path of the graph stays a path in the forest of every task.

Degeneracy D. Among people with at least t friends, let d be the degeneracy of the graph between them. The deepest core
has minimum degree D, so its people all have D friends or more. If d >= t, then D >= d >= t, that core lies among these
people, and D = d. Otherwise D >= d, and a lower t is tried, at last d itself, which must do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect, walk
from graphveil.engines.spark.fold import edges_of, parts_of
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.statistics.components import join_trees
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degrees import exact_h_index

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def trees_of_components(edges: DataFrame, ids: Integers, places: Integers, n_people: int) -> Integers:
    """Everybody's parent; person `places[i]` has the id `ids[i]`, which rise."""
    parents = np.arange(n_people)
    for u, v in walk(edges.mapInArrow(_forest_of_part, "u bigint, v bigint")):
        join_trees(parents, places[np.searchsorted(ids, u)], places[np.searchsorted(ids, v)])
    return parents


def _forest_of_part(batches: Batches) -> Iterator[Any]:
    """The edges of one part that join two trees."""
    for part in parts_of(batches):
        joined = join_trees(np.arange(len(part.ids)), part.u, part.v)
        yield batch_of(u=part.ids[part.u[joined]], v=part.ids[part.v[joined]])


def deepest_core(edges: DataFrame, degrees: Integers) -> int:
    """The degeneracy of the graph with these parts and degrees."""
    least = exact_h_index(degrees)  # no core is deeper
    while (found := exact_degeneracy(_between(edges, least))) < least:
        least = max(found, least // 2)
    return found


def _between(edges: DataFrame, least: int) -> Graph:
    """The graph between people of at least this degree."""
    u, v = collect(edges_of(edges, lambda du, dv: np.minimum(du, dv) >= least).select("u", "v"))
    numbers, ids = number_integers((u, v))
    return Graph(len(ids), *rows_from_edges(numbers[: len(u)], numbers[len(u) :], len(ids)))
