"""`graphveil collect status | close | result`: what an operator does with a campaign."""

from __future__ import annotations

from graphveil.cli.collect_options import DEFAULT_SERVER, DEFAULT_TOKEN, OperatorToken, Server, WhichCampaign, operator
from graphveil.cli.options import AsJson
from graphveil.cli.output import number, print_json, print_line, print_table, status_text


def status(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    as_json: AsJson = False,
) -> None:
    """Show where a campaign stands, who takes part, and what was refused.

    Example: graphveil collect status --campaign 3f9a
    """
    with operator(server, token) as client:
        told = client.progress(client.find(campaign))
    if as_json:
        print_json(told)
        return
    rows = [
        ("state", f"{told['state']}, round {told['round']} of {told['rounds']}, closes {told['closes']}"),
        ("people", f"{number(told['people'])}, {number(told['enrolled'])} enrolled"),
        ("reports", ", ".join(f"round {i + 1}: {number(count)}" for i, count in enumerate(told["reports"]))),
        ("refused", ", ".join(f"{reason}: {number(count)}" for reason, count in told["refusals"].items()) or "none"),
    ]
    print_table(f"{told['title']} ({told['id'][:12]})", ("what", "now"), rows)


def close(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    as_json: AsJson = False,
) -> None:
    """End the open round before its deadline; the next one opens, or the result is computed.

    Example: graphveil collect close
    """
    with operator(server, token) as client:
        told = client.close(client.find(campaign))
    if as_json:
        print_json(told)
    else:
        print_line(f"{told['title']} is {told['state']}, round {told['round']} of {told['rounds']}")


def result(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    as_json: AsJson = False,
) -> None:
    """Print what came out: estimate, interval, guarantee, participation.

    Example: graphveil collect result --json
    """
    with operator(server, token) as client:
        told = client.result(client.find(campaign))
    if as_json:
        print_json(told)
        return
    values = told["value"] if isinstance(told["value"], list) else [told["value"]]
    low, high = told["interval95"] or ([None] * len(values), [None] * len(values))
    ends = zip(low, high, strict=True) if isinstance(low, list) else [(low, high)]
    rows = [
        (str(i), number(value), "-" if end[0] is None else f"{number(end[0])} … {number(end[1])}")
        for i, (value, end) in enumerate(zip(values, ends, strict=True))
    ]
    print_table(f"{told['statistic']} by {told['protocol']}", ("entry", "value", "95 %"), rows[:50])
    part, guarantee = told["participation"], told["guarantee"]
    print_line(f"reports:   {', '.join(number(count) for count in part['reports'])} of {number(part['people'])} people")
    print_line(
        f"guarantee: {status_text(guarantee)}; epsilon {guarantee['epsilon']:g} for one {guarantee['unit']}, "
        f"{guarantee['relationship_epsilon']:g} for one relationship"
    )
