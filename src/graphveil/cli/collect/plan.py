"""`graphveil collect plan | protocols`: what a campaign may use and what it is worth, before anybody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.collect.options import ProtocolParameter, Statistics, refuse_without_local
from graphveil.cli.options import AsJson, UnitName, parse_options
from graphveil.cli.output import number, print_json, print_line, print_table, working

if TYPE_CHECKING:
    from graphveil.local.forecast import Forecast
    from graphveil.local.joint.forecast import JointForecast
    from graphveil.local.protocol import Cost


MAIN_ERRORS = ("wasserstein", "mae")  # of a distribution; of anything else


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
    """Forecast the error of a campaign on a generated network like yours, beside the error of a guess without data.

    Several statistics are forecast together, and beside as many campaigns that share the same epsilon. Where two
    servers and a curator answer the same, all three are compared at the same epsilon for a relationship.
    Example: graphveil collect plan --statistic triangles --unit edge --epsilon 1 --nodes 4000 --mean-degree 40
    """
    from graphveil.evaluation.alternatives import closer_alternative
    from graphveil.evaluation.trust_models import compare_trust_models
    from graphveil.local.forecast import forecast_errors
    from graphveil.local.joint.forecast import forecast_together
    from graphveil.local.memory import in_megabytes
    from graphveil.local.result import stated_guarantees
    from graphveil.registry import build_protocol

    refuse_without_local(statistic)
    page = build_protocol(
        statistic, protocol, unit=unit, epsilon=epsilon, n_people=nodes, parameters=parse_options(parameter, flags=())
    )
    guessed = {"mean_degree": mean_degree, "clustering": clustering}
    with working(f"rehearsing {statistic} with {nodes:,} invented people"):
        joint = forecast_together(page, **guessed) if "," in page.statistic else None
        sections = joint.sections if joint else {statistic: forecast_errors(page, **guessed)}
        closer = closer_alternative(page, **guessed)
        models = (
            compare_trust_models(
                statistic, epsilon=epsilon, n_people=nodes, mean_degree=mean_degree, clustering=clustering
            )
            if unit == "edge"
            else []
        )
    cost, (guarantee, *strengths) = page.cost(), stated_guarantees(page)
    told = {name: _told(forecast) for name, forecast in sections.items()}
    if as_json:
        print_json(
            {
                "statistic": page.statistic,
                "protocol": protocol,
                "unit": unit,
                "epsilon": guarantee.to_json()["epsilon"],
                "nodes": nodes,
                "guarantee": guarantee.to_json(),
                "strengths": [strength.to_json() for strength in strengths],
                **({"results": told, "separate": _separate(joint)} if joint else told[statistic]),
                "cost": _bits(cost),
                "trust_models": [
                    {"trust": each.trust.value, "relative_error": each.relative_error, "by": each.by} for each in models
                ],
                "closer": None if closer is None else closer.to_json(),
                "memory_bytes": page.memory_bytes,
            }
        )
        return
    for name, forecast in sections.items():
        _print_forecast(f"{name} by {protocol}, {nodes:,} people: forecast", forecast, page.reach95)
    print_line(f"cost:      {number(cost.upload_bits_per_user)} bits up, {number(cost.download_bits_per_user)} down")
    print_line(f"memory:    about {in_megabytes(page.memory_bytes)} for the collector to close it")
    print_line(f"guarantee: {guarantee}")
    for strength in strengths if len(strengths) > 1 else []:
        print_line(f"strength:  {strength}")
    for name, forecast in sections.items():
        print_line(f"advice:    {f'{name}: ' if joint else ''}{forecast.advice}")
    if closer:
        print_line(f"closer:    {closer.advice}")
    if models:
        rows = [(each.trust.value, f"{each.relative_error:.3%}", each.by, each.trusted) for each in models]
        columns = ("trust", "relative error", "by", "who is trusted")
        print_table("at the same epsilon for a relationship", columns, rows)
    if joint and joint.separate:
        _print_separate(joint)


def _print_forecast(title: str, forecast: Forecast, reach95: float) -> None:
    rows = [(name, number(value), number(forecast.guess[name])) for name, value in forecast.metrics.items()]
    print_table(title, forecast.columns, rows)
    if "wasserstein" in forecast.metrics:
        print_line(
            "errors:    mse and mae are per degree up to the largest; compare networks by wasserstein, in degrees"
        )
    if forecast.std is not None:
        print_line(f"interval:  ± {number(reach95 * forecast.std)} (95 %) is what the result will state, on average")


def _told(forecast: Forecast) -> dict[str, Any]:
    """What is forecast of one statistic."""
    names = ("metrics", "guess", "std", "advice")
    return {name: getattr(forecast, name) for name in names}


def _bits(cost: Cost) -> dict[str, float]:
    return {"upload_bits_per_user": cost.upload_bits_per_user, "download_bits_per_user": cost.download_bits_per_user}


def _separate(joint: JointForecast) -> dict[str, Any] | None:
    """The same statistics by one campaign each, at an equal part of epsilon, where there are such campaigns."""
    if not joint.separate:
        return None
    return {
        "epsilon_each": float(joint.epsilon_each),
        "results": {name: {"metrics": forecast.metrics} for name, forecast in joint.separate.items()},
        "cost": _bits(joint.separate_cost),
    }


def _print_separate(joint: JointForecast) -> None:
    """The main error of each statistic together and apart, and the bits apart."""
    main = {name: next(each for each in MAIN_ERRORS if each in of.metrics) for name, of in joint.separate.items()}
    rows = [
        (name, error, number(joint.sections[name].metrics[error]), number(joint.separate[name].metrics[error]))
        for name, error in main.items()
    ]
    title = f"together, or in {len(rows)} campaigns of epsilon {float(joint.epsilon_each):.3g} each"
    print_table(title, ("statistic", "error", "together", "apart"), rows)
    bits = joint.separate_cost
    print_line(f"apart:     {number(bits.upload_bits_per_user)} bits up, {number(bits.download_bits_per_user)} down")


def protocols(
    browser: Annotated[bool, typer.Option("--browser", help="Only those that people can answer in a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the protocols that a campaign may use, and whether people can answer them in a browser.

    The others are answered with `graphveil collect join`.

    Example: graphveil collect protocols --browser
    """
    from graphveil.service.pages.offered import offered_protocols

    offered = [each for each in offered_protocols() if each["browser"] or not browser]
    if as_json:
        print_json({"protocols": offered})
        return
    rows = [
        (each["statistic"], each["protocol"], each["unit"], str(each["rounds"]), "yes" if each["browser"] else "no")
        for each in offered
    ]
    print_table("protocols of campaigns", ("statistic", "protocol", "unit", "rounds", "in a browser"), rows)
