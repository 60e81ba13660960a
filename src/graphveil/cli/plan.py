"""`graphveil plan`: what an answer will be worth, or what a good enough answer costs, before spending."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.options import (
    AsJson,
    MaxDegree,
    MaxStrength,
    MaxWeight,
    MethodOption,
    UnitName,
    options_of_all,
    parse_options,
    parse_queries,
    parse_shares,
    refuse_beside,
    split_names,
)
from graphveil.cli.output import number, print_json, print_line, print_table
from graphveil.cli.person_table import Attribute, AttributeValues, Partitions, People
from graphveil.cli.stream.over_time import Ever
from graphveil.errors import ParameterError

_GUESS = {"edge": "two given people are connected", "node": "a given person is in the data"}

if TYPE_CHECKING:
    from graphveil.mechanisms.algorithm import PublicFacts
    from graphveil.release.comparison import Comparison
    from graphveil.release.plan import Plan


def plan(
    *,
    query: Annotated[str, typer.Option(metavar="Q[,Q…]", help="Queries; `graphveil algorithms` lists them.")],
    unit: UnitName,
    epsilon: Annotated[
        str | None, typer.Option(metavar="E", help="Forecast the error at this total; 0.1,0.5,1 compares several.")
    ] = None,
    delta: Annotated[
        str | None, typer.Option(metavar="D", help="Also state what all queries cost together at this delta.")
    ] = None,
    error: Annotated[float | None, typer.Option(metavar="X", help="Find the smallest epsilon for this error.")] = None,
    std: Annotated[
        float | None, typer.Option(metavar="S", help="Find the smallest epsilon for this standard deviation.")
    ] = None,
    confidence: Annotated[float, typer.Option(metavar="C", help="Probability that the error stays below.")] = 0.95,
    nodes: Annotated[int, typer.Option(metavar="N", help="Number of people (a guess will do under node privacy).")],
    share: Annotated[str | None, typer.Option(metavar="Q=W,…", help="How the queries share epsilon.")] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="Algorithm to use instead of the default.")] = None,
    option: MethodOption = None,
    max_degree: MaxDegree = None,
    max_weight: MaxWeight = None,
    max_strength: MaxStrength = None,
    partitions: Partitions = None,
    people: People = None,
    attribute: Attribute = None,
    attribute_values: AttributeValues = None,
    horizon: Annotated[
        int | None,
        typer.Option(metavar="T", help="Compare a stream of so many periods with fresh noise and one final release."),
    ] = None,
    ever: Ever = False,
    as_json: AsJson = False,
) -> None:
    """Forecast errors, or find the smallest epsilon for a wanted accuracy. Reads no graph and spends nothing.

    Examples: graphveil plan --query edges --unit edge --epsilon 0.5 --nodes 4000;
    graphveil plan --query edges,triangles --unit edge --epsilon 0.1,0.5,1,2 --nodes 4000;
    graphveil plan --query edges --unit edge --error 10 --confidence 0.99 --nodes 4000
    """
    from graphveil.cli.person_table import planned_column, read_partitions
    from graphveil.mechanisms.algorithm import PublicFacts
    from graphveil.privacy.loss import exact_delta, exact_epsilon
    from graphveil.privacy.parameter import LARGEST
    from graphveil.release.comparison import plan as compare
    from graphveil.release.plan import forecast, smallest_epsilon

    if not 1 <= nodes <= LARGEST:
        raise ParameterError(f"--nodes must lie from 1 to {LARGEST:,}, not at {nodes}")
    if sum(option is not None for option in (epsilon, error, std)) != 1:
        raise ParameterError("give exactly one of --epsilon, --error and --std")
    queries = parse_queries(query)
    shares = parse_shares(share, queries)
    caps = {"max_weight": max_weight, "max_strength": max_strength}
    if horizon is not None:
        table = {"people": people, "attribute": attribute, "attribute_values": attribute_values}
        asked: dict[str, Any] = {"error": error, "std": std, "method": method, "option": option}
        refuse_beside("--horizon", **asked, **caps, partitions=partitions, **table)
        _compare_over_time(shares, unit, epsilon, delta, horizon, max_degree, nodes, ever=ever, as_json=as_json)
        return
    if ever:
        raise ParameterError("--ever is for --horizon T")
    tail = None if delta is None else exact_delta(delta)
    facts = PublicFacts(n_nodes=nodes, max_degree=max_degree)
    candidates = None if partitions is None else read_partitions(partitions)
    column = planned_column(people, attribute, attribute_values, unit)
    given = {"partitions": candidates, "column": column, **caps, **parse_options(option)}
    options = options_of_all(queries, unit, given, where_useful={"max_degree": max_degree})
    if epsilon is not None and "," in epsilon:
        refuse_beside("several epsilons", delta=delta)
        known: dict[str, Any] = {"n_nodes": nodes, "max_degree": max_degree, "confidence": confidence}
        asked = {"unit": unit, "epsilons": split_names(epsilon), "method": method}
        _print_comparison(compare(queries, **asked, **known, shares=shares, options=options), as_json=as_json)
        return
    plans: list[Plan] = []
    for name in queries:
        asked = {"unit": unit, "facts": facts, "method": method, "options": options[name]}
        if epsilon is not None:
            plans.append(forecast(name, epsilon=exact_epsilon(epsilon) * shares[name], **asked))
        elif error is not None:
            plans.append(smallest_epsilon(name, error=error, confidence=confidence, **asked))
        elif std is not None:
            plans.append(smallest_epsilon(name, error=std, confidence=None, **asked))
    guessed = [name for name in queries if max_degree is not None and "max_degree" not in options[name]]
    _print_plans(plans, facts, confidence, tail, guessed, as_json=as_json)


def _print_plans(
    plans: list[Plan],
    facts: PublicFacts,
    level: float,
    delta: Fraction | None,
    bounded: list[str],
    *,
    as_json: bool,
) -> None:
    """A table of forecasts, and what they mean; `bounded` are the queries whose forecast alone uses a degree bound."""
    from graphveil.privacy.odds import odds_sentence
    from graphveil.privacy.rounding import round_up, text_up
    from graphveil.release.plan import joint_cost

    documents = [_document(each, facts, level) for each in plans]
    total = sum((each.epsilon for each in plans), Fraction(0))
    joint = None if delta is None else joint_cost(plans, delta)
    if as_json:
        together = None if joint is None else {
            "epsilon": round_up(joint.epsilon), "delta": round_up(joint.delta), "rule": joint.rule.value
        }  # fmt: skip
        print_json({"plans": documents, "total": {"epsilon": round_up(total), "delta": 0.0}, "together": together})
        return
    rows = [_row(each, told) for each, told in zip(plans, documents, strict=True)]
    stated, unit = plans[0].accuracy.band(level).confidence, plans[0].unit
    columns = ("query", "epsilon", "std", f"error, {100 * stated:g} %", "of the answer", "answer assumed", "remark")
    print_table(f"forecast under {unit} privacy, total epsilon {text_up(total)}", columns, rows)
    print_line(f"meaning:   when guessing whether {_GUESS[unit.kind.value]}, {odds_sentence(total)}")
    print_line("           the answer assumed is that of a typical network of so many people; your graph may differ")
    if any(isinstance(each.accuracy.std, tuple) for each in plans):
        print_line(
            "           of a list, std and error are those of its noisiest entry; a stream forecasts the middle one"
        )
    if bounded:
        whose = ", ".join(bounded)
        print_line(f"           --max-degree only guides the forecast of {whose}: release has no such option for it")
    if joint is not None:
        print_line(f"together:  epsilon {text_up(joint.epsilon)} at delta {text_up(joint.delta)} (rule: {joint.rule})")


def _row(plan: Plan, told: dict[str, Any]) -> tuple[str, ...]:
    """A line of the table of forecasts."""
    from graphveil.privacy.rounding import text_up
    from graphveil.release.policy import OF_ALL_ENTRIES

    share = "an entry" if plan.query in OF_ALL_ENTRIES else _told(told["percent"])
    sizes = number(told["std"]), number(told["error"]), share, _assumed(plan.query, told["expected"])
    return plan.query, text_up(plan.epsilon), *sizes, plan.accuracy.scope


def _document(plan: Plan, facts: PublicFacts, confidence: float) -> dict[str, Any]:
    """The forecast of a query as JSON has it, with the guessed size of the answer and the error in percent of that."""
    from graphveil.mechanisms.accuracy import finite_or_null
    from graphveil.privacy.rounding import round_up
    from graphveil.release.comparison import Comparison

    alone = Comparison(plan.unit, facts, confidence, (plan.epsilon,), ((plan,),))
    return {
        "query": plan.query,
        "unit": str(plan.unit),
        "epsilon": round_up(plan.epsilon),
        "algorithm": plan.algorithm,
        "std": None if plan.std is None else finite_or_null(plan.std),
        "error": finite_or_null(plan.error(confidence)),
        "confidence": plan.accuracy.band(confidence).confidence,
        "bias": plan.accuracy.bias,
        "scope": plan.accuracy.scope,
        "expected": alone.expected(plan),
        "percent": alone.percent(plan),
    }


def _assumed(query: str, expected: float | None) -> str:
    from graphveil.release.policy import OF_ALL_ENTRIES, rough

    if expected is None:
        return "-"
    return f"{rough(expected)} in all" if query in OF_ALL_ENTRIES else rough(expected)


def _told(percent: float | None) -> str:
    from graphveil.release.comparison import percent_text

    return "-" if percent is None else percent_text(percent)


def _print_comparison(comparison: Comparison, *, as_json: bool) -> None:
    """A table of errors, bars of their percents, and what each epsilon lets an attacker learn."""
    if as_json:
        print_json({"plans": comparison.rows(), "confidence": comparison.confidence, "meaning": comparison.meanings()})
        return
    columns, rows = comparison.table()
    title = f"errors under {comparison.unit} privacy, {100 * comparison.confidence:g} % confidence"
    print_table(title, columns, rows)
    for line in comparison.bars():
        print_line(line)
    print_line(f"what each lets an attacker learn who guesses whether {_GUESS[comparison.unit.kind.value]}:")
    for line in comparison.meanings():
        print_line(line)
    for line in comparison.remarks():
        print_line(line)


def _compare_over_time(
    shares: dict[str, Fraction],
    unit: str,
    epsilon: str | None,
    delta: str | None,
    horizon: int,
    max_degree: int | None,
    nodes: int,
    *,
    ever: bool,
    as_json: bool,
) -> None:
    """Errors of a stream, of fresh noise every period and of one release at the end, all at the same total epsilon."""
    from graphveil.cli.stream.printing import ERROR, terms_document
    from graphveil.privacy.loss import exact_delta
    from graphveil.release.over_time.forecast import forecasts, refuse_noise
    from graphveil.release.over_time.opening import StreamTerms

    if epsilon is None:
        raise ParameterError("--horizon compares errors at one total epsilon: give --epsilon E")
    ever = ever or max_degree is not None
    terms = StreamTerms(shares, unit, epsilon, horizon, max_degree=max_degree, ever=ever, people=nodes)
    spec = terms.spec("plan", exact_delta(delta or 0))
    told = forecasts(spec, terms.facts)
    if as_json:
        print_json({"horizon": horizon, "over_time": told, "stream": terms_document(spec)})
        return
    rows = [
        (item["query"], item["method"], *(number(item[name]) for name in ("rms", "fresh", "final"))) for item in told
    ]
    columns = ("query", "stream by", "error of the stream", "fresh every period", "once at the end")
    print_table(f"errors over {horizon} periods at a total epsilon of {epsilon}, {unit} privacy", columns, rows)
    print_line(f"error:     {ERROR}; a forecast for {nodes:,} people")
    print_line(f"loses:     {spec.loss_words}")
    for item in told:
        print_line(f"{item['query']} by {item['method']}: {item['why']}")
    try:
        refuse_noise(spec, terms.facts)
    except ParameterError as refusal:
        print_line(f"warning: {refusal}")
