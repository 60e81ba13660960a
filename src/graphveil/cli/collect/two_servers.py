"""Campaigns with two servers: `create --trust two-servers` writes a proposal, each operator accepts it by `accept`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.collect.consent import LABELS, print_statements
from graphveil.cli.collect.options import OperatorOptions, secret_file, service_extra, write_links
from graphveil.cli.command import group_options
from graphveil.cli.options import AsJson
from graphveil.cli.output import confirm, print_json, print_line, print_result
from graphveil.errors import ParameterError
from graphveil.privacy.odds import central_meaning

if TYPE_CHECKING:
    from graphveil.service.client.two_servers import TwoServerParticipant
    from graphveil.two_servers.parties.campaign import TwoServerCampaign
    from graphveil.two_servers.parties.names import PartyName


def propose(
    plan: Mapping[str, Any], addresses: Mapping[str, str | None], files: tuple[Path, Path], *, as_json: bool
) -> None:
    """Write the text of a campaign and everybody's link; nothing is open before all operators have accepted."""
    with service_extra():
        from graphveil.service.auth import hash_token
        from graphveil.service.client.invitation import Invitation, new_pair, token_of_pair
        from graphveil.service.terms import write_roster
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.two_servers.guarantee import QUESTION, WITH_DEALER
    from graphveil.two_servers.parties.campaign import CUT, TwoServerCampaign
    from graphveil.two_servers.parties.names import HELPER, LEADER
    from graphveil.two_servers.sum_statistics import parse_values
    from graphveil.two_servers.triangle_terms import parse_hubs

    for path in files:
        if path.exists():
            raise ParameterError(f"{path} exists and may still be needed; move it away, or choose another name")
    if plan["protocol"] != "veil":
        raise ParameterError("two servers have one protocol for each statistic: leave out --protocol")
    proposal, invitations = files
    names, options = plan["people"], dict(plan["parameters"])
    for name in set(options) - {"max_degree", "k", "hubs", "values"}:
        raise ParameterError(f"unknown option {name}; a campaign with two servers takes max_degree, k, hubs, values")
    if plan["statistic"] == QUESTION:
        options["values"] = parse_values(options.get("values", "no,yes"))
    if plan["statistic"] == "k-stars":
        options.setdefault("k", 2)
    asks_degrees = plan["statistic"] in CUT and "max_degree" not in options
    if plan["statistic"] in WITH_DEALER:
        options["hubs"] = parse_hubs(options.get("hubs", "auto"), options.get("max_degree"))
    first, last = plan["closes"]
    campaign = TwoServerCampaign(
        title=plan["title"],
        statistic=plan["statistic"],
        unit=plan["unit"],
        epsilon=str(exact_epsilon(plan["epsilon"])),
        people=len(names),
        minimum_reports=max(2, len(names) // 2) if plan["minimum_reports"] is None else plan["minimum_reports"],
        closes=last if asks_degrees else first,
        degrees_close=first if asks_degrees else None,
        roster=hashlib.sha256(write_roster(names)).hexdigest(),
        parties=tuple(_ask(role, url) for role, url in addresses.items() if url),
        statements=tuple(sorted((name, text) for name, text in plan["statements"].items() if text)),
        **options,
    )
    pairs = [new_pair(number) for number in range(len(names))]
    tokens = {
        role: [hash_token(token_of_pair(pair, role, number)).hex() for number, pair in enumerate(pairs)]
        for role in (LEADER, HELPER)
    }
    with secret_file(proposal) as file:
        json.dump({"document": campaign.to_json(), "people": names, "tokens": tokens}, file)
    with secret_file(invitations) as file:
        url = campaign.party(LEADER).url
        links = (Invitation(url, campaign.id, name, pair) for name, pair in zip(names, pairs, strict=True))
        write_links(file, ((each.name, each.link) for each in links))
    if as_json:
        print_json({"id": campaign.id, "proposal": str(proposal), "invitations": str(invitations)})
        return
    print_campaign(campaign)
    print_line(f"campaign {campaign.id[:12]} is proposed. Send {proposal} to the operator of each party; each runs")
    print_line(f"  graphveil collect accept {proposal.name} --server URL --token FILE")
    print_line(f"Then send everybody their link from {invitations}. Nobody else may see these links.")


def _ask(role: str, url: str) -> PartyName:
    """Who answers at an address, checked to be of the role that is wanted."""
    from graphveil.two_servers.parties.names import PartyName

    told = _about(url)
    if told["role"] != role:
        raise ParameterError(f"the server at {url} is a {told['role']}, not a {role}")
    return PartyName(role, told["operator"], url.rstrip("/"), told["ed25519"], told["x25519"])


def _about(url: str) -> dict[str, str]:
    """What a party says of itself."""
    from graphveil.service.client.api import Api, Refused

    try:
        with Api(url.rstrip("/")) as api:
            told = api.ask(dict[str, str], "GET", "/api/v1/party")
        return {name: told[name][:200] for name in ("role", "operator", "ed25519", "x25519")}
    except (Refused, KeyError, ParameterError):
        raise ParameterError(
            f"the server at {url} does not run with two servers; start it with `graphveil collect serve --role ROLE`"
        ) from None


@group_options
def accept(
    proposal: Annotated[Path, typer.Argument(metavar="FILE", help="The proposal that `collect create` wrote.")],
    at: OperatorOptions,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let your leader, helper or dealer take part in a proposed campaign. Compare the keys with the other operators.

    Example: graphveil collect accept proposal.json --server https://leader.example --token leader.token
    """
    from graphveil.two_servers.parties.campaign import TwoServerCampaign

    try:
        proposed = json.loads(proposal.read_text(encoding="utf-8"))
        document, people, tokens = (proposed[name] for name in ("document", "people", "tokens"))
    except OSError as error:
        raise ParameterError(f"cannot read {proposal}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise ParameterError(f"{proposal} is not a proposal of `graphveil collect create`") from None
    campaign = TwoServerCampaign.from_json(document)
    if not as_json:
        print_campaign(campaign)
    role = _about(at.server)["role"]
    if not (yes or as_json):
        confirm(f"Take part as the {role}?", "this server does not take part")
    given = {"people": people, "tokens": tokens[role]} if role in tokens else {}
    with at.connect() as client:
        accepted = client.create({"document": document, **given})
    print_result(
        {"id": accepted["id"], "role": role},
        f"campaign {accepted['id'][:12]} is accepted by the {role}",
        as_json=as_json,
    )


def print_campaign(campaign: TwoServerCampaign) -> None:
    """Print what is asked, what is promised, and who runs the parties."""
    print_line(f"{campaign.title}: {campaign.statistic}, asked of {campaign.people:,} people until {campaign.closes}")
    if campaign.degrees_close:
        print_line(
            f"first:    noisy degrees until {campaign.degrees_close}, which say where lists are cut; then answers"
        )
    if campaign.values:
        print_line(f"question: the title asks it; the answers are {', '.join(campaign.values)}")
    for each in campaign.parties:
        print_line(f"{each.role + ':':9} {each.operator}, at {each.url}, key {each.ed25519}")
    print_statements({**dict.fromkeys(LABELS, ""), **dict(campaign.statements)})
    print_line(f"promise:  {campaign.guarantee}")
    for fact in campaign.guarantee.assumes:
        print_line(f"assumes:  {fact}")


def explain(person: TwoServerParticipant) -> None:
    """Print what a person has to know before they decide."""
    print_campaign(person.campaign)
    if person.campaign.asks_degrees:
        print_line("sent:     first, to both servers, about how many friends you have, with noise; then")
    print_line("sent:     one half of your answer to each server; either half alone is random bits")
    print_line("learned:  that you take part; from the result")
    for meaning in central_meaning(person.campaign.guarantee):
        print_line(f"  - {meaning}")
    print_line("withdraw: any time before the shares are sent")
