"""`graphveil collect create`: publish a campaign, and serve it at once if asked to."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.collect.options import (
    LabelColumn,
    OperatorOptions,
    ProtocolParameter,
    Statistics,
    labelled_people,
    read_lines,
    refuse_without_local,
    say_memory,
    secret_file,
    service_extra,
    write_links,
)
from graphveil.cli.collect.serve import ServerOptions, open_service, serve_until_stopped
from graphveil.cli.collect.two_servers import propose
from graphveil.cli.collect.unfinished import Unfinished, same_campaign
from graphveil.cli.command import group_options
from graphveil.cli.options import AcceptWeak, AsJson, UnitName, parse_options
from graphveil.cli.output import note, print_result
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.local.protocol import LocalProtocol
    from graphveil.service.service import Service
    from graphveil.service.settings import Settings

HOUR = 3_600.0
MOST_REHEARSED = 2_000  # people of whom a forecast takes no time; more are seldom too few
USUAL_FRIENDS = 20.0


@dataclass(frozen=True, slots=True)
class Statements:
    """What people are told before they decide."""

    purpose: Annotated[str, typer.Option(metavar="TEXT", help="Tells people what the result is for.")] = ""
    controller: Annotated[str, typer.Option(metavar="TEXT", help="Tells people who asks.")] = ""
    contact: Annotated[str, typer.Option(metavar="TEXT", help="Tells people whom to write to.")] = ""
    retention: Annotated[str, typer.Option(metavar="TEXT", help="Tells people how long answers are kept.")] = ""


@dataclass(frozen=True, slots=True)
class Parties:
    """The addresses of the parties of a campaign with two servers."""

    leader: Annotated[str, typer.Option(metavar="URL", help="Address of the leader, with two servers.")] = ""
    helper: Annotated[str, typer.Option(metavar="URL", help="Address of the helper, with two servers.")] = ""
    dealer: Annotated[str, typer.Option(metavar="URL", help="Address of the dealer: triangles with two servers.")] = ""


@group_options
def create(
    *,
    roster: Annotated[
        Path,
        typer.Argument(metavar="PEOPLE", help="Everybody who is asked: one name a line, or a table for --attribute."),
    ],
    statistic: Statistics,
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Loss of one person's list (node) or entry (edge).")],
    protocol: Annotated[str, typer.Option(metavar="P", help="`veil` is our own for each statistic.")] = "veil",
    title: Annotated[str, typer.Option(metavar="TEXT", help="Name of the campaign, as people read it.")] = "",
    minimum: Annotated[int | None, typer.Option(metavar="N", help="Fewest reports a round (default: half).")] = None,
    hours: Annotated[float, typer.Option(metavar="H", help="How long a round stays open at most.")] = 168.0,
    parameter: ProtocolParameter = None,
    attribute: LabelColumn = None,
    told: Statements,
    invitations: Annotated[Path, typer.Option(metavar="FILE", help="Where the links go.")] = Path("invitations.csv"),
    known: Annotated[
        str, typer.Option(metavar="WHAT", help="People with a token: keep it, renew it (old links end), or refuse.")
    ] = "refuse",
    at: OperatorOptions,
    trust: Annotated[
        str, typer.Option(metavar="T", help="local (nobody sees a list), or two-servers (neither of them does).")
    ] = "local",
    parties: Parties,
    proposal: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the campaign goes for its operators, with two servers.")
    ] = Path("proposal.json"),
    serve: Annotated[bool, typer.Option("--serve", help="Also run the collector, in this command.")] = False,
    serving: ServerOptions,
    accept_weak: AcceptWeak = False,
    as_json: AsJson = False,
) -> None:
    """Publish a campaign, open its first round, and write a link for everybody who is asked.

    With --serve no collector needs to run: this command becomes one, on a database in a file. Stopped or interrupted,
    give the same command again: it goes on where it was.

    With --trust two-servers it asks the running servers who they are, and writes a proposal for their operators
    (`graphveil collect accept`) and the links.

    Example: graphveil collect create people.txt --statistic degree-distribution --unit node --epsilon 1 --serve
    """
    _question_weak(epsilon, accepted=accept_weak)
    if trust not in ("local", "two-servers"):
        raise ParameterError(f"unknown trust {trust!r}; allowed: local, two-servers")
    split = trust == "two-servers"
    if not split:
        refuse_without_local(statistic)
    if split and serve:
        raise ParameterError("two servers are two machines: start each with `graphveil collect serve --role …`")
    if split and not (parties.leader and parties.helper):
        raise ParameterError("--trust two-servers needs --leader URL and --helper URL, and --dealer URL for triangles")
    people, parameters = _asked(roster, statistic, attribute, parse_options(parameter, flags=()))
    plan: dict[str, Any] = {
        "statistic": statistic,
        "protocol": protocol,
        "unit": unit,
        "epsilon": epsilon,
        "title": title or f"{statistic} {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime())}",
        "people": people,
        "closes": [_deadline(hours, i) for i in (1, 2)] if split else _deadlines(statistic, protocol, unit, hours),
        "minimum_reports": minimum,
        "parameters": parameters,
        "accept_weak": accept_weak,
        "statements": asdict(told),
    }
    if split:
        _say_unstated(plan["statements"])
        propose(plan, asdict(parties), (proposal, invitations), as_json=as_json)
        return
    settings = serving.settings() if serve else None
    _check_memory(plan, settings)
    _say_unstated(plan["statements"])
    if known not in ("keep", "renew", "refuse"):
        raise ParameterError(f"--known is keep, renew or refuse, not {known!r}")
    if invitations.exists() and settings is None:
        raise ParameterError(
            f"{invitations} exists: its campaign was made and may still need these links; start its collector again "
            "with `graphveil collect serve`, or choose another name for a new campaign (--invitations)"
        )
    if settings is not None and invitations.exists():
        collector = open_service(settings)
        made = same_campaign(collector, plan if title else plan | {"title": ""}, invitations)
        note(f"this campaign was made before and goes on; its rounds close at {', '.join(made['closes'])}")
        _print_id(made, [], invitations, as_json=as_json)
        serve_until_stopped(collector)
        return
    unfinished = Unfinished.begin(invitations, plan | {"known": known})
    service, url = None, at.server
    with unfinished.kept_if_unsure():
        if settings is not None:
            service = open_service(settings)
            answer, url = _publish(service, unfinished.plan), settings.url
        else:
            with at.connect() as client:
                answer = client.create(unfinished.plan)
    with secret_file(invitations) as file:
        write_links(file, _links(url, answer, plan["people"]))
    unfinished.end()
    _print_id(answer, plan["people"], invitations, as_json=as_json)
    if service is not None:
        serve_until_stopped(service)


def _asked(
    roster: Path, statistic: str, attribute: str | None, parameters: dict[str, Any]
) -> tuple[list[str], dict[str, Any]]:
    """Everybody who is asked, and the public parameters; those of class rows follow from a table with labels."""
    from graphveil.local.attributes.class_rows import LocalClassRows, parameters_of

    if statistic != LocalClassRows.statistic:
        if attribute is not None:
            raise ParameterError(f"--attribute is for --statistic class-rows, whose labels are public; not {statistic}")
        from graphveil.service.terms import write_roster

        people = read_lines(roster, "roster")
        write_roster(people)  # refuses names that cannot stand on it, before a collector is made
        return people, parameters
    if attribute is None or parameters:
        raise ParameterError(
            "class-rows takes its classes and labels from a table: give PEOPLE.csv with a header, names first, and the "
            "column of labels with --attribute; no --option"
        )
    known = labelled_people(roster, attribute)
    return known.names.tolist(), parameters_of(known)


def _publish(service: Service, plan: Mapping[str, Any]) -> dict[str, Any]:
    from graphveil.service.campaigns import Plan
    from graphveil.service.campaigns import create as publish
    from graphveil.service.problems import PROBLEMS, Problem

    try:
        created = publish(service, Plan(**plan), actor="command line")
    except Problem as problem:
        raise ParameterError(f"{PROBLEMS[problem.code][1]}: {problem.detail}") from None
    return {"id": created.campaign.id, "tokens": created.tokens}


def _question_weak(epsilon: str, *, accepted: bool) -> None:
    """Refuse what promises next to nothing before anybody is asked, and say what a weak epsilon means."""
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.privacy.odds import refuse_weak, weak_warning

    asked = exact_epsilon(epsilon)
    refuse_weak(asked, accepted=accepted)
    if warning := weak_warning(asked):
        note(f"warning: {warning}")


def _check_memory(plan: Mapping[str, Any], settings: Settings | None) -> None:
    """Say what closing takes; where this command is the collector, refuse too much before anything is written."""
    from graphveil.local.memory import check_memory
    from graphveil.registry import build_protocol

    asked = {name: plan[name] for name in ("unit", "epsilon", "parameters")}
    built = build_protocol(plan["statistic"], plan["protocol"], n_people=len(plan["people"]), **asked)
    if settings is not None:
        check_memory(built, settings.memory_mb * 2**20)
    say_memory(built)
    _warn_of_few(built)


def _warn_of_few(built: LocalProtocol) -> None:
    """Say before anybody is asked that a mere guess would be closer, as `collect plan` does."""
    from graphveil.local.forecast import forecast_errors
    from graphveil.local.statistics import DISTRIBUTIONS, QUESTION

    if built.statistic not in (*DISTRIBUTIONS, QUESTION) or not 3 <= built.n_people <= MOST_REHEARSED:
        return
    advice = forecast_errors(built, mean_degree=min(USUAL_FRIENDS, (built.n_people - 1) / 3), clustering=0.0).advice
    if advice.startswith("do not"):
        note(f"warning: {advice}")


def _say_unstated(statements: Mapping[str, str]) -> None:
    with service_extra():
        from graphveil.service.terms import STATEMENTS, unstated
    if missing := unstated(statements):
        options = " ".join(f"--{name}" for name in missing)
        note(f"people are not told {', '.join(STATEMENTS[name] for name in missing)}; say it by {options}")


def _deadline(hours: float, rounds: int = 1) -> str:
    """When a round closes that so many rounds have to pass to."""
    with service_extra():
        from graphveil.service.service import to_text
    if not 0 < hours < 1e6:
        raise ParameterError(f"--hours must lie between 0 and a million, not at {hours:g}")
    return to_text(time.time() + rounds * hours * HOUR + 1)


def _deadlines(statistic: str, protocol: str, unit: str, hours: float) -> list[str]:
    from graphveil.registry import find_protocol

    rounds = find_protocol(statistic, protocol, unit).cls.rounds
    return [_deadline(hours, i + 1) for i in range(rounds)]


def _links(url: str, answer: Mapping[str, Any], names: list[str]) -> Iterator[tuple[str, str]]:
    from graphveil.service.client.invitation import Invitation

    for name in names:
        yield name, Invitation(url.rstrip("/"), answer["id"], name, answer["tokens"].get(name, "")).link


def _print_id(answer: Mapping[str, Any], names: list[str], invitations: Path, *, as_json: bool) -> None:
    without = sum(name not in answer["tokens"] for name in names)
    if without:
        note(f"{without:,} links carry no token: these people use the token of their earlier link")
    print_result(
        {"id": answer["id"], "invitations": str(invitations), "without_token": without},
        f"campaign {answer['id'][:12]} is open; the link of each person is in {invitations}",
        as_json=as_json,
    )
