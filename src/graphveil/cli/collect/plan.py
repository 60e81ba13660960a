"""`graphveil collect plan`: what a campaign will be worth, before anybody is asked."""

from __future__ import annotations

from typing import Annotated

import typer

from graphveil.cli.collect.options import ProtocolParameter, Statistics
from graphveil.cli.options import AsJson, UnitName, parse_options
from graphveil.cli.output import number, print_json, print_line, print_table, working


def plan(
    statistic: Statistics,
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Loss of one person's list (node) or entry (edge).")],
    nodes: Annotated[int, typer.Option(metavar="N", help="How many people will be asked.")],
    protocol: Annotated[str, typer.Option(metavar="P", help="`veil` is our own for each statistic.")] = "veil",
    mean_degree: Annotated[float, typer.Option(metavar="D", help="A guess at the mean number of friends.")] = 20.0,
    clustering: Annotated[float, typer.Option(metavar="C", help="A guess at how many friends know each other.")] = 0.5,
    parameter: ProtocolParameter = None,
    as_json: AsJson = False,
) -> None:
    """Forecast the error of a campaign on an invented network like yours, next to what a mere guess achieves.

    Example: graphveil collect plan --statistic triangles --unit edge --epsilon 1 --nodes 4000 --mean-degree 40
    """
    from graphveil.local.forecast import forecast_errors
    from graphveil.local.memory import in_megabytes
    from graphveil.local.result import stated_guarantees
    from graphveil.registry import build_protocol

    page = build_protocol(
        statistic, protocol, unit=unit, epsilon=epsilon, n_people=nodes, parameters=parse_options(parameter, flags=())
    )
    with working(f"rehearsing {statistic} with {nodes:,} invented people"):
        forecast = forecast_errors(page, mean_degree=mean_degree, clustering=clustering)
    cost, (guarantee, *strengths) = page.cost(), stated_guarantees(page)
    if as_json:
        bits = {
            "upload_bits_per_user": cost.upload_bits_per_user,
            "download_bits_per_user": cost.download_bits_per_user,
        }
        print_json(
            {
                "statistic": statistic,
                "protocol": protocol,
                "unit": unit,
                "epsilon": guarantee.to_json()["epsilon"],
                "nodes": nodes,
                "guarantee": guarantee.to_json(),
                "strengths": [strength.to_json() for strength in strengths],
                "metrics": forecast.metrics,
                "guess": forecast.guess,
                "std": forecast.std,
                "advice": forecast.advice,
                "cost": bits,
                "memory_bytes": page.memory_bytes,
            }
        )
        return
    rows = [(name, number(value), number(forecast.guess[name])) for name, value in forecast.metrics.items()]
    print_table(f"{statistic} by {protocol}, {nodes:,} people: forecast", ("error", "expected", "a guess"), rows)
    if forecast.std is not None:
        print_line(
            f"interval:  ± {number(page.reach95 * forecast.std)} (95 %) is what the result will state, on average"
        )
    print_line(f"cost:      {number(cost.upload_bits_per_user)} bits up, {number(cost.download_bits_per_user)} down")
    print_line(f"memory:    about {in_megabytes(page.memory_bytes)} for the collector to close it")
    print_line(f"guarantee: {guarantee}")
    for strength in strengths if len(strengths) > 1 else []:
        print_line(f"strength:  {strength}")
    print_line(f"advice:    {forecast.advice}")
