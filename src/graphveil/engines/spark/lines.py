"""Edge lists as Spark reads them: the layout is guessed from the first lines, as in one process, then all are cut.

Only plain lines are understood: one with a quotation mark, or with more or fewer columns than the first, is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphveil.engines.spark.names import NamePairs
from graphveil.errors import GraphFormatError
from graphveil.graph.files.layout import BLANKS, Layout, guess_layout, split
from graphveil.graph.files.remark import ALONE, read_header

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SAMPLE = 1_000
INTEGER = "^[+-]?[0-9]+$"


def read_lines(spark: SparkSession, address: str, suffix: str) -> NamePairs:
    """The two names on every line."""
    from pyspark.sql import functions as sf

    text = spark.read.text(address)
    sample = [row.value for row in text.head(SAMPLE)]
    data = "\n".join(sample).encode()
    header = read_header(data)
    layout = header.layout if header else guess_layout(data, suffix)
    lines = text.select(sf.regexp_replace("value", r"^\s+|\s+$", "").alias("line")).where("line rlike '^[^#%]'")
    first = [line.strip() for line in sample if line.strip() and line.strip()[0] not in "#%"]
    if layout.header:
        lines = lines.where(sf.col("line") != first.pop(0))
    if not first:
        raise GraphFormatError(f"{address}: no edges in it")
    width = len(split(first[0], layout.separator))
    names = _cut(lines, layout)
    plain = (sf.col("width") == width) & ~sf.col("quoted") & (sf.col("u") != "") & (sf.col("v") != "")
    integers = sf.col("u").rlike(INTEGER) & sf.col("v").rlike(INTEGER)
    strange, words = names.agg(sf.count_if(~plain), sf.count_if(~integers)).head() or (0, 0)
    if strange:
        raise GraphFormatError(
            f"{address}: a line is no plain edge of {width} columns; read it without --engine, or write it as Parquet"
        )
    as_text = words or (header and header.remark.text)
    names = names.select(*(sf.col(end) if as_text else sf.col(end).try_cast("bigint").alias(end) for end in "uv"))
    alone = text.where(sf.col("value").startswith(ALONE)).collect() if header else []
    return NamePairs(names, [row.value.removeprefix(ALONE) for row in alone], header.remark if header else None)


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
