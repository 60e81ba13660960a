"""`graphveil release`: publish statistics of a graph."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.options import (
    AsJson,
    EngineName,
    GraphFile,
    Master,
    MaxDegree,
    MethodOption,
    Partitions,
    People,
    UnitName,
    options_of_all,
    parse_options,
    parse_queries,
    parse_shares,
)
from graphveil.cli.output import pending_file, print_json, print_line, refuse_to_replace, working
from graphveil.cli.release_output import document_of, print_releases

if TYPE_CHECKING:
    from graphveil.graph.core import Graph
    from graphveil.release.release import Release
    from graphveil.release.request import Request
    from graphveil.release.session import Session


def release(
    graph: GraphFile,
    query: Annotated[str, typer.Option(metavar="Q[,Q…]", help="Queries; `graphveil algorithms` lists them.")],
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
    partitions: Partitions = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Answer for each group, lines `person,group`; all cost what one does. Who has no line is left out.",
        ),
    ] = None,
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
    from graphveil.cli.person_table import read_groups
    from graphveil.engines.engine import open_engine
    from graphveil.errors import ParameterError
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.release.open import check_groups, check_requests, open_session
    from graphveil.release.request import Request

    queries = parse_queries(query)
    total = exact_epsilon(epsilon)
    if request_id is not None and ledger is None:
        raise ParameterError("--request-id needs --ledger: without one nothing is stored to return")
    if groups is not None and len(queries) > 1:
        raise ParameterError(f"--groups answers one query at a time, not {query}")
    shares = parse_shares(share, queries)
    given = {"max_degree": max_degree, "partitions": partitions, **parse_options(option)}
    options = options_of_all(queries, unit, given)
    requests = [Request(name, total * shares[name], method, options[name]) for name in queries]
    check_requests([request for request in requests if "partitions" not in request.options], unit)
    refuse_to_replace((graph, people, partitions, groups, ledger), (out,))
    with pending_file(out) as target, open_engine(engine, master) as chosen:
        with working(f"reading {graph}"):
            private = chosen.read(graph, people=people).graph
        requests = [_with_partitions(request, private) for request in requests]
        by_group = None if groups is None else read_groups(groups, private)
        if by_group is None:
            check_requests(requests, unit, private)
        else:
            check_groups(requests[0], unit, private, by_group)
        session = open_session(
            private,
            unit=unit,
            epsilons=[request.epsilon for request in requests],
            delta=delta,
            ledger=ledger,
            budget=budget,
            dataset=graph.name if dataset is None else dataset,
            request_id=request_id,
        )
        repeated = request_id is not None and session.ledger.stored(request_id) is not None
        with working("releasing"):
            releases = _release(session, requests, by_group, request_id)
        document = document_of(releases, total, session.left if ledger else None)
        if target is not None:
            target.write_text(json.dumps(document, allow_nan=False) + "\n", encoding="utf-8")
    if as_json:
        print_json(document)
        return
    print_releases(releases, document, repeated=repeated)
    if explain:
        for item in releases:
            print_line("\n" + item.explain())


def _with_partitions(request: Request, graph: Graph) -> Request:
    """A file of candidates is read when the people it speaks of are known."""
    from graphveil.cli.person_table import read_partitions

    if "partitions" not in request.options:
        return request
    candidates = read_partitions(request.options["partitions"], graph)
    return replace(request, options={**request.options, "partitions": candidates})


def _release(
    session: Session, requests: list[Request], groups: dict[Any, str] | None, request_id: str | None
) -> list[Release]:
    if groups is None:
        return session.release_all(requests, request_id=request_id)
    (asked,) = requests
    by_group = session.release_by_group(
        asked.query,
        groups=groups,
        epsilon=asked.epsilon,
        method=asked.method,
        request_id=request_id,
        **asked.options,
    )
    return list(by_group.values())
