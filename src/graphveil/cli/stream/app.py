"""`graphveil stream`: the same statistics every period of a changing graph, from one budget."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from graphveil.cli.command import Command, group_options
from graphveil.cli.options import (
    AcceptNoise,
    AcceptWeak,
    AsJson,
    BudgetOption,
    Dataset,
    Directed,
    FileOptions,
    Force,
    GraphFile,
    LedgerOption,
    MaxDegree,
    SeparatePeople,
    UnitName,
    Weighted,
    parse_queries,
    parse_shares,
)
from graphveil.cli.output import (
    ledger_files,
    note,
    note_recording,
    pending_file,
    print_json,
    print_line,
    refuse_to_replace,
)
from graphveil.cli.person_table import People
from graphveil.cli.stream.over_time import Ever, Period, publish, read_period
from graphveil.cli.stream.printing import (
    PICTURES,
    all_documents,
    print_answers,
    print_terms,
    terms_document,
    write_published,
)
from graphveil.cli.values import note_new_ledger
from graphveil.errors import ParameterError

app = typer.Typer(
    help="The same statistics every period of a changing graph.", no_args_is_help=True, rich_markup_mode=None
)
StreamPath: TypeAlias = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="File of the stream. It holds the edges, so keep it as secret as the graph."),
]


@app.callback()
def stream() -> None:
    """The same statistics every period of a changing graph, from one budget."""


@app.command("open", cls=Command, short_help="Fix the terms, and spend the epsilon of all periods")
def open_(
    file: StreamPath,
    query: Annotated[str, typer.Option(metavar="Q[,Q…]", help="Queries, such as edges,triangles,degree-histogram.")],
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Total epsilon of all periods; spent now.")],
    horizon: Annotated[int, typer.Option(metavar="T", help="How many periods there will be; it can be extended.")],
    delta: Annotated[
        str | None, typer.Option(metavar="D", help="Delta of the budget; with one, noise may be Gaussian.")
    ] = None,
    nodes: Annotated[
        int, typer.Option(metavar="N", help="About how many people there will be, a public guess for forecasts.")
    ] = 10_000,
    share: Annotated[
        str | None, typer.Option(metavar="Q=W,…", help="How the queries share epsilon; evenly if not given.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="Q=tree|factor|fresh|new,…",
            help="How a query is answered; by forecast if not given. tree and factor: sums over time with Laplace or "
            "Gaussian noise. fresh: drawn anew every period. new: of edges first seen in the period alone.",
        ),
    ] = None,
    ever: Ever = False,
    per_friendship: Annotated[
        bool,
        typer.Option("--per-friendship", help="Epsilon is for a friendship with all its changes, not for one of them."),
    ] = False,
    changes: Annotated[
        int | None, typer.Option(metavar="C", help="How many changes of one friendship are counted; 4 if not given.")
    ] = None,
    max_degree: MaxDegree = None,
    ledger: LedgerOption = None,
    budget: BudgetOption = None,
    dataset: Dataset = None,
    separate_people: SeparatePeople = False,
    accept_weak: AcceptWeak = False,
    accept_noise: AcceptNoise = False,
    as_json: AsJson = False,
) -> None:
    """Open a stream: its whole epsilon is spent now, once, and every period is published from it.

    Example: graphveil stream open friends.stream --query edges,triangles --unit edge --epsilon 1 --horizon 12
    --ledger friends.ledger --budget 1
    """
    from graphveil.privacy.rounding import round_down, round_up, text_down
    from graphveil.release.over_time.forecast import forecasts
    from graphveil.release.over_time.opening import FRIENDSHIP, StreamTerms, open_stream

    if ledger is None:
        raise ParameterError("a stream is paid from a ledger: give --ledger FILE, and --budget B if it is new")
    if per_friendship and unit not in ("edge", FRIENDSHIP):
        raise ParameterError(f"--per-friendship is for the unit edge, not for {unit}")
    queries = parse_queries(query)
    terms = StreamTerms(
        shares=parse_shares(share, queries),
        unit=FRIENDSHIP if per_friendship else unit,
        epsilon=epsilon,
        horizon=horizon,
        ever=ever,
        changes=changes,
        max_degree=max_degree,
        methods=_methods(method, queries),
        people=nodes,
    )
    note_new_ledger(ledger)
    opened = open_stream(
        file,
        terms,
        ledger=ledger,
        budget=budget,
        delta=delta,
        dataset=dataset,
        separate_people=separate_people,
        accept_weak=accept_weak,
        accept_noise=accept_noise,
    )
    spec, left = opened.spec, opened.left
    note_recording(recorded=True, separate=separate_people)
    if as_json:
        print_json(
            {
                "stream": terms_document(spec),
                "forecast": forecasts(spec),
                "spent": {"epsilon": round_up(spec.spent[0]), "delta": round_up(spec.spent[1])},
                "left": {"epsilon": round_down(left[0]), "delta": round_down(left[1])},
            }
        )
        return
    print_terms(spec)
    print_line(f"left:      epsilon {text_down(left[0])}")
    note(f"{file} holds the edges of every period: it is as secret as the graph, and only its owner can read it")


@app.command("add", cls=Command, short_help="Publish one period")
@group_options
def add(
    *,
    file: StreamPath,
    graph: GraphFile,
    period: Period = None,
    people: People = None,
    how: FileOptions,
    directed: Directed = False,
    weighted: Weighted = None,
    ledger: LedgerOption = None,
    as_json: AsJson = False,
) -> None:
    """Publish one period; a period that was published before gives its stored answers.

    Example: graphveil stream add friends.stream friends-2026-01.csv --period 2026-01
    """
    from graphveil.release.over_time.stream import Stream

    read = read_period(graph, people, how.reading(directed=directed, weighted=weighted))
    publish(Stream(file, ledger=ledger), file, read, graph, period, as_json=as_json)


@app.command("show", cls=Command, short_help="Terms, and what was published")
def show(
    file: StreamPath,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all of it there: .csv, .parquet, .json, a report, .html, or a picture, .png or .svg.",
        ),
    ] = None,
    force: Force = False,
    ledger: LedgerOption = None,
    as_json: AsJson = False,
) -> None:
    """Show the terms of a stream and everything it published. Spends and draws nothing.

    Example: graphveil stream show friends.stream --out friends.png
    """
    from graphveil.evaluation.exports import SUFFIXES, check_suffix
    from graphveil.release.over_time.stream import Stream

    opened = Stream(file, ledger=ledger)
    published = opened.published()
    if out is not None:
        check_suffix(out, (*SUFFIXES, *PICTURES))
        refuse_to_replace((file, *ledger_files(ledger)), (out,))
        with pending_file(out, force=force) as target:
            write_published(opened, published, target, out)
    if as_json:
        print_json(all_documents(opened.spec, published))
    else:
        print_terms(opened.spec)
        print_line(f"published: {len(published)} of {opened.spec.horizon} periods")
        print_answers(published)
        if out is None and published and any(isinstance(item.value, tuple) for item in published[-1].releases):
            note(f"lists: graphveil stream show {shlex.quote(str(file))} --out answers.csv")
    if out is not None:
        note(f"written: {out}")


@app.command("extend", cls=Command, short_help="Make a stream longer")
def extend(
    file: StreamPath,
    horizon: Annotated[int, typer.Option(metavar="T", help="The new number of periods in all.")],
    ledger: LedgerOption = None,
    as_json: AsJson = False,
) -> None:
    """Make a stream longer. Answers by blocks cost nothing more; fresh ones cost their share for each new period.

    Example: graphveil stream extend friends.stream --horizon 24
    """
    from graphveil.privacy.rounding import round_down, text_down
    from graphveil.release.over_time.forecast import forecasts
    from graphveil.release.over_time.stream import Stream

    opened = Stream(file, ledger=ledger)
    spec = opened.extend(horizon)
    left = opened.left
    if as_json:
        print_json(
            {
                "stream": terms_document(spec),
                "forecast": forecasts(spec),
                "left": {"epsilon": round_down(left[0]), "delta": round_down(left[1])},
            }
        )
        return
    print_terms(spec)
    print_line(f"left:      epsilon {text_down(left[0])}")


def _methods(text: str | None, queries: list[str]) -> dict[str, str]:
    """Read `triangles=fresh,degree-histogram=new` as a mapping from queries to how they are answered."""
    methods: dict[str, str] = {}
    for part in (text or "").split(",") if text else []:
        name, _, method = (piece.strip() for piece in part.partition("="))
        if name not in queries or not method:
            raise ParameterError(
                f"--method wants QUERY=tree, =factor, =fresh or =new for one of {', '.join(queries)}, not {part!r}"
            )
        methods[name] = method
    return methods
