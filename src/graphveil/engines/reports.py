"""Reports that were stored as a table: columns `user`, `payload` (bytes) and, with several rounds, `round` from 1 on.

What comes of them is decided by `local.collector`, round by round; publications follow from the reports. Of a report
that stands there twice one counts; two different ones of a person are refused, and so is whatever a collector would
not have taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from graphveil.errors import GraphFormatError, ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.collector import Collector, CollectorState, Payloads
from graphveil.local.result import CollectionResult

COLUMNS = ("round", "user", "payload")


def outcome_of_rounds(campaign: Campaign, rounds: Iterable[Payloads], origin: str) -> CollectionResult:
    """The campaign's outcome, from the payloads of each round by person."""
    collector, state = Collector(campaign), CollectorState()
    try:
        for payloads in rounds:
            check_people(campaign, payloads, state.reports[:-1], origin)
            state = collector.close_round(replace(state, reports=(*state.reports[:-1], payloads)))
        return collector.outcome(state)
    except ReportRefused as refusal:
        raise GraphFormatError(f"{origin}: a report in it is refused: {refusal}") from None


def check_people(campaign: Campaign, payloads: Payloads, earlier: Iterable[Payloads], origin: str) -> None:
    """Everybody is on the roster, and answered the rounds before."""
    if any(not 0 <= user < campaign.n_people for user in payloads):
        raise GraphFormatError(f"{origin}: a report is from nobody on the roster of {campaign.n_people:,} people")
    if any(not payloads.keys() <= before.keys() for before in earlier):
        raise GraphFormatError(f"{origin}: a report is from somebody who did not answer the rounds before")


def read_rounds(path: str | os.PathLike[str], n_rounds: int) -> list[dict[int, bytes]]:
    """The payloads of each round by person, from Parquet, a file or a folder of them."""
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    try:
        table = pl.read_parquet(os.fspath(path))
    except (PolarsError, PanicException, OSError):
        raise GraphFormatError(f"{path}: is damaged, cut short or not Parquet") from None
    check_columns(table.columns, str(path))
    users, payloads = table["user"].to_list(), table["payload"].to_list()
    numbers = table["round"].to_list() if "round" in table.columns else [1] * len(users)
    rounds: list[dict[int, bytes]] = [{} for _ in range(n_rounds)]
    for number, user, payload in zip(numbers, users, payloads, strict=True):
        if not 1 <= number <= n_rounds:
            raise GraphFormatError(f"{path}: a report is of round {number}; the campaign has {n_rounds}")
        if rounds[number - 1].setdefault(user, payload) != payload:
            raise GraphFormatError(f"{path}: one person sent two different reports in one round")
    return rounds


def check_columns(names: Iterable[str], origin: str) -> None:
    """Refuse a table without the columns that reports have."""
    if not {"user", "payload"} <= set(names):
        raise GraphFormatError(f"{origin}: a table of reports has the columns {', '.join(COLUMNS)}")
