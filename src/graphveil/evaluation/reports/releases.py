"""The report of released statistics: each with its interval, what is promised to whom, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from graphveil.display.svg import budget_bar
from graphveil.evaluation.reports.page import Report
from graphveil.mechanisms.entries import columns_of, last_name, left_out, picture
from graphveil.mechanisms.release import Release, interval_cell, interval_words, promise, short
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import lower_end, text_up, upper_end

MOST_ROWS = 60  # of a list in a page; a CSV or Parquet file has all


def release_report(
    releases: Sequence[Release],
    *,
    left: Fraction | None = None,
    budget: Fraction | None = None,
    request_id: str | None = None,
) -> Report:
    """A page for releases of one data set; `left` and `budget` are what the ledger says, if there is one.

    `request_id` names the issue of a published series, such as the month.
    """
    first = releases[0]
    names = ", ".join(dict.fromkeys(release.query for release in releases))
    issue = f" ({request_id})" if request_id else ""
    report = Report(f"Released statistics: {names}{issue}", first.provenance.dataset, made=first.provenance.created)
    report.summary += [sentence(release) for release in releases]
    total = _total(releases)
    report.summary.append(
        f"All of it together costs epsilon {text_up(total)} for one {first.guarantee.unit}: {odds_sentence(total)}."
    )
    if any(release.guarantee.status is Status.SEEDED for release in releases):
        report.summary.append("Made with repeatable noise: there is no guarantee, and nothing here may be published.")
    assumed = tuple(dict.fromkeys(text for release in releases for text in release.guarantee.assumes))
    add_promise(report, replace(first.guarantee, epsilon=total, assumes=assumed))
    add_budget(report, _parts(releases), left, budget)
    report.heading("Figures")
    report.table(
        ("statistic", "value", "95 % interval", "epsilon"),
        [
            (
                release.title,
                release.shown,
                interval_cell(release.accuracy) or "none is known",
                text_up(release.guarantee.epsilon),
            )
            for release in releases
        ],
        "Released values with their intervals",
    )
    for release in releases:
        add_list(report, release)
    report.heading("How each answer was made")
    for release in releases:
        report.code(release.explain())
    return report


def add_promise(report: Report, guarantee: Guarantee, of: str = "") -> None:
    """What a guarantee says, `of` which answer, to whom, and what it does not cover."""
    report.heading(f"What is promised{f' by {of}' if of else ''}, and to whom")
    report.facts(promise(guarantee))


def _total(releases: Sequence[Release]) -> Fraction:
    """What all of them cost: groups of one request share their epsilon."""
    if "group" in releases[0].provenance.parameters:
        return releases[0].guarantee.epsilon
    return sum((release.guarantee.epsilon for release in releases), Fraction(0))


def _parts(releases: Sequence[Release]) -> list[tuple[str, float]]:
    """What each cost; groups of one request cost what one does."""
    parts = [(release.title, float(release.guarantee.epsilon)) for release in releases]
    return parts[:1] if "group" in releases[0].provenance.parameters else parts


def sentence(release: Release) -> str:
    """An answer in the summary of a page, and why it may be of little use."""
    warned = "".join(f" Warning: {warning}." for warning in release.warnings)
    if isinstance(release.value, tuple) and release.accuracy.center is None:
        return f"{release.title}: {release.shown}, each with an interval below.{warned}"
    known = f"; with 95 % confidence {interval_words(release.accuracy)}" if release.accuracy.bands else ""
    return f"{release.title}: {release.shown}{known}.{warned}"


def add_list(report: Report, release: Release) -> None:
    """The chart and the first rows of an answer that is a list; nothing of another."""
    if not isinstance(release.value, tuple):
        return
    report.figure(picture(release), f"{release.title} with 95 % intervals.{left_out(release)}")
    columns = columns_of(release)
    rows = list(zip(*columns.values(), strict=True))
    if last := last_name(release):
        rows[-1] = (last, *rows[-1][1:])
    shown = _joined([[_cell(name, cell) for name, cell in zip(columns, row, strict=True)] for row in rows])
    names = [name.replace("_", " ").replace("low95", "from (95 %)").replace("high95", "to (95 %)") for name in columns]
    rest = "the table that --out FILE.csv writes has all of them"
    more = f", the first {MOST_ROWS} of {len(shown):,} rows ({rest})" if len(shown) > MOST_ROWS else ""
    report.table(names, shown[:MOST_ROWS], f"{release.title}{more}")


def _cell(name: str, cell: Any) -> str:
    """A cell of such a table; ends of intervals are rounded outwards, as the commands print them."""
    if cell is None or isinstance(cell, str):
        return cell or "-"
    if name in ("low95", "high95"):
        return lower_end(cell) if name == "low95" else upper_end(cell)
    return short(cell)


def _joined(rows: list[list[str]]) -> list[list[str]]:
    """The rows, with one for neighbours that are numbered and otherwise alike, such as the empty end of a histogram."""
    joined: list[list[str]] = []
    for _, run in groupby(rows, key=lambda row: row[1:]):
        alike = list(run)
        if len(alike) > 2 and all(row[0].replace(",", "").isdecimal() for row in alike):
            alike = [[f"{alike[0][0]} to {alike[-1][0]}", *alike[0][1:]]]
        joined += alike
    return joined


def add_budget(
    report: Report, parts: Sequence[tuple[str, float]], left: Fraction | None, budget: Fraction | None
) -> None:
    """A bar of what was spent: before, and now part by part."""
    report.heading("Budget")
    if left is None or budget is None:
        report.text("No ledger recorded this. Nothing limits how often these people's data may be asked again.")
        return
    before = float(budget - left) - sum(part for _, part in parts)
    earlier = [("earlier", before)] if before > 1e-9 else []
    caption = f"epsilon {text_up(budget - left)} of {text_up(budget)} is spent"
    report.figure(budget_bar([*earlier, *parts], float(budget), title=caption), caption + ".")
