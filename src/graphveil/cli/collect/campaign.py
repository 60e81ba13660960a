"""What an operator does with a campaign: `graphveil collect status`, close, result, pause, resume, cancel, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graphveil.cli.collect.options import CampaignOptions
from graphveil.cli.command import group_options
from graphveil.cli.options import AsJson, EngineName, Force, Master
from graphveil.cli.output import (
    confirm,
    note,
    number,
    print_json,
    print_line,
    print_result,
    print_table,
    result_file,
    status_text,
    working,
)
from graphveil.errors import ParameterError


@group_options
def status(
    which: CampaignOptions,
    missing: Annotated[bool, typer.Option("--missing", help="List who has not answered the open round.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show where a campaign stands, who takes part, and what was refused.

    --missing lists the names of those who have not answered, for reminders. Answers are never shown.

    Example: graphveil collect status --campaign 3f9a
    """
    with which.connect() as (client, found):
        answer = client.missing(found) if missing else client.progress(found)
    if as_json:
        print_json(answer)
        return
    if missing:
        _print_missing(answer)
        return
    paused = ", paused" if answer["paused"] else ""
    until = f"closes {answer['closes']}" if answer["finished"] is None else f"ended {answer['finished']}"
    rows = [
        ("state", f"{answer['state']}{paused}, round {answer['round']} of {answer['rounds']}, {until}"),
        ("people", f"{number(answer['people'])}, {number(answer['enrolled'])} enrolled"),
        ("reports", ", ".join(f"round {i + 1}: {number(count)}" for i, count in enumerate(answer["reports"]))),
        (
            "refused",
            ", ".join(f"{_refusal(reason)}: {number(count)}" for reason, count in answer["refusals"].items()) or "none",
        ),
    ]
    if answer.get("why"):  # of a campaign with two servers that stopped
        rows.append(("stopped", answer["why"]))
    print_table(f"{answer['title']} ({answer['id'][:12]})", ("what", "now"), rows)


def _refusal(reason: str) -> str:
    return "duplicate (the same answer sent again; harmless)" if reason == "duplicate" else reason


def _print_missing(answer: dict[str, Any]) -> None:
    people = answer["missing"]
    print_line(f"round {answer['round']} closes {answer['closes']}; {number(len(people))} people have not answered")
    for each in people:
        print_line(f"{each['name']}{'' if each['joined'] else ' (has not joined)'}")


@group_options
def close(which: CampaignOptions, as_json: AsJson = False) -> None:
    """End the open round before its deadline; the next one opens, or the result is computed.

    Example: graphveil collect close
    """
    with which.connect() as (client, found):
        answer = client.close(found)
    print_result(
        answer,
        f"{answer['title']} is {answer['state']}, round {answer['round']} of {answer['rounds']}",
        as_json=as_json,
    )


@group_options
def result(
    which: CampaignOptions,
    reports: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Reports in Parquet (round, user, payload), instead of a server."),
    ] = None,
    terms: Annotated[Path | None, typer.Option(metavar="FILE", help="The campaign's document, with --reports.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the result there: .json, .csv, .parquet, or .html for a report."),
    ] = None,
    force: Force = False,
    engine: EngineName = "memory",
    master: Master = None,
    as_json: AsJson = False,
) -> None:
    """Print the result: estimate, interval, guarantee, participation.

    Asks the collector; with --reports the result is computed here, or on Spark, from a table of reports.
    Example: graphveil collect result --json
    """
    from graphveil.evaluation.exports import check_suffix
    from graphveil.evaluation.reports.results import collection_report
    from graphveil.local.result import section_documents

    check_suffix(out)  # before a result is computed
    if reports is not None and terms is not None:
        answer = _computed(reports, terms, engine, master)
    elif reports is not None or terms is not None or engine != "memory":
        raise ParameterError("a result is computed from --reports PATH and --terms FILE: give both, or neither")
    else:
        with which.connect() as (client, found):
            answer = client.result(found)
    with result_file(out, force=force) as write:
        write(document=answer, columns=lambda: _columns(answer), report=lambda: collection_report(answer))
    if as_json:
        print_json(answer)
        return
    for section in section_documents(answer).values():
        _print_section(section)
    part, guarantee = answer["participation"], answer["guarantee"]
    print_line(f"reports:   {', '.join(number(count) for count in part['reports'])} of {number(part['people'])} people")
    print_line(f"guarantee: {status_text(guarantee)}; {protected(answer)}")
    if guarantee.get("against"):
        print_line(f"against:   {guarantee['against']}")
    if answer["statistic"] == "class-rows":
        note("predict from it: --out result.json here, then `graphveil collect predict result.json`")


