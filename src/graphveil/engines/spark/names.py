"""Pairs of names from Parquet, a file or a folder of them, or from an edge list, as in one process.

The layout of an edge list is guessed from its first lines, then all are cut. Only plain lines are understood: one with
a quotation mark, or with more or fewer columns than the first, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.errors import GraphFormatError
from graphveil.graph.files.layout import BLANKS, Layout, guess_layout, split, table_columns
from graphveil.graph.files.read import Reading
from graphveil.graph.files.remark import ALONE, NAME, Remark, find_remark, read_header
from graphveil.graph.labels import PLAIN_INTEGER, are_plain_integers

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SAMPLE = 1_000
WHOLE_NUMBERS = ("tinyint", "smallint", "int", "bigint")


@dataclass(frozen=True, slots=True, eq=False)
class NamePairs:
    """Columns `u` and `v`, both integers or both text; people without edges that the file lists; our own remark."""

    frame: DataFrame
    alone: list[str]
    remark: Remark | None
    notes: tuple[str, ...] = ()


def read_parquet(spark: SparkSession, address: str, columns: tuple[str, str] | None = None) -> NamePairs:
    """The two columns with the ends of edges."""
    from pyspark.sql import functions as sf

    table = spark.read.parquet(address)
    if len(table.columns) < 2:
        raise GraphFormatError(f"{address}: a table of edges needs two columns, source and target")
    ends = [table.columns[place] for place in table_columns(table.columns, columns)]
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
    return find_remark((pq.read_metadata(file).metadata or {}).get(NAME.encode(), b"").decode(errors="replace"))


def read_lines(
    spark: SparkSession,
    address: str,
    suffix: str,
    *,
    how: Reading,
    people: Collection[str] | None = None,
) -> NamePairs:
    """The two names on every line."""
    from pyspark.sql import functions as sf

    text = spark.read.text(address)
    sample = [row.value for row in text.head(SAMPLE)]
    data = "\n".join(sample).encode()
    ours = read_header(data)
    layout = ours.layout if ours else guess_layout(
        data, suffix, header=how.header, people=people, columns=how.columns, separator=how.separator
    )  # fmt: skip
    lines = text.select(sf.regexp_replace("value", r"^\s+|\s+$", "").alias("line")).where("line rlike '^[^#%]'")
    first = [line.strip() for line in sample if line.strip() and line.strip()[0] not in "#%"]
    if layout.header:
        lines = lines.where(sf.col("line") != first.pop(0))
    if not first:
        raise GraphFormatError(f"{address}: no edges in it")
    width = len(split(first[0], layout.separator))
    names = _cut(lines, layout)
    plain = (sf.col("width") == width) & ~sf.col("quoted") & (sf.col("u") != "") & (sf.col("v") != "")
    plain_integer = f"^({PLAIN_INTEGER.pattern})$"
    u, v = (sf.col(end).rlike(plain_integer) & sf.col(end).try_cast("bigint").isNotNull() for end in "uv")
    integers = u & v
    strange, words = names.agg(sf.count_if(~plain), sf.count_if(~integers)).head() or (0, 0)
    if strange:
        raise GraphFormatError(
            f"{address}: a line is no plain edge of {width} columns; read it without --engine, or write it as Parquet"
        )
    listed = text.where(sf.col("value").startswith(ALONE)).collect() if ours else []
    alone = [row.value.removeprefix(ALONE) for row in listed]
    as_text = words or (ours and ours.remark.text) or not are_plain_integers(alone)
    names = names.select(*(sf.col(end) if as_text else sf.col(end).try_cast("bigint").alias(end) for end in "uv"))
    return NamePairs(names, alone, ours.remark if ours else None, layout.notes)


def _cut(lines: DataFrame, layout: Layout) -> DataFrame:
    """The two ends of every line, how many columns it has, and whether a quotation mark is among them."""
    from pyspark.sql import functions as sf

    separator = r"[ \t]+" if layout.separator == BLANKS else rf"[ \t]*{re.escape(layout.separator)}[ \t]*"
    fields = lines.select(sf.split("line", separator).alias("fields"), sf.contains("line", sf.lit('"')).alias("quoted"))
    ends = (
        sf.coalesce(sf.get("fields", sf.lit(place)), sf.lit("")).alias(end)
        for place, end in zip(layout.columns, "uv", strict=True)
    )
    return fields.select(*ends, sf.size("fields").alias("width"), "quoted")
