"""`graphveil evaluate`: how close a published graph is to the original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graphveil.cli.options import AsJson, People
from graphveil.cli.output import note, number, print_json, print_table, working


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
