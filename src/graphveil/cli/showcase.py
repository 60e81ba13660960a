"""`graphveil demo` and `reproduce`: ready-made runs, on a generated network and on the graphs of the papers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphveil.cli.options import AsJson, parse_options, split_names
from graphveil.cli.output import note, number, print_json, print_line, print_table, progress_bar
from graphveil.errors import ParameterError


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report goes.")] = Path("demo-out"),
    nodes: Annotated[int, typer.Option(metavar="N", help="How many people; 400 is quick.")] = 4_000,
    as_json: AsJson = False,
) -> None:
    """Show all jobs on a generated network; ends with an HTML report.

    Example: graphveil demo --out my-demo
    """
    from graphveil.evaluation.demo import FEWEST, run_demo

    if nodes < FEWEST:
        raise ParameterError(f"--nodes {nodes}: the demo needs {FEWEST} or more")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(f"cannot make the folder {out}: {error.strerror}") from None
    result = run_demo(out, note, people=nodes)
    if as_json:
        print_json({"report": str(result.report), "ledger": str(result.ledger), "lines": list(result.lines)})
        return
    for line in result.lines:
        print_line(line)
    print_line(f"report:  {result.report}")
    print_line(f"ledger:  {result.ledger}   (graphveil ledger show {result.ledger})")


def reproduce(
    figure: Annotated[str | None, typer.Argument(metavar="FIGURE", help="Which figure; without it, a list.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A small version: under a minute, no download.")] = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the CSV, PNG and HTML files.")] = Path("figures"),
    graphs: Annotated[str | None, typer.Option(metavar="G,G", help="These graphs instead of the figure's own.")] = None,
    runs: Annotated[int | None, typer.Option(metavar="R", help="Seeds a point instead of the figure's own.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Hold one reading of the paper fixed; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a figure of a paper again, and check what the paper states about it.

    Written are CSV, PNG and an HTML page: algorithms as published next to the repaired ones. Where a paper leaves
    something open, the other readings are measured too, and a statement that holds under some only "depends on a
    reading"; --option holds one fixed. A run that was stopped continues where it was. Public graphs are read from
    the folder GRAPHVEIL_DATA names, all of them before anything is measured.

    Examples: graphveil reproduce gs-ldp-fig3 --quick --out figures;
    graphveil reproduce gs-ldp-fig4 --graphs ego-Facebook --option estimate=counted
    """
    if figure is None:
        _list_figures(as_json)
        return
    from graphveil.evaluation.reproduce import reproduce as draw_anew

    chosen = tuple(split_names(graphs))
    if graphs is not None and not chosen:
        raise ParameterError(f"--graphs names no graph in {graphs!r}; leave it out for the figure's own")
    options = {name: str(value) for name, value in parse_options(option).items()}
    with progress_bar(figure) as progress:
        done = draw_anew(figure, folder=out, quick=quick, graphs=chosen, runs=runs, options=options, progress=progress)
    if done.continued and not as_json:
        note(f"continued a run that was stopped: {done.continued} cells were measured already")
    if as_json:
        points = [
            {
                "graph": p.graph,
                "series": p.series,
                "x": p.x,
                "metric": p.metric,
                "mean": p.mean,
                "spread": p.spread,
                "runs": p.runs,
            }
            for p in done.points
        ]
        statements = [statement.to_json() for statement in done.statements]
        files = [str(file) for file in done.files]
        print_json({"figure": figure, "files": files, "points": points, "statements": statements})
        return
    if done.experiment.table:
        columns, rows = done.experiment.table(done.points)
    else:
        shown = {metric.key for metric in done.experiment.metrics}
        columns = ("graph", "series", done.experiment.x_label, "metric", "mean", "spread", "runs")
        rows = [
            (p.graph, p.series, f"{p.x:g}", p.metric, number(p.mean), number(p.spread), str(p.runs))
            for p in done.points
            if p.metric in shown
        ]
    print_table(done.experiment.title, columns, rows)
    if done.statements:
        said = [(each.paper, each.ours, each.verdict) for each in done.statements]
        print_table("what the paper states", ("paper", "here", "verdict"), said)
    print_line("written: " + ", ".join(str(file) for file in done.files))


def _list_figures(as_json: bool) -> None:
    from graphveil.evaluation.figures import FIGURES

    if as_json:
        print_json({"figures": [{"name": name, "shows": row[2]} for name, row in FIGURES.items()]})
        return
    print_table("Figures", ("figure", "shows"), [(name, row[2]) for name, row in FIGURES.items()])
    print_line("draw one with: graphveil reproduce FIGURE --quick")