def protected(document: dict[str, Any]) -> str:
    """What epsilon is about: an answer to a question, or a list and the friendships in it."""
    from graphveil.local.statistics import QUESTION, is_directed

    guarantee = document["guarantee"]
    epsilon = f"epsilon {guarantee['epsilon']:.15g} for one person's"
    if document["statistic"] == QUESTION:
        return f"{epsilon} answer"
    listed = "own list" if guarantee["unit"] == "node" else "list, in one entry"
    where = "one list alone" if is_directed(document["statistic"]) else "two lists"
    return f"{epsilon} {listed}; {guarantee['relationship_epsilon']:.15g} for a relationship, which stands in {where}"


def _print_section(answer: dict[str, Any]) -> None:
    """The first entries of one statistic, with their intervals."""
    from graphveil.evaluation.reports.results import section_warning
    from graphveil.local.result import entry_rows

    rows = [
        (str(name), number(value), "-" if low is None else f"{number(low)} … {number(high)}")
        for name, value, _, low, high in entry_rows(answer)[:50]
    ]
    kind = _entry_kind(answer["statistic"], answer["value"]) or "entry"
    print_table(f"{answer['statistic']} by {answer['protocol']}", (kind, "value", "95 %"), rows)
    if answer.get("why_no_interval"):
        print_line(f"intervals: none: {answer['why_no_interval']}")
    if warning := section_warning(answer["statistic"], answer):
        print_line(f"warning: {warning}")


def _columns(answer: dict[str, Any]) -> dict[str, list[Any]]:
    """The entries of a result as columns of a table, named as those of a release; several statistics in a row."""
    from graphveil.local.result import entry_rows, section_documents

    epsilon, unit = answer["guarantee"]["epsilon"], answer["guarantee"]["unit"]
    rows = [
        (name, kind, None if kind is None else str(entry), value, *ends, epsilon, unit)
        for name, section in section_documents(answer).items()
        for kind in (_entry_kind(name, section["value"]),)
        for entry, value, _, *ends in entry_rows(section)
    ]
    names = ("query", "label_means", "label", "value", "low95", "high95", "epsilon", "unit")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _entry_kind(statistic: str, value: Any) -> str | None:
    """What the entries of a list speak of; a number has none."""
    from graphveil.local.statistics import DISTRIBUTIONS, QUESTION

    if not isinstance(value, list):
        return None
    return "degree" if statistic in DISTRIBUTIONS else "answer" if statistic == QUESTION else "entry"


def _computed(reports: Path, terms: Path, engine: str, master: str | None) -> dict[str, Any]:
    """The result of a table of reports."""
    from graphveil.engines.engine import open_engine
    from graphveil.local.campaign import Campaign
    from graphveil.local.result import result_document

    try:
        campaign = Campaign.from_json(terms.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"cannot read {terms}: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    with open_engine(engine, master) as chosen, working(f"adding up {reports}"):
        return {"campaign": campaign.id} | result_document(chosen.outcome(campaign, reports))


Confirmed = Annotated[bool, typer.Option("--yes", help="Do not ask; needed where nobody can answer.")]


@group_options
def pause(which: CampaignOptions, as_json: AsJson = False) -> None:
    """Take no more enrolments and reports until the campaign is resumed. Deadlines stay where they are.

    Example: graphveil collect pause --campaign 3f9a
    """
    _steer("pause", which, as_json)


@group_options
def resume(which: CampaignOptions, as_json: AsJson = False) -> None:
    """Let a paused campaign go on. After a restore: only one whose round had not ended since the backup.

    Example: graphveil collect resume --campaign 3f9a
    """
    _steer("resume", which, as_json)


@group_options
def cancel(which: CampaignOptions, yes: Confirmed = False, as_json: AsJson = False) -> None:
    """End a campaign without a result and erase its reports. What people were charged stays charged.

    Example: graphveil collect cancel --campaign 3f9a --yes
    """
    if not yes:
        confirm("Its reports are erased and there will be no result. Cancel the campaign?", "the campaign goes on")
    _steer("cancel", which, as_json)


@group_options
def delete(which: CampaignOptions, yes: Confirmed = False, as_json: AsJson = False) -> None:
    """Remove a campaign that is over, with its result and its roster. What people have spent stays.

    Example: graphveil collect delete --campaign 3f9a --yes
    """
    if not yes:
        confirm("Its result will be gone. Delete the campaign?", "the campaign stays")
    with which.connect() as (client, found):
        client.delete(found)
    print_result({"id": found, "deleted": True}, f"campaign {found[:12]} was deleted", as_json=as_json)


def _steer(action: str, which: CampaignOptions, as_json: bool) -> None:
    with which.connect() as (client, found):
        answer = client.steer(found, action)
    paused = ", paused" if answer["paused"] else ""
    line = f"{answer['title']} is {answer['state']}{paused}, round {answer['round']} of {answer['rounds']}"
    print_result(answer, line, as_json=as_json)
