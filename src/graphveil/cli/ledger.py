"""`graphveil ledger`: what has been spent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graphveil.cli.options import AsJson, Command
from graphveil.cli.output import print_json, print_line, print_table

app = typer.Typer(help="What has been spent, and what is left.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def ledger() -> None:
    """What has been spent, and what is left."""


@app.command("show", cls=Command)
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ledger file.")],
    as_json: AsJson = False,
) -> None:
    """Show every dataset of a ledger, its budget, and each spending.

    Example: graphveil ledger show friends.ledger
    """
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_down
    from graphveil.release.statement import ledger_statement

    statement = ledger_statement(file)
    if as_json:
        print_json(statement)
        return
    if not statement["datasets"]:
        print_line(f"{file}: no dataset has been declared yet")
    for d in statement["datasets"]:
        left = text_down(exact(d["left"]["epsilon"], "epsilon"))
        title = f"{d['dataset']}: {d['unit']} privacy, budget {d['budget']['epsilon']:g}, left {left}"
        rows = [
            (
                str(e["entry"]),
                e["time"],
                e["what"],
                _loss(e),
                e["request_id"] or "",
                "yes" if e["released"] else "no",
            )
            for e in d["entries"]
        ]
        print_table(title, ("entry", "time", "what", "loss", "request id", "released"), rows)


def _loss(entry: dict[str, Any]) -> str:
    if entry["rho"] is not None:
        return f"rho {entry['rho']:g}"
    parts = " = " + " + ".join(map(_up, entry["parts"])) if entry["parts"] else ""
    return f"{_up(entry['epsilon'])}{parts}" + (f", delta {entry['delta']:g}" if entry["delta"] else "")


def _up(epsilon: float) -> str:
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_up

    return text_up(exact(epsilon, "epsilon"))
