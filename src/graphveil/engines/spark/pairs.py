"""A table of pairs of ids, from a table of pairs of names.

Names are integers, or text as soon as one of them is no plain one, exactly as when a file is read in one process. An
integer is its own id; of text the id is the key of its public order (`graph.order`), and two people with the same key
are refused, since nothing would tell them apart.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect
from graphveil.engines.spark.names import NamePairs, read_lines, read_parquet
from graphveil.errors import GraphFormatError, ParameterError, UnsupportedByEngine
from graphveil.graph.files.formats import EDGE_LIST_SUFFIXES, split_compression
from graphveil.graph.files.read import Reading
from graphveil.graph.labels import LARGEST, text_labels
from graphveil.graph.order import keys_of_labels

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of ids in the columns `u` and `v` of `frame`, how many of them, how many loops, and who is not in them.

    Where names are text, `names[i]` has the id `ids[i]`, and ids rise; else both are None.
    """

    frame: DataFrame
    lines: int
    loops: int
    ids: Integers | None = None
    names: AnyArray | None = None
    largest: int = LARGEST  # no id is above it
    alone: tuple[str, ...] = ()
    declared: bool = False
    named: bool = True
    notes: tuple[str, ...] = ()


def read_pairs(
    spark: SparkSession,
    path: str | os.PathLike[str],
    *,
    how: Reading,
    people: Collection[str] | None = None,
) -> Pairs:
    """Everything that a table of pairs says; in Parquet, or on lines of text."""
    from pyspark.errors import PySparkException

    address = _address(path)
    suffix, compression = split_compression(Path(address))
    lines = suffix in EDGE_LIST_SUFFIXES and compression != "zstd"
    if not lines and suffix not in ("", ".parquet"):
        raise UnsupportedByEngine(
            f"{address}: Spark reads Parquet, a file or a folder of them, and edge lists "
            f"({', '.join(EDGE_LIST_SUFFIXES)}, also .gz)"
        )
    if how.format is not None:
        raise UnsupportedByEngine(f"{address}: Spark goes by the file's name: leave out --format, or --engine")
    if not lines and (how.header is not None or how.separator is not None):
        raise ParameterError(f"{address}: header= and sep= (--header, --no-header, --sep) are for edge lists")
    try:
        if lines:
            return pairs_of(read_lines(spark, address, suffix, how=how, people=people), address)
        return pairs_of(read_parquet(spark, address, how.columns), address)
    except PySparkException:  # whose message may repeat what the file says
        raise GraphFormatError(f"{path}: Spark cannot read it as a table of edges") from None


def pairs_of(found: NamePairs, origin: str) -> Pairs:
    """Ids in place of names, after one pass that checks them."""
    from pyspark.sql import functions as sf

    frame, text = found.frame, dict(found.frame.dtypes)["u"] == "string"
    negative = sf.lit(0) if text else sf.count_if((sf.col("u") < 0) | (sf.col("v") < 0))
    missing = sf.count_if(sf.isnull("u") | sf.isnull("v"))
    largest = sf.lit(LARGEST) if text else sf.max(sf.greatest("u", "v"))
    checked = frame.agg(sf.count("*"), sf.count_if(sf.col("u") == sf.col("v")), missing, negative, largest).head()
    lines, loops, n_missing, n_negative, above = checked or (0, 0, 0, 0, None)
    if n_missing:
        raise GraphFormatError(f"{origin}: an edge lacks an id, or has one above {2**63 - 1}; each needs two")
    if n_negative:  # no plain integer: all names are kept as text
        frame, text = frame.select(*(sf.col(end).cast("string") for end in "uv")), True
    remark = found.remark
    declared, named = (remark.declared, not remark.by_position) if remark else (False, True)
    listed: dict[str, Any] = {"alone": tuple(found.alone), "declared": declared, "named": named, "notes": found.notes}
    if text:
        return Pairs(frame.mapInArrow(_ids_of_names, "u bigint, v bigint"), lines, loops, *_people(frame), **listed)
    return Pairs(frame, lines, loops, largest=LARGEST if above is None else above, **listed)


def _people(frame: DataFrame) -> tuple[Integers, AnyArray]:
    """Ids, rising, and the names they stand for."""
    from pyspark.sql import functions as sf

    both = frame.select(sf.col("u").alias("name")).unionAll(frame.select("v")).distinct()
    names = text_labels(collect(both)[0].tolist())
    keys = keys_of_labels(names).view(np.int64)
    order = np.argsort(keys)
    if (np.diff(keys[order]) == 0).any():
        raise UnsupportedByEngine("two names share a key in the public order: rename one, or leave out --engine")
    return keys[order], names[order]


def _ids_of_names(batches: Batches) -> Iterator[Any]:
    for batch in batches:
        yield batch_of(u=_keys(batch.column("u")), v=_keys(batch.column("v")))


def _keys(names: Any) -> Integers:
    """Of every name, computed once for equal ones."""
    coded = names.dictionary_encode()
    keys = keys_of_labels(np.array(coded.dictionary.to_pylist(), dtype=object)).view(np.int64)
    ids: Integers = keys[coded.indices.to_numpy(zero_copy_only=False)]
    return ids


def _address(path: str | os.PathLike[str]) -> str:
    """A URL that went through a `Path` lost one of its slashes."""
    return re.sub(r"^([a-z][a-z0-9]+):/(?=[^/])", r"\1://", os.fspath(path))


def loop_ids(pairs: Pairs) -> Integers:
    """Who is named with themselves."""
    if not pairs.loops:
        return np.zeros(0, dtype=np.int64)
    (found,) = collect(pairs.frame.where("u = v").select("u").distinct())
    return found
