"""`graphveil stats`, `evaluate` and `benchmark`: exact results for the curator's eyes only.

They read the private graph and add no noise to what they print, so nothing of it may be published.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graphveil.cli.options import AsJson, EngineName, GraphFile, Master, People, UnitName
from graphveil.cli.output import note, number, print_json, print_line, print_table, progress_bar, working


def stats(
    graph: GraphFile,
    people: People = None,
    engine: EngineName = "memory",
    master: Master = None,
    as_json: AsJson = False,
) -> None:
    """Exact statistics of a graph. They are NOT private: for the curator's eyes only.

    Example: graphveil stats friends.txt.gz
    """
    from graphveil.engines.engine import open_engine
    from graphveil.graph.statistics.summary import summarize

    with open_engine(engine, master) as chosen:
        with working(f"reading {graph}"):
            read = chosen.read(graph, people=people)
        with working("counting"):
            summary = summarize(read.graph)
    if as_json:
        print_json({"private": False, "statistics": summary.to_json(), "read": read.report.to_json()})
        return
    rows = [(name.replace("_", " "), number(value)) for name, value in summary.to_json().items() if _is_number(value)]
    print_table(f"{graph} (exact, not private)", ("statistic", "value"), rows)
    note(str(read.report))
    for remark in summary.remarks:
        note(remark)


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | float)


def evaluate(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The private graph.")],
    published: Annotated[Path, typer.Argument(metavar="PUBLISHED", help="The graph that was made from it.")],
    people: People = None,
    relabel: Annotated[
        bool, typer.Option("--relabel", help="Forget who is who in the published graph before comparing communities.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare a published graph with the original. The result is NOT private: for the curator's eyes only.

    Example: graphveil evaluate friends.txt.gz synthetic.txt.gz
    """
    from graphveil.evaluation.metrics.compare import evaluate as compare
    from graphveil.graph.files.read import read_graph

    with working(f"reading {original}"):
        first = read_graph(original, people=people)
    with working(f"reading {published}"):
        second = read_graph(published)
    with working("comparing"):
        result = compare(first, second, relabel=relabel)
    if as_json:
        print_json(result.to_json())
        return
    rows = [(n, _shown(m["original"]), _shown(m["published"]), _shown(m["error"])) for n, m in result.metrics.items()]
    print_table(f"{published} against {original} (not private)", ("metric", "original", "published", "error"), rows)
    if not result.same_people:
        note("the files do not name the same people: communities are compared after a random relabelling")
    if result.sampled_sources is not None:
        note(f"distances are sampled from {result.sampled_sources:,} people; a sampled diameter can only be too small")


def _shown(value: Any) -> str:
    return ", ".join(number(entry) for entry in value) if isinstance(value, list) else number(value)


SHOWN = 4  # errors in a table; --json has all


def benchmark(
    graph: GraphFile,
    query: Annotated[str, typer.Option(metavar="Q", help="A query or statistic; `graph` compares synthesizers.")],
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="The same for every algorithm.")],
    runs: Annotated[int, typer.Option(metavar="R", help="How often to run each; means are shown.")] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Repeatable noise: nothing here is a release.")] = 0,
    people: People = None,
    as_json: AsJson = False,
) -> None:
    """Compare all algorithms that answer one question on a graph you hold, plug-ins among them. NOT private.

    Example: graphveil benchmark friends.txt.gz --query triangles --unit edge --epsilon 1
    """
    from graphveil.evaluation.benchmark import answering
    from graphveil.evaluation.benchmark import benchmark as measure
    from graphveil.graph.files.read import read_graph
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.privacy.rounding import round_up

    total = exact_epsilon(epsilon)
    answering(query, unit)  # refuse what nothing answers before a large file is read
    with working(f"reading {graph}"):
        read = read_graph(graph, people=people)
    with progress_bar("comparing") as progress:
        scores = measure(read, query, unit=unit, epsilon=total, runs=runs, seed=seed, progress=progress)
    rows = [score.to_json() for score in scores]
    if as_json:
        request = {"query": query, "unit": unit, "epsilon": round_up(total), "runs": runs, "seed": seed}
        print_json({**request, "private": False, "benchmarks": rows})
        return
    errors = list(dict.fromkeys(name for row in rows for name in row["metrics"]))[:SHOWN]
    table = [
        (
            row["name"],
            row["job"],
            row["status"] if row["package"] is None else f"{row['status']} (package {row['package']})",
            *(_digits(row["metrics"].get(name)) for name in errors),
            _digits(row["seconds"]),
        )
        for row in rows
    ]
    columns = ("name", "job", "status", *errors, "seconds")
    print_table(f"{query} under {unit} privacy, epsilon {epsilon}, mean of {runs} (not private)", columns, table)
    print_line("more errors: --json; about an algorithm: graphveil algorithms NAME")


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
