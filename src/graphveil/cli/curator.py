"""`graphveil stats`, `evaluate` and `benchmark`: exact results for the curator's eyes only.

They read the private graph and add no noise to what they print, so nothing of it may be published.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from graphveil.cli.command import group_options
from graphveil.cli.options import (
    AsJson,
    Directed,
    EngineName,
    FileOptions,
    Force,
    GraphFile,
    Master,
    MethodOption,
    UnitName,
    Weighted,
    parse_options,
)
from graphveil.cli.output import note, number, print_json, print_line, print_table, progress_bar, result_file, working
from graphveil.cli.person_table import Attribute, AttributeValues, People
from graphveil.errors import ParameterError

TABLES = (".json", ".csv", ".parquet")
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write the results there: .json, .csv or .parquet. Not for publication."),
]


@group_options
def stats(
    *,
    graph: GraphFile,
    people: People = None,
    file: FileOptions,
    directed: Directed = False,
    weighted: Weighted = None,
    attribute: Attribute = None,
    attribute_values: AttributeValues = None,
    engine: EngineName = "memory",
    master: Master = None,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Exact statistics of a graph. They are NOT private: for the curator's eyes only.

    Example: graphveil stats friends.txt.gz
    """
    from graphveil.central.attributes.group_triangles import exact_kinds
    from graphveil.central.attributes.mixing import exact_mixing
    from graphveil.cli.person_table import read_column
    from graphveil.engines.engine import open_engine
    from graphveil.evaluation.exports import columns_of_rows
    from graphveil.graph.statistics.summary import summarize
    from graphveil.graph.statistics.ties import summarize_ties

    how = file.reading(directed=directed, weighted=weighted)
    column, names = read_column(people, attribute, attribute_values, None, "edge")
    if column is not None and engine != "memory":
        raise ParameterError("--attribute counts edges between groups in memory: leave out --engine")
    with result_file(out, force=force, suffixes=TABLES) as write, open_engine(engine, master) as chosen:
        with working(f"reading {graph}"):
            read = chosen.read(graph, people=people if names is None else names, how=how)
        with working("counting"):
            summary = summarize(read.graph)
            statistics = summary.to_json() | summarize_ties(read.graph)
            if column is not None:
                statistics |= exact_mixing(read.graph, column) | exact_kinds(read.graph, column)
        document = {"private": False, "statistics": statistics, "read": read.report.to_json()}
        numbers = {name: value for name, value in statistics.items() if _is_number(value)}
        rows = [{"statistic": name, "value": value} for name, value in numbers.items()]
        write(document=document, columns=lambda: columns_of_rows(rows))
    if as_json:
        print_json(document)
        return
    lines = [(name.replace("_", " "), number(value)) for name, value in numbers.items()]
    print_table(f"{graph} (exact, not private)", ("statistic", "value"), lines)
    note(str(read.report))
    for remark in summary.remarks:
        note(remark)


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | float)


