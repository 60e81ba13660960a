"""`graphveil release`: publish statistics of a graph."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.options import (
    AsJson,
    EngineName,
    GraphFile,
    Master,
    MaxDegree,
    People,
    UnitName,
    page_options,
    parse_queries,
    parse_shares,
)
from graphveil.cli.output import number, pending_file, print_json, print_line, print_table, working

if TYPE_CHECKING:
    from graphveil.release.release import Release


def release(
    graph: GraphFile,
    query: Annotated[str, typer.Option(metavar="Q[,Q…]", help="Queries; `graphveil algorithms` lists them.")],
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Total epsilon of this command; the queries share it.")],
    delta: Annotated[str | None, typer.Option(metavar="D", help="Delta of the budget; 0 if never given.")] = None,
    max_degree: MaxDegree = None,
    people: People = None,
    share: Annotated[
        str | None, typer.Option(metavar="Q=W,…", help="How the queries share epsilon; evenly if not given.")
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="Algorithm to use instead of the default.")] = None,
    ledger: Annotated[Path | None, typer.Option(metavar="FILE", help="Where spending is recorded for good.")] = None,
    budget: Annotated[str | None, typer.Option(metavar="B", help="Total epsilon of the dataset in the ledger.")] = None,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Its name there; the file's name if not given.")
    ] = None,
    request_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The same id again returns the stored answer.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the JSON document there too.")] = None,
    engine: EngineName = "memory",
    master: Master = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say stage by stage what was done and promised.")] = False,
    as_json: AsJson = False,
) -> None:
    """Publish statistics of a graph under differential privacy, each with its guarantee and error.

    Example: graphveil release friends.txt.gz --query edges,degree-histogram --unit edge --epsilon 1
    --ledger friends.ledger --budget 3
    """
    from graphveil.engines.engine import open_engine
    from graphveil.errors import ParameterError
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.release.open import check_requests, open_session
    from graphveil.release.session import Request

    queries = parse_queries(query)
    shares = parse_shares(share, queries)
    total = exact_epsilon(epsilon)
    if request_id is not None and ledger is None:
        raise ParameterError("--request-id needs --ledger: without one nothing is stored to return")
    requests = [
        Request(name, total * shares[name], method, page_options(name, unit, {"max_degree": max_degree}))
        for name in queries
    ]
    check_requests(requests, unit)
    if max_degree is not None and not any(request.options for request in requests):
        raise ParameterError(f"no degree bound serves {query} under {unit} privacy: leave out --max-degree")
    with pending_file(out) as target, open_engine(engine, master) as chosen:
        with working(f"reading {graph}"):
            private = chosen.read(graph, people=people).graph
        session = open_session(
            private,
            unit=unit,
            epsilon=total,
            delta=delta,
            ledger=ledger,
            budget=budget,
            dataset=graph.name if dataset is None else dataset,
            request_id=request_id,
        )
        with working("releasing"):
            releases = session.release_all(requests, request_id=request_id)
        document = _document(releases, total, session.left if ledger else None)
        if target is not None:
            target.write_text(json.dumps(document, allow_nan=False) + "\n", encoding="utf-8")
    if as_json:
        print_json(document)
        return
    _print(releases, document)
    if explain:
        for item in releases:
            print_line("\n" + item.explain())


def _document(releases: list[Release], spent: Fraction, left: tuple[Fraction, Fraction] | None) -> dict[str, Any]:
    from graphveil.privacy.loss import round_down, round_up

    return {
        "releases": [item.to_json() for item in releases],
        "spent": {"epsilon": round_up(spent), "delta": 0.0},
        "left": None if left is None else {"epsilon": round_down(left[0]), "delta": round_down(left[1])},
    }


def _print(releases: list[Release], document: dict[str, Any]) -> None:
    from graphveil.privacy.rounding import text_up
    from graphveil.release.release import describe

    rows = [(item.query, describe(item.value), _interval(item), text_up(item.guarantee.epsilon)) for item in releases]
    print_table("released", ("query", "value", "95 % interval", "epsilon"), rows)
    for item in releases:
        if item.accuracy.scope and not item.accuracy.bands:
            print_line(f"accuracy:  {item.accuracy.scope}")
    print_line(f"guarantee: {releases[0].guarantee}" if len(releases) == 1 else _joint_guarantee(releases, document))
    for assumption in dict.fromkeys(text for item in releases for text in item.guarantee.assumes):
        print_line(f"assumes:   {assumption}")
    if document["left"] is not None:
        print_line(f"left:      epsilon {document['left']['epsilon']:g}")


def _interval(item: Release) -> str:
    interval = item.to_json()["accuracy"]["interval95"]
    if interval is None:
        return ""
    low, high = interval
    if isinstance(low, list):
        return "a band for each entry: --json"
    return f"{number(low)} to {number(high)}" if high is not None else f"at least {number(low)}"


def _joint_guarantee(releases: list[Release], document: dict[str, Any]) -> str:
    from graphveil.privacy.rounding import text_up

    parts = " + ".join(text_up(item.guarantee.epsilon) for item in releases)
    first = releases[0].guarantee
    foreign = ", ".join(dict.fromkeys(item.guarantee.package for item in releases if item.guarantee.package))
    mark = f"; unreviewed (package {foreign})" if foreign else ""
    return f"guarantee: {document['spent']['epsilon']:g} = {parts}; {first.unit} privacy, {first.trust} model{mark}"
