"""`graphveil demo`: the whole product on a generated network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphveil.cli.output import note, print_line


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report goes.")] = Path("graphveil-demo"),
) -> None:
    """Show the product on a generated 4,000-person network; ends with an HTML report.

    Example: graphveil demo --out my-demo
    """
    from graphveil.errors import ParameterError
    from graphveil.evaluation.demo import run_demo

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(f"cannot make the folder {out}: {error.strerror}") from None
    result = run_demo(out, note)
    for line in result.lines:
        print_line(line)
    print_line(f"report:  {result.report}")
    print_line(f"ledger:  {result.ledger}   (graphveil ledger show {result.ledger})")
