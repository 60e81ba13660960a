"""Pages that steer: pause, resume and cancel a campaign, see who has not answered, renew a token, and manage staff."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from graphveil.service import campaigns, steering
from graphveil.service.client.invitation import Invitation
from graphveil.service.pages.render import PageRoute, page, public_address, see_other
from graphveil.service.pages.session import OWN_ORIGIN, LoggedIn
from graphveil.service.problems import Problem
from graphveil.service.routes import people
from graphveil.service.routes.parts import CampaignId, TheService

router = APIRouter(prefix="/operator", route_class=PageRoute, include_in_schema=False)
_SHOWN = 1_000  # names of those who have not answered
_ACTIONS = {"pause": steering.pause, "resume": steering.resume, "cancel": steering.cancel}
_Name = Annotated[str, Form(min_length=1, max_length=200)]


@router.post("/campaigns/{campaign_id}/steer", dependencies=[OWN_ORIGIN])
def steer(
    service: TheService,
    operator: LoggedIn,
    campaign_id: CampaignId,
    action: Annotated[Literal["pause", "resume", "cancel"], Form()],
    sure: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Pause, resume or cancel a campaign; to cancel it, the box that says what is lost has to be ticked."""
    if action == "cancel" and not sure:
        raise Problem("not-now", "tick the box that says what is erased; nothing was changed")
    _ACTIONS[action](service, campaign_id, actor=operator)
    return see_other(f"/operator/campaigns/{campaign_id}")


@router.get("/campaigns/{campaign_id}/missing")
def missing(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:
    """Who has not answered the open round, to be reminded: only whether, never what."""
    told = campaigns.missing(service, campaign_id)
    return page("missing.html", operator=operator, told=told, shown=told["missing"][:_SHOWN])


@router.post("/campaigns/{campaign_id}/invitation", dependencies=[OWN_ORIGIN])
def invite_again(
    service: TheService, operator: LoggedIn, campaign_id: CampaignId, request: Request, name: _Name
) -> Response:
    """A new link for a person who lost theirs; the old token ends, for every campaign of this collector."""
    invited = campaigns.names(service, campaign_id)
    if name not in invited:
        raise Problem("not-found", "nobody on the roster of this campaign has this name")
    token = people.renew(service, operator, people.PersonRequest(name=name)).token
    link = Invitation(public_address(service.settings, request), campaign_id, name, token).link
    return page("link.html", operator=operator, name=name, link=link, campaign_id=campaign_id)


@router.get("/staff")
def staff(service: TheService, operator: LoggedIn) -> Response:
    """Show who runs this collector."""
    return page("staff.html", operator=operator, staff=people.list_staff(service, operator), name="", token="")


@router.post("/staff", dependencies=[OWN_ORIGIN])
def add_staff(
    service: TheService, operator: LoggedIn, name: _Name, role: Annotated[Literal["operator", "gateway"], Form()]
) -> Response:
    """Add an operator or a gateway, and show the token, this once."""
    token = people.add_staff(service, operator, people.StaffRequest(name=name, role=role)).token
    known = people.list_staff(service, operator)
    return page("staff.html", 201, operator=operator, staff=known, name=name, token=token)


@router.post("/staff/remove", dependencies=[OWN_ORIGIN])
def remove_staff(service: TheService, operator: LoggedIn, name: _Name) -> Response:
    """End the token of another operator or of a gateway."""
    people.remove_staff(service, operator, name)
    return see_other("/operator/staff")
