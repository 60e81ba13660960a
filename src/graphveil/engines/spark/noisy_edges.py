"""The noisy graph that answers about pairs make (`local.pairs.noisy_graph`), as a table of its edges.

Everybody answered for their own pairs, one bit each: the workers read the bits and keep the pairs that are joined. The
pairs of people who did not answer are filled in by the same public coin as in one process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, arrays_of, batch_of, collect, frame_of
from graphveil.engines.spark.fold import colours_for, fold
from graphveil.engines.spark.graph import SparkGraph
from graphveil.engines.spark.people import People
from graphveil.local.pairs.noisy_graph import public_answers
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import RoundContext
from graphveil.local.triangles.protocol import TriangleProtocol

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "u bigint, v bigint"


def noisy_graph(reports: DataFrame, protocol: TriangleProtocol, context: RoundContext) -> SparkGraph:
    """The noisy graph of a round in which pairs were answered for; `reports` has the columns user and payload."""
    (answered,) = collect(reports.select("user"))
    missing = np.setdiff1d(np.arange(protocol.n_people), answered)
    pairs = reports.select("user", "payload").mapInArrow(
        partial(_joined_pairs, protocol=protocol, context=context), SCHEMA
    )
    if len(missing):
        absent = frame_of(reports.sparkSession, user=missing)
        answers = partial(_public_pairs, owners=protocol.pair_owners(context), response=protocol.response(context))
        pairs = pairs.unionAll(absent.mapInArrow(answers, SCHEMA))
    folded = fold(pairs, colours_for(pairs.count()))
    people = People(folded.ids, folded.ids, protocol.n_people, None, declared=True, text=False)
    return SparkGraph(folded, people)


def _joined_pairs(batches: Batches, protocol: TriangleProtocol, context: RoundContext) -> Iterator[Any]:
    for batch in batches:
        people = batch.column("user").to_numpy()
        replies = protocol.unpack(context, people, batch.column("payload").to_pylist())["pairs"]
        starts, partners = protocol.pair_owners(context).owned(people)
        yield _pairs(people, starts, partners, replies.bits)


def _public_pairs(batches: Batches, owners: PairOwners, response: PairResponse) -> Iterator[Any]:
    for batch in batches:
        (people,) = arrays_of(batch)
        yield _pairs(people, *public_answers(people, owners, response))


def _pairs(people: Integers, starts: Integers, partners: Integers, bits: Any) -> Any:
    owners = np.repeat(people, np.diff(starts))
    return batch_of(u=owners[bits], v=partners[bits])
