"""`graphveil collect protocols`: what a campaign may use."""

from __future__ import annotations

from typing import Annotated

import typer

from graphveil.cli.collect.options import service_extra
from graphveil.cli.options import AsJson
from graphveil.cli.output import print_json, print_table


def protocols(
    browser: Annotated[bool, typer.Option("--browser", help="Only those that people can answer in a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the protocols that a campaign may use, and whether people can answer them in a browser.

    The others are answered with `graphveil collect join`.

    Example: graphveil collect protocols --browser
    """
    with service_extra():
        from graphveil.service.routes.protocols import offered_protocols

    offered = [each for each in offered_protocols() if each["browser"] or not browser]
    if as_json:
        print_json({"protocols": offered})
        return
    rows = [
        (each["statistic"], each["protocol"], each["unit"], str(each["rounds"]), "yes" if each["browser"] else "no")
        for each in offered
    ]
    print_table("protocols of campaigns", ("statistic", "protocol", "unit", "rounds", "in a browser"), rows)
