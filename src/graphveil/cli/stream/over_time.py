"""`graphveil release --over-time FILE`: one command for every period, which opens the stream the first time."""

from __future__ import annotations

import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from graphveil.cli.output import note, note_recording, print_json, print_line, working
from graphveil.cli.stream.printing import document, print_answers, print_terms
from graphveil.cli.values import note_new_ledger, print_lists
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.graph.files.fold import Read
    from graphveil.graph.files.read import Reading
    from graphveil.release.over_time.opening import StreamTerms
    from graphveil.release.over_time.spec import StreamSpec
    from graphveil.release.over_time.stream import Stream

OverTime: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Publish one period of a stream that is kept in FILE. The first time this opens the stream.",
    ),
]
Horizon: TypeAlias = Annotated[
    int | None, typer.Option(metavar="T", help="With --over-time: how many periods epsilon is for.")
]
Period: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Public name of the period, such as 2026-01. If not given, a period is recognised by its file.",
    ),
]
Ever: TypeAlias = Annotated[
    bool, typer.Option("--ever", help="Over time: count every friendship ever seen, also those that have ended.")
]


def stated(horizon: int | None) -> int:
    """The horizon that was given; a stream has no other."""
    if horizon is None:
        raise ParameterError("--over-time needs --horizon T: how many periods epsilon is for")
    return horizon


def release_over_time(
    file: Path,
    terms: StreamTerms,
    graph: Path,
    people: Path | None,
    how: Reading,
    period: str | None,
    opening: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    """Publish one period of the stream in this file; where there is none, open it with these terms and spend now."""
    from graphveil.privacy.unit import Kind
    from graphveil.release.over_time.opening import open_stream
    from graphveil.release.over_time.stream import Stream

    if opening["ledger"] is None:
        raise ParameterError("a stream is paid from a ledger: give --ledger FILE, and --budget B if it is new")
    stream = Stream(file, ledger=opening["ledger"]) if file.exists() else None
    if stream is not None:
        check_same_terms(stream.spec, terms)
    read = read_period(graph, people, how)  # before anything is spent
    if stream is None:
        if terms.protected.kind is Kind.EDGE:  # the number of people is public
            terms = replace(terms, people=max(1, read.graph.n_nodes))
        note_new_ledger(opening["ledger"])
        stream = open_stream(file, terms, first=read.graph, **opening)
        note_recording(recorded=True, separate=opening["separate_people"])
        note(f"{file} holds the edges of every period: it is as secret as the graph, and only its owner can read it")
        if not as_json:
            print_terms(stream.spec)
    publish(stream, file, read, graph, period, as_json=as_json)


def read_period(graph: Path, people: Path | None, how: Reading) -> Read:
    """The graph of a period, and what was read."""
    from graphveil.graph.files.read import read_with_report

    with working(f"reading {graph}"):
        read = read_with_report(graph, people=people, how=how)
    note(read.report.without_counts())
    if not read.graph.named:
        note("this file knows people by their position: it must be the same in every period")
    return read


def publish(stream: Stream, file: Path, read: Read, graph: Path, period: str | None, *, as_json: bool) -> None:
    """Publish one period of the stream in `file` and print what was published."""
    with working("publishing"):
        answers = stream.add(read.graph, period=period, origin=str(graph.resolve()))
    for remark in answers.remarks:
        note(f"warning: {remark}")
    if as_json:
        print_json(document(stream.spec, answers))
        return
    print_answers([answers])
    print_lists(answers.releases, rest=f"graphveil stream show {shlex.quote(str(file))} --out answers.csv")
    for item in answers.releases:
        for warning in item.warnings:
            note(f"warning: {item.title}: {warning}")
    if answers.repeated:
        print_line(f"           period {answers.period} was published before: these are its stored answers")
    for assumption in dict.fromkeys(text for item in answers.releases for text in item.guarantee.assumes):
        print_line(f"assumes:   {assumption}")


def check_same_terms(spec: StreamSpec, terms: StreamTerms) -> None:
    """Refuse a command that asks for something else than what the stream was opened for."""

    def terms_of(spec: StreamSpec) -> tuple[str, Fraction, list[str], int, int]:
        return str(spec.unit), spec.spent[0], sorted(query.name for query in spec.queries), spec.changes, spec.horizon

    def told(spec: StreamSpec) -> str:
        names, ever = ", ".join(query.name for query in spec.queries), ", with --ever" if spec.changes == 1 else ""
        return f"{names} under {spec.unit} privacy, epsilon {float(spec.spent[0]):g} over {spec.horizon} periods{ever}"

    asked = terms.spec(spec.dataset, spec.delta)
    if terms_of(spec) != terms_of(asked):
        raise ParameterError(
            f"the stream was opened for {told(spec)}, and this asks for {told(asked)}: give the same, or another file; "
            "`graphveil stream extend` makes a stream longer; nothing was drawn"
        )