@group_options
def evaluate(
    *,
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The private graph.")],
    published: Annotated[Path, typer.Argument(metavar="PUBLISHED", help="The graph that was made from it.")],
    people: People = None,
    file: FileOptions,
    relabel: Annotated[
        bool, typer.Option("--relabel", help="Ignore the names in the published graph when communities are compared.")
    ] = False,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compare a published graph with the original. The result is NOT private: for the curator's eyes only.

    Example: graphveil evaluate friends.txt.gz synthetic.txt.gz
    """
    from graphveil.evaluation.exports import columns_of_rows
    from graphveil.evaluation.metrics.compare import evaluate as compare
    from graphveil.graph.files.read import read_with_report

    how = file.reading()
    with result_file(out, force=force, suffixes=TABLES) as write:
        with working(f"reading {original}"):
            first, first_report = read_with_report(original, people=people, how=how)
        with working(f"reading {published}"):
            second, second_report = read_with_report(published)
        with working("comparing"):
            result = compare(first, second, relabel=relabel)
        document = {**result.to_json(), "read": [first_report.to_json(), second_report.to_json()]}
        metrics = [
            {"metric": name, **{side: None if isinstance(value, list) else value for side, value in row.items()}}
            for name, row in result.metrics.items()
        ]
        write(document=document, columns=lambda: columns_of_rows(metrics))
    if as_json:
        print_json(document)
        return
    note(str(first_report))
    note(str(second_report))
    rows = [(n, _shown(m["original"]), _shown(m["published"]), _shown(m["error"])) for n, m in result.metrics.items()]
    print_table(f"{published} against {original} (not private)", ("metric", "original", "published", "error"), rows)
    if not result.same_people:
        note("the files do not name the same people: communities are compared after a random relabelling")
    if result.sampled_sources is not None:
        note(f"distances are sampled from {result.sampled_sources:,} people; a sampled diameter can only be too small")


def _shown(value: Any) -> str:
    return ", ".join(number(entry) for entry in value) if isinstance(value, list) else number(value)


SHOWN = 3  # errors in a table; --json has all
WIDE = 160  # a table of a comparison


@group_options
def benchmark(
    *,
    graph: GraphFile,
    query: Annotated[str, typer.Option(metavar="Q", help="A query or statistic; `graph` compares synthesizers.")],
    unit: UnitName,
    epsilon: Annotated[
        str, typer.Option(metavar="E", help="Epsilon of each algorithm for a friendship (see --equal).")
    ],
    equal: Annotated[
        str, typer.Option(metavar="LOSS", help="What has this epsilon: a friendship, or one entry of one list (entry).")
    ] = "friendship",
    runs: Annotated[int, typer.Option(metavar="R", help="How often to run each; means are shown.")] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Repeatable noise: nothing here is a release.")] = 0,
    option: MethodOption = None,
    people: People = None,
    file: FileOptions,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compare all algorithms that answer one query on a graph you hold, also those of plug-ins. NOT private.

    All protect a friendship with the same epsilon, or with --equal entry one entry of one list. An --option goes to
    the algorithms that have it, such as estimate=unbiased to rnl.
    Example: graphveil benchmark friends.txt.gz --query triangles --unit edge --epsilon 1
    """
    from graphveil.evaluation.benchmark import benchmark as measure
    from graphveil.evaluation.contenders import check_options, contenders, equal_loss
    from graphveil.evaluation.exports import columns_of_rows
    from graphveil.graph.files.read import read_with_report
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.privacy.rounding import round_up

    how = file.reading()
    total, loss = exact_epsilon(epsilon), equal_loss(equal)
    options = parse_options(option)
    taking_part = contenders(query, unit)  # refuse what nothing answers before a large file is read
    check_options(taking_part, options)
    if all(row.needs for row in taking_part):
        needed = ", ".join(dict.fromkeys(name for row in taking_part for name in row.needs))
        raise ParameterError(
            f"{query} needs {needed}, which a comparison does not take; `graphveil release` answers it"
        )
    shared: dict[str, Any] = {"unit": unit, "epsilon": total, "equal": loss, "runs": runs, "seed": seed}
    with result_file(out, force=force, suffixes=TABLES) as write:
        with working(f"reading {graph}"):
            read, report = read_with_report(graph, people=people, how=how)
        with progress_bar("comparing") as progress:
            scores = measure(read, query, **shared, options=options, progress=progress)
        rows = [score.to_json() for score in scores]
        request = {"query": query, **shared, "epsilon": round_up(total), "private": False}
        document = {**request, "benchmarks": rows, "read": report.to_json()}
        write(document=document, columns=lambda: columns_of_rows([_flat(row) for row in rows]))
    if as_json:
        print_json(document)
        return
    note(str(report))
    _print_scores(f"{query} under {unit} privacy, epsilon {epsilon} for each {loss}, mean of {runs} runs", rows)


def _print_scores(title: str, rows: list[dict[str, Any]]) -> None:
    """Errors with their standard errors, the two epsilons, and what taking part costs a person."""
    errors = list(dict.fromkeys(name for row in rows for name in row["metrics"]))[:SHOWN]
    table = [
        (
            row["name"],
            row["job"],
            _standing(row),
            _digits(row["friendship_epsilon"]),
            _digits(row["entry_epsilon"]),
            *(_with_error(row["metrics"].get(name), row["standard_errors"].get(name)) for name in errors),
            _digits(row["upload_bits_per_user"]),
            _digits(row["download_bits_per_user"]),
            "-" if row["rounds"] is None else str(row["rounds"]),
            _digits(row["seconds"]),
        )
        for row in rows
    ]
    losses, bits = ("friendship eps", "entry eps"), ("bits up", "bits down")
    named = (name.replace("_", " ") for name in errors)
    columns = ("name", "job", "status", *losses, *named, *bits, "rounds", "seconds")
    print_table(f"{title} (not private)", columns, table, width=WIDE)
    print_line("± is one standard error of the mean; bits are those of one person, all rounds together")
    if any(row["refuted"] for row in rows):
        print_line("REFUTED: the epsilon is claimed and does not hold, so do not compare its errors with the others")
    print_line("more errors: --out FILE.csv; about an algorithm: graphveil algorithms NAME")


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table file: an error and its standard error have columns of their own."""
    cells = {name: value for name, value in row.items() if name not in ("metrics", "standard_errors")}
    cells |= row["metrics"]
    return cells | {f"{name}_standard_error": value for name, value in row["standard_errors"].items()}


def _standing(row: dict[str, Any]) -> str:
    status = "REFUTED" if row["refuted"] else str(row["status"])
    return status if row["package"] is None else f"{status} (package {row['package']})"


def _with_error(mean: float | None, error: float | None) -> str:
    return _digits(mean) if error is None else f"{_digits(mean)} ± {_digits(error, 2)}"


def _digits(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if 100 <= abs(value) < 10**7 else f"{value:.{digits}g}"
