"""Pairs of names from Parquet, a file or a folder of them, as in `graph.files.parquet`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.errors import GraphFormatError
from graphveil.graph.files.layout import counted_columns, named_columns
from graphveil.graph.files.remark import NAME, Remark, find_remark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WHOLE_NUMBERS = ("tinyint", "smallint", "int", "bigint")


@dataclass(frozen=True, slots=True, eq=False)
class NamePairs:
    """Columns `u` and `v`, both integers or both text; people without edges that the file lists; our own remark."""

    frame: DataFrame
    alone: list[str]
    remark: Remark | None


def read_parquet(spark: SparkSession, address: str) -> NamePairs:
    """The two columns with the ends of edges."""
    from pyspark.sql import functions as sf

    table = spark.read.parquet(address)
    if len(table.columns) < 2:
        raise GraphFormatError(f"{address}: a table of edges needs two columns, source and target")
    ends = [table.columns[place] for place in named_columns(table.columns) or counted_columns(table.columns)]
    kinds = [dict(table.dtypes)[end] for end in ends]
    for end, kind in zip(ends, kinds, strict=True):
        if kind not in (*WHOLE_NUMBERS, "string"):
            raise GraphFormatError(
                f"{address}: the column {end!r} holds {kind}; the ends of edges are integers or text"
            )
    kind = "string" if "string" in kinds else "bigint"
    names = table.select(*(sf.col(f"`{end}`").cast(kind).alias(side) for end, side in zip(ends, "uv", strict=True)))
    remark = _remark_of(address)
    if remark is None:
        return NamePairs(names, [], None)
    alone = [str(row.u) for row in names.where("v is null").select("u").collect()]
    return NamePairs(names.where("v is not null"), alone, remark)


def _remark_of(address: str) -> Remark | None:
    """Our own remark, where a file of ours is at hand."""
    import pyarrow.parquet as pq

    path = Path(address)
    file = next(iter(sorted(path.glob("*.parquet"))), None) if path.is_dir() else path
    if file is None or not file.is_file():
        return None
    return find_remark((pq.read_schema(file).metadata or {}).get(NAME.encode(), b"").decode(errors="replace"))
