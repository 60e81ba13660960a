"""Reports that Spark adds up.

Where a protocol needs sums only (`local.mergeable`), payloads are read and added up by the workers, and as many numbers
come back as the tally has. Other protocols look at every report by itself: those are brought here, a payload each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.reports import check_columns, outcome_of_rounds
from graphveil.engines.spark.arrow import Batches, batch_of
from graphveil.errors import GraphFormatError, ParameterError, ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.mergeable import Mergeable
from graphveil.local.protocol import Received, RoundContext
from graphveil.local.result import CollectionResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def outcome_of_reports(spark: SparkSession, campaign: Campaign, path: str | os.PathLike[str]) -> CollectionResult:
    """A campaign's outcome from a table of reports."""
    reports = read_reports(spark, path, campaign)
    if not isinstance(campaign.protocol, Mergeable):
        return outcome_of_rounds(campaign, _bring(reports, campaign.rounds), str(path))
    n_reports, needed = reports.count(), campaign.minimum_reports
    if n_reports < needed:
        raise ParameterError(f"round 1 has {n_reports} reports; it closes with at least {needed}")
    report_counts = add_up(campaign.protocol, reports, str(path))
    return CollectionResult.of(campaign.protocol, campaign.protocol.conclude(report_counts, n_reports), (n_reports,))


def read_reports(spark: SparkSession, path: str | os.PathLike[str], campaign: Campaign) -> DataFrame:
    """Columns round, user, payload: each report once, all of them from people and rounds of the campaign."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as sf

    try:
        table = spark.read.parquet(os.fspath(path))
    except PySparkException as error:
        raise GraphFormatError(f"{path}: Spark cannot read it: {' '.join(str(error).split())[:160]}") from None
    check_columns(table.columns, str(path))
    number = sf.col("round").cast("int") if "round" in table.columns else sf.lit(1)
    user, payload = sf.col("user").cast("bigint"), sf.col("payload").cast("binary")
    reports = table.select(number.alias("round"), user.alias("user"), payload.alias("payload")).distinct().persist()
    strange = ~(sf.col("user").between(0, campaign.n_people - 1) & sf.col("round").between(1, campaign.rounds))
    if reports.where(sf.coalesce(strange, sf.expr("true"))).head(1):
        raise GraphFormatError(f"{path}: a report is from nobody on the roster, or of no round of the campaign")
    if reports.groupBy("round", "user").count().where("count > 1").head(1):
        raise GraphFormatError(f"{path}: one person sent two different reports in one round")
    return reports


def add_up(protocol: Any, reports: DataFrame, origin: str) -> Integers:
    """The tally of all reports of a protocol that has one."""
    from pyspark.sql import functions as sf

    nobody = np.empty(0, dtype=np.int64)
    shape = protocol.report_counts(Received(nobody, protocol.unpack(RoundContext(), nobody, []))).shape
    parts = reports.select("user", "payload").mapInArrow(
        partial(_tally_part, protocol=protocol), "place bigint, count bigint, refusal string"
    )
    summed = parts.groupBy("place", "refusal").agg(sf.sum("count").alias("count"))
    table = summed.toArrow()
    refusals = [text for text in table["refusal"].to_pylist() if text]
    if refusals:
        raise GraphFormatError(f"{origin}: a report in it is refused: {refusals[0]}")
    report_counts = np.zeros(shape, dtype=np.int64)
    report_counts.ravel()[table["place"].to_numpy()] = table["count"].to_numpy()
    return report_counts


def _tally_part(batches: Batches, protocol: Any) -> Iterator[Any]:
    """The tally of one partition, without its zeros; or why a report is refused."""
    total: Integers | None = None
    for batch in batches:
        people = batch.column("user").to_numpy()
        try:
            part = protocol.report_counts(
                Received(people, protocol.unpack(RoundContext(), people, batch.column("payload").to_pylist()))
            )
        except ReportRefused as refusal:
            yield batch_of(place=np.array([0]), count=np.array([0]), refusal=[str(refusal)])
            return
        total = part if total is None else total + part
    if total is not None:
        places = np.flatnonzero(total)
        yield batch_of(place=places, count=total.ravel()[places], refusal=[""] * len(places))


def _bring(reports: DataFrame, n_rounds: int) -> Iterator[dict[int, bytes]]:
    for number in range(1, n_rounds + 1):
        table = reports.where(f"round = {number}").select("user", "payload").toArrow()
        yield dict(zip(table["user"].to_pylist(), table["payload"].to_pylist(), strict=True))
