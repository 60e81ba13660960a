"""The form for a new campaign: what is offered, what people are told, and a forecast before anybody is asked."""

from __future__ import annotations

import base64
import csv
import io
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, UploadFile
from starlette.responses import Response

from graphveil.errors import BudgetExceeded, ClaimRefuted, GraphFormatError, ParameterError, WeakGuarantee
from graphveil.service import campaigns
from graphveil.service.client.invitation import Invitation
from graphveil.service.pages.forecasts import rehearse
from graphveil.service.pages.given import Filled, Given
from graphveil.service.pages.offered import offered_protocols
from graphveil.service.pages.render import PageRoute, page, public_address
from graphveil.service.pages.session import OWN_ORIGIN, LoggedIn
from graphveil.service.routes.parts import TheService
from graphveil.service.service import Service

router = APIRouter(prefix="/operator", route_class=PageRoute, include_in_schema=False)
_SHOWN = 20  # invitations, before the whole file is fetched
_ERRORS = {  # metrics in words
    "wasserstein": "degrees off on average",
    "ks": "largest error of a cumulated share",
    "mae": "mean absolute error",
    "mse": "mean squared error",
    "relative_error": "relative error",
    "friends_in_common": "friends in common",
    "friends_in_a_class": "friends in a class",
}


@router.get("/new")
def form(operator: LoggedIn, service: TheService) -> Response:
    """The form that describes a new campaign."""
    return _form(service, operator, Given())


@router.post("/campaigns", dependencies=[OWN_ORIGIN])
def create(
    service: TheService, operator: LoggedIn, request: Request, given: Filled, roster: UploadFile | None = None
) -> Response:
    """Publish a campaign and show its invitations; or show the form again with what is wrong."""
    try:
        asked = given.asked(roster)
        created = campaigns.create(service, given.plan(asked, service.clock()), actor=operator)
    except (ParameterError, GraphFormatError, BudgetExceeded, WeakGuarantee) as error:
        told = str(error).replace("accept it with accept_weak=True (--accept-weak)", "tick the box that accepts it")
        return _form(service, operator, given, 422, error=told)
    url = public_address(service.settings, request)
    links = [Invitation(url, created.campaign.id, name, created.tokens.get(name, "")) for name in asked.people]
    return page(
        "created.html",
        operator=operator,
        campaign=created.campaign,
        warning=created.warning,
        links=links[:_SHOWN],
        n_links=len(links),
        n_known=sum(not each.token for each in links),
        file=_invitations_file(links),
    )


@router.post("/forecast", dependencies=[OWN_ORIGIN])
def forecast(
    service: TheService, operator: LoggedIn, request: Request, given: Filled, roster: UploadFile | None = None
) -> Response:
    """What a campaign would yield and cost: for a page with scripts the part that changes, else the form with it."""
    try:
        asked = given.asked(roster)
        text, expected, problem = asked.text, rehearse(service, given, asked), ""
    except (ParameterError, GraphFormatError, ClaimRefuted) as error:
        text, expected, problem = "", None, str(error)
    if "hx-request" in request.headers:
        return page("forecast.html", expected=expected, problem=problem, error_names=_ERRORS)
    kept = replace(given, names=text or given.names)
    return _form(service, operator, kept, expected=expected, problem=problem)


def _form(service: Service, operator: str, given: Given, status: int = 200, **shown: Any) -> Response:
    values = {"error": "", "expected": None, "problem": "", "error_names": _ERRORS, **shown}
    limit = service.settings.person_limit
    offered = [each | {"value": "{statistic}|{protocol}|{unit}".format(**each)} for each in offered_protocols()]
    return page("new.html", status, operator=operator, offered=offered, given=given, limit=limit, **values)


def _invitations_file(links: list[Invitation]) -> str:
    """A CSV file inside an address: the links are shown once and stored nowhere."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(("name", "link"))
    table.writerows((each.name, each.link) for each in links)
    return "data:text/csv;base64," + base64.b64encode(text.getvalue().encode()).decode()
