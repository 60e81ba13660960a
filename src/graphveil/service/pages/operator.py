"""The operator's pages: campaigns, how one goes, what came out."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.responses import Response

from graphveil.local.result import entry_names, section_documents
from graphveil.service import campaigns, rounds
from graphveil.service.pages.charts import arrivals_chart
from graphveil.service.pages.render import PageRoute, page, see_other
from graphveil.service.pages.session import OWN_ORIGIN, LoggedIn
from graphveil.service.routes.parts import CampaignId, TheService
from graphveil.service.service import Service, to_text
from graphveil.service.store import campaigns as rows

router = APIRouter(prefix="/operator", route_class=PageRoute, include_in_schema=False)
_ENDED = ("done", "expired", "cancelled", "failed")


@router.get("")
def overview(service: TheService, operator: LoggedIn) -> Response:
    """Show every campaign, the newest first."""
    with service.database.read() as connection:
        known = [campaigns.summary(row) for row in reversed(rows.in_state(connection))]
    return page("campaigns.html", operator=operator, campaigns=known)


@router.get("/campaigns/{campaign_id}")
def campaign(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:
    """One campaign: its promise, how it goes, and its result once there is one."""
    told = _progress(service, campaign_id)
    result = campaigns.result(service, campaign_id) if told["state"] == "done" else None
    found = section_documents(result).values() if result else ()
    sections = [section | {"entries": entry_names(section)} for section in found]
    return page("campaign.html", operator=operator, told=told, sections=sections, error="")


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
