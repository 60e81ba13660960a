"""`graphveil release`: publish statistics of a graph."""

from __future__ import annotations

import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.command import group_options
from graphveil.cli.options import (
    AcceptNoise,
    AcceptWeak,
    AsJson,
    Directed,
    EngineName,
    FileOptions,
    Force,
    GraphFile,
    LedgerOptions,
    Master,
    MaxDegree,
    MaxStrength,
    MaxWeight,
    MethodOption,
    UnitName,
    Weighted,
    options_of_all,
    parse_options,
    parse_queries,
    parse_shares,
    refuse_beside,
)
from graphveil.cli.output import note, optional_file, print_json, print_line, print_table, refuse_to_replace, working
from graphveil.cli.person_table import Attribute, AttributeIs, AttributeValues, Partitions, People
from graphveil.cli.stream.over_time import Ever, Horizon, OverTime, Period, release_over_time, stated
from graphveil.cli.values import print_lists

if TYPE_CHECKING:
    from graphveil.graph.core import Graph
    from graphveil.mechanisms.release import Release
    from graphveil.release.job import Request

OTHER_GRAPH = "this request id was used for another graph: what follows is the answer that was stored for that one"

OTHER_PEOPLE = (
    "the set of people is not that of the release before: who was added or left out is told without noise; give the "
    "same list of everybody each time (--people FILE)"
)


def document_of(
    releases: list[Release], spent: Fraction, left: tuple[Fraction, Fraction] | None, *, repeated: bool
) -> dict[str, Any]:
    """The JSON document of the command; answers that were stored cost nothing again."""
    return {"releases": [item.to_json() for item in releases], **spending_of(spent, left, repeated=repeated)}


def spending_of(spent: Fraction, left: tuple[Fraction, Fraction] | None, *, repeated: bool) -> dict[str, Any]:
    """What was spent now and what is left, as documents have it."""
    from graphveil.privacy.rounding import round_down, round_up

    return {
        "repeated": repeated,
        "spent": {"epsilon": 0.0 if repeated else round_up(spent), "delta": 0.0},
        "left": None if left is None else {"epsilon": round_down(left[0]), "delta": round_down(left[1])},
    }


def print_releases(
    releases: list[Release], document: dict[str, Any], *, rest: str | None = None, request_id: str | None = None
) -> None:
    """A table of the answers, the lists among them, then what holds for all; `rest` is the command that prints all."""
    from graphveil.mechanisms.release import interval_cell, interval_words
    from graphveil.privacy.rounding import text_up

    rows = [
        (item.title, item.shown, interval_cell(item.accuracy), text_up(item.guarantee.epsilon)) for item in releases
    ]
    print_table("released", ("query", "value", "95 % interval", "epsilon"), rows)
    print_lists(releases, rest=rest)
    for item in releases:
        if item.accuracy.center is not None:
            whose = f"{item.title}: " if len(releases) > 1 else ""
            print_line(f"accuracy:  {whose}with 95 % confidence {interval_words(item.accuracy)}")
    for item in releases:
        for warning in item.warnings:
            print_line(f"{item.title}: warning: {warning}")
    print_line(f"guarantee: {_whole_guarantee(releases)}")
    for assumption in dict.fromkeys(text for item in releases for text in item.guarantee.assumes):
        print_line(f"assumes:   {assumption}")
    print_spending(releases, document, request_id)


def print_spending(releases: list[Release], document: dict[str, Any], request_id: str | None = None) -> None:
    """That nothing was spent, where that is so, and what is left."""
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_down

    if document["repeated"]:
        stored = releases[0].provenance
        when = f"this is the stored answer of entry {stored.entry}, made {stored.created}"
        print_line(f"spent:     nothing: {when} (--fresh asks again and pays again)")
    if document["repeated"] and not request_id:
        print_line("           for a series, give each period its own --request-id; else a repeated answer shows that")
        print_line("           the graph did not change")
    if document["left"] is not None:
        print_line(f"left:      epsilon {text_down(exact(document['left']['epsilon'], 'epsilon'))}")


def _whole_guarantee(releases: list[Release]) -> str:
    from graphveil.privacy.rounding import text_up

    first = releases[0].guarantee
    if len(releases) == 1:
        return str(first)
    if "group" in releases[0].provenance.parameters:
        return f"{first}, all groups together"
    parts = ", ".join(f"{item.title} {text_up(item.guarantee.epsilon)}" for item in releases)
    foreign = ", ".join(dict.fromkeys(item.guarantee.package for item in releases if item.guarantee.package))
    total = sum((item.guarantee.epsilon for item in releases), Fraction(0))
    return f"{replace(first, epsilon=total, package=foreign)}; all answers together ({parts})"


