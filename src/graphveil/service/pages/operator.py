"""The operator's pages: campaigns, a form for a new one, how one goes, what came out."""

from __future__ import annotations

import base64
import csv
import io
import time
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, UploadFile
from starlette.responses import Response

from graphveil.errors import ParameterError
from graphveil.privacy.guarantee import Verdict
from graphveil.registry import PROTOCOLS, find_protocol
from graphveil.service import campaigns, rounds
from graphveil.service.campaigns import Plan
from graphveil.service.client.invitation import Invitation
from graphveil.service.pages.charts import arrivals_chart
from graphveil.service.pages.render import PageRoute, page, see_other
from graphveil.service.pages.session import OWN_ORIGIN, LoggedIn
from graphveil.service.routes.parts import CampaignId, TheService
from graphveil.service.service import Service, to_text
from graphveil.service.store import campaigns as rows

router = APIRouter(prefix="/operator", route_class=PageRoute, include_in_schema=False)
_HOUR = 3_600.0
_SHOWN = 20  # invitations, before the whole file is fetched
_BLANK = {
    "protocol": "degree-distribution|veil|node",
    "title": "",
    "epsilon": "1",
    "hours": 168,
    "minimum": "",
    "names": "",
}
_ENDED = ("done", "expired", "failed")


@router.get("")
def overview(service: TheService, operator: LoggedIn) -> Response:
    """Show every campaign, the newest first."""
    with service.database.read() as connection:
        known = [campaigns.summary(row) for row in reversed(rows.in_state(connection))]
    return page("campaigns.html", operator=operator, campaigns=known)


@router.get("/new")
def form(operator: LoggedIn) -> Response:
    """The form that describes a new campaign."""
    return page("new.html", operator=operator, offered=_offered(), error="", given=_BLANK)


@router.post("/campaigns", dependencies=[OWN_ORIGIN])
def create(
    service: TheService,
    operator: LoggedIn,
    request: Request,
    protocol: Annotated[str, Form(max_length=200)] = "",
    title: Annotated[str, Form()] = "",
    epsilon: Annotated[str, Form()] = "",
    hours: Annotated[float, Form(gt=0, lt=1e6)] = 168.0,
    minimum: Annotated[str, Form()] = "",
    names: Annotated[str, Form()] = "",
    roster: UploadFile | None = None,
) -> Response:
    """Publish a campaign and show its invitations; or show the form again with what is wrong."""
    given: dict[str, Any] = {
        "protocol": protocol,
        "title": title,
        "epsilon": epsilon,
        "hours": hours,
        "minimum": minimum,
    }
    try:
        people = _people(names, roster)
        plan = _plan(service, people=people, **given)
        created = campaigns.create(service, plan, actor=operator)
    except ParameterError as error:
        kept = {**given, "names": names}
        return page("new.html", 422, operator=operator, offered=_offered(), error=str(error), given=kept)
    url = service.settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
    links = [Invitation(url, created.campaign.id, name, created.tokens.get(name, "")) for name in people]
    return page(
        "created.html",
        operator=operator,
        campaign=created.campaign,
        links=links[:_SHOWN],
        n_links=len(links),
        file=_invitations_file(links),
    )


@router.get("/campaigns/{campaign_id}")
def campaign(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:
    """One campaign: its promise, how it goes, and its result once there is one."""
    told = _progress(service, campaign_id)
    result = campaigns.result(service, campaign_id) if told["state"] == "done" else None
    return page("campaign.html", operator=operator, told=told, result=result, error="")


@router.get("/campaigns/{campaign_id}/progress")
def progress(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:  # noqa: ARG001
    """The part of the page that changes; when the campaign has ended, the whole page is loaded anew."""
    told = _progress(service, campaign_id)
    answer = page("progress.html", told=told)
    if told["state"] in _ENDED:
        answer.headers["HX-Refresh"] = "true"
    return answer


@router.post("/campaigns/{campaign_id}/close", dependencies=[OWN_ORIGIN])
def close(
    service: TheService, operator: LoggedIn, campaign_id: CampaignId, number: Annotated[int, Form(ge=1, le=255)]
) -> Response:
    """End the open round of a campaign before its deadline."""
    rounds.close(service, campaign_id, number, actor=operator)
    return see_other(f"/operator/campaigns/{campaign_id}")


@router.get("/audit")
def audit(service: TheService, operator: LoggedIn) -> Response:
    """Show the log of what operators did."""
    with service.database.read() as connection:
        entries = [{"at": to_text(note.at), "note": note} for note in rows.notes(connection, 200)]
    return page("audit.html", operator=operator, entries=entries)


def _progress(service: Service, campaign_id: str) -> dict[str, Any]:
    told = campaigns.progress(service, campaign_id)
    return told | {"charts": [arrivals_chart(arrivals) for arrivals in told["arrivals"]]}


def _offered() -> list[tuple[str, str, str, int]]:
    """Statistic, protocol, unit and rounds of whatever may be deployed."""
    pages = [(entry, entry.cls(epsilon=1, n_people=100)) for entry in PROTOCOLS]
    fine = [e for e, built in pages if built.claim is None or built.claim.verdict is not Verdict.REFUTED]
    return [(entry.query, entry.name, entry.unit, entry.cls.rounds) for entry in fine]


def _people(names: str, roster: UploadFile | None) -> list[str]:
    """From the file, or from the field where there is none."""
    content = roster.file.read() if roster is not None else b""
    try:
        text = content.decode("utf-8-sig") or names
    except UnicodeDecodeError:
        raise ParameterError("the roster must be text in UTF-8, one name a line") from None
    people = [line.strip() for line in text.splitlines() if line.strip()]
    if len(people) < 2:
        raise ParameterError("the roster names at least two people, one a line")
    return people


def _plan(
    service: Service, *, protocol: str, title: str, epsilon: str, hours: float, minimum: str, people: list[str]
) -> Plan:
    statistic, name, unit = [*protocol.split("|"), "", ""][:3]
    n_rounds = find_protocol(statistic, name, unit).cls.rounds
    if minimum.strip() and not minimum.strip().isdecimal():
        raise ParameterError("the fewest reports must be a whole number")
    now = service.clock()
    return Plan(
        statistic=statistic,
        protocol=name,
        unit=unit,
        epsilon=epsilon,
        title=title.strip() or f"{statistic} {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(now))}",
        people=people,
        closes=[to_text(now + (i + 1) * hours * _HOUR + 1) for i in range(n_rounds)],
        minimum_reports=int(minimum) if minimum.strip() else None,
    )


def _invitations_file(links: list[Invitation]) -> str:
    """A CSV file inside an address: the links are shown once and stored nowhere."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(("name", "link"))
    table.writerows((each.name, each.link) for each in links)
    return "data:text/csv;base64," + base64.b64encode(text.getvalue().encode()).decode()
