"""`graphveil algorithms`: the registry."""

from __future__ import annotations

from typing import Annotated

import typer

from graphveil.cli.options import AsJson
from graphveil.cli.output import print_json, print_line, print_table


def algorithms(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show this one in full.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every algorithm: what it answers, what it promises, what it costs.

    Examples: graphveil algorithms; graphveil algorithms edge-count
    """
    from graphveil.release.registry import ALGORITHMS, find

    chosen = ALGORITHMS if name is None else (find(name),)
    documents = [algorithm.to_json() for algorithm in chosen]
    if as_json:
        print_json({"algorithms": documents})
    elif name is None:
        rows = [(d["name"], d["query"], d["unit"], d["guarantee"], d["status"]) for d in documents]
        print_table("algorithms", ("name", "query", "unit", "guarantee", "status"), rows)
    else:
        for key, value in documents[0].items():
            print_line(f"{key:12} {', '.join(value) if isinstance(value, list) else value}")