@group_options
def release(
    *,
    graph: GraphFile,
    query: Annotated[
        str,
        typer.Option(
            metavar="Q[,Q…]", help="What to publish, such as edges,triangles; `graphveil algorithms` lists all."
        ),
    ],
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Total epsilon of this command; the queries share it.")],
    delta: Annotated[str | None, typer.Option(metavar="D", help="Delta of the budget; 0 if never given.")] = None,
    share: Annotated[
        str | None, typer.Option(metavar="Q=W,…", help="How the queries share epsilon; evenly if not given.")
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="Algorithm to use instead of the default.")] = None,
    option: MethodOption = None,
    max_degree: MaxDegree = None,
    people: People = None,
    attribute: Attribute = None,
    attribute_values: AttributeValues = None,
    attribute_is: AttributeIs = None,
    file: FileOptions,
    directed: Directed = False,
    weighted: Weighted = None,
    max_weight: MaxWeight = None,
    max_strength: MaxStrength = None,
    partitions: Partitions = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Answer for each group, from lines `person,group`. All groups together cost one epsilon.",
        ),
    ] = None,
    over_time: OverTime = None,
    horizon: Horizon = None,
    period: Period = None,
    ever: Ever = False,
    record: LedgerOptions,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the answers there: .json, .csv, .parquet, or .html for a report."),
    ] = None,
    force: Force = False,
    engine: EngineName = "memory",
    master: Master = None,
    accept_noise: AcceptNoise = False,
    accept_weak: AcceptWeak = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain step by step what was done and what is promised.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Publish statistics of a graph under differential privacy, each with its guarantee and error.

    Example: graphveil release friends.txt.gz --query edges,degree-histogram --unit edge --epsilon 1
    --ledger friends.ledger --budget 3
    """
    from graphveil.cli.person_table import read_column, read_groups
    from graphveil.engines.engine import open_engine
    from graphveil.errors import ParameterError
    from graphveil.evaluation.exports import check_suffix, write_releases
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.privacy.unit import Unit
    from graphveil.release.job import ReleaseJob, Request, check_kept
    from graphveil.release.over_time.opening import StreamTerms

    how = file.reading(directed=directed, weighted=weighted)
    queries = parse_queries(query)
    total, shares = exact_epsilon(epsilon), parse_shares(share, queries)
    if over_time is not None:
        beside: dict[str, Any] = {"method": method, "option": option, "attribute": attribute, "out": out}
        beside |= record.request
        beside |= {"partitions": partitions, "groups": groups, "engine": engine != "memory", "explain": explain}
        refuse_beside("--over-time", **{name: value or None for name, value in beside.items()})
        terms = StreamTerms(shares, unit, epsilon, stated(horizon), ever=ever, max_degree=max_degree)
        opening: dict[str, Any] = {"ledger": record.ledger, "budget": record.budget, "dataset": record.dataset}
        opening |= {"separate_people": record.separate_people, "delta": delta}
        opening |= {"accept_weak": accept_weak, "accept_noise": accept_noise}
        release_over_time(over_time, terms, graph, people, how, period, opening, as_json=as_json)
        return
    if horizon is not None or period is not None or ever:
        raise ParameterError("--horizon, --period and --ever are for --over-time FILE")
    record.check()
    if groups is not None and len(queries) > 1:
        raise ParameterError(f"--groups answers one query at a time, not {query}")
    column, names = read_column(people, attribute, attribute_values, attribute_is, unit)
    parameters: dict[str, Any] = {"max_degree": max_degree, "max_weight": max_weight, "max_strength": max_strength}
    parameters |= {"partitions": partitions, "column": column, **parse_options(option)}
    options = options_of_all(queries, unit, parameters)
    requests = [Request(name, total * shares[name], method, options[name], accept_noise) for name in queries]
    if partitions is None:
        prepared = ReleaseJob.prepare(requests, Unit.parse(unit))  # refuse before a large file is read
        for each in prepared.queries:
            kept = directed if each.query.reads == "directions" else weighted is not None
            check_kept(each.request.query, each.query.reads, kept)
    check_suffix(out)
    refuse_to_replace((graph, people, partitions, groups, *record.files), (out,))
    with optional_file(out, force=force) as target, open_engine(engine, master) as chosen:
        with working(f"reading {graph}"):
            private, report = chosen.read(graph, people=people if names is None else names, how=how)
        session = record.session(private, graph, epsilon=total, unit=unit, delta=delta, accept_weak=accept_weak)
        job = session.prepare([_with_partitions(request, private) for request in requests])
        if groups is not None:
            job = job.by_group(read_groups(groups, private))
        with working("releasing"):
            released = session.execute(job, **record.request)
        document = document_of(
            released.releases, total, released.left if record.ledger else None, repeated=released.repeated
        )
        if target is not None and out is not None:
            write_releases(target, out, released.releases, document, session.budget, record.request_id)
    note(report.without_counts())
    record.note()
    if released.other_graph:
        note(f"warning: {OTHER_GRAPH}")
    if released.other_people:
        note(f"warning: {OTHER_PEOPLE}")
    if as_json:
        print_json(document)
        return
    entry = released.releases[0].provenance.entry
    rest = None if record.ledger is None else f"graphveil ledger get {shlex.quote(str(record.ledger))} {entry}"
    print_releases(released.releases, document, rest=rest, request_id=record.request_id)
    if explain:
        for item in released.releases:
            print_line("\n" + item.explain())
    if out is not None:
        note(f"written: {out}")


def _with_partitions(request: Request, graph: Graph) -> Request:
    """A file of candidates is read when the people it speaks of are known."""
    from graphveil.cli.person_table import read_partitions

    if "partitions" not in request.options:
        return request
    candidates = read_partitions(request.options["partitions"], graph)
    return replace(request, options={**request.options, "partitions": candidates})
