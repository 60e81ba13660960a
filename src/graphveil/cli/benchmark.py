"""`graphveil benchmark`: all algorithms for one question, side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from graphveil.cli.options import AsJson, GraphFile, People, UnitName
from graphveil.cli.output import print_json, print_line, print_table, progress_bar, working

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
