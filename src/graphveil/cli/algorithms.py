"""`graphveil algorithms`: everything there is, with what it promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphveil.cli.options import AsJson
from graphveil.cli.output import print_json, print_line, print_table

if TYPE_CHECKING:
    from graphveil.release.catalogue import Listing


def algorithms(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only this algorithm, query, statistic or job.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every algorithm of every job: what it answers, what it promises, whether that holds, what it costs.

    Examples: graphveil algorithms; graphveil algorithms triangles; graphveil algorithms gs-ldp
    """
    from graphveil.release.catalogue import catalogue, find_listings

    chosen = list(catalogue()) if name is None else find_listings(name)
    if as_json:
        print_json({"algorithms": [row.to_json() for row in chosen]})
    elif len(chosen) == 1:
        for key, value in chosen[0].to_json().items():
            shown = _status(chosen[0]) if key == "status" else value
            if shown:
                print_line(f"{key:12} {', '.join(shown) if isinstance(shown, list) else shown}")
    else:
        rows = [(row.name, row.job, row.query, row.unit, row.guarantee, _status(row)) for row in chosen]
        print_table("algorithms", ("name", "job", "answers", "unit", "guarantee", "status"), rows)
        print_line("more about one: graphveil algorithms NAME")


def _status(row: Listing) -> str:
    return row.status if row.package is None else f"{row.status} (package {row.package})"
