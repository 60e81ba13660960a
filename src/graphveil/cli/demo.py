"""`graphveil demo`: the whole product on a generated network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphveil.cli.options import AsJson
from graphveil.cli.output import note, print_json, print_line


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report goes.")] = Path("demo-out"),
    as_json: AsJson = False,
) -> None:
    """Show all five jobs on a generated 4,000-person network; ends with an HTML report.

    Example: graphveil demo --out my-demo
    """
    from graphveil.errors import ParameterError
    from graphveil.evaluation.demo import run_demo

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(f"cannot make the folder {out}: {error.strerror}") from None
    result = run_demo(out, note)
    if as_json:
        print_json({"report": str(result.report), "ledger": str(result.ledger), "lines": list(result.lines)})
        return
    for line in result.lines:
        print_line(line)
    print_line(f"report:  {result.report}")
    print_line(f"ledger:  {result.ledger}   (graphveil ledger show {result.ledger})")
