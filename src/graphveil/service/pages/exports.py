"""Results to take away: JSON, a table, a picture."""

from __future__ import annotations

import csv
import io
import json

from fastapi import APIRouter
from starlette.responses import Response

from graphveil.errors import unknown_name
from graphveil.local.result import entry_rows, section_documents
from graphveil.service import campaigns
from graphveil.service.pages.charts import draw_result
from graphveil.service.pages.render import SAFE, PageRoute
from graphveil.service.pages.session import LoggedIn
from graphveil.service.routes.parts import CampaignId, TheService

router = APIRouter(prefix="/operator/campaigns/{campaign_id}", route_class=PageRoute, include_in_schema=False)
_PICTURE = SAFE | {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


@router.get("/result.json")
def as_json(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:  # noqa: ARG001
    """The result document as JSON text."""
    text = json.dumps(campaigns.result(service, campaign_id), indent=2)
    return _file(text, "application/json", f"result-{campaign_id[:12]}.json")


@router.get("/result.csv")
def as_table(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:  # noqa: ARG001
    """One row an entry: value, standard deviation, ends of the 95 % interval; of several, the statistic comes first."""
    sections = section_documents(campaigns.result(service, campaign_id))
    text = io.StringIO()
    table = csv.writer(text)
    several = len(sections) > 1
    table.writerow((*(["statistic"] if several else []), "entry", "value", "std", "low95", "high95"))
    for name, section in sections.items():
        table.writerows((*([name] if several else []), *row) for row in entry_rows(section))
    return _file(text.getvalue(), "text/csv", f"result-{campaign_id[:12]}.csv")


@router.get("/participation.csv")
def participation(service: TheService, operator: LoggedIn, campaign_id: CampaignId) -> Response:  # noqa: ARG001
    """When how many reports of each round came."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(("round", "at", "reports"))
    for number, arrivals in enumerate(campaigns.progress(service, campaign_id)["arrivals"], start=1):
        table.writerows((number, each["at"], each["reports"]) for each in arrivals)
    return _file(text.getvalue(), "text/csv", f"participation-{campaign_id[:12]}.csv")


@router.get("/result.{kind}")
def as_picture(
    service: TheService,
    operator: LoggedIn,  # noqa: ARG001
    campaign_id: CampaignId,
    kind: str,
    statistic: str = "",
) -> Response:
    """A figure of one statistic, by default the first; SVG for the page, PNG to take away."""
    sections = section_documents(campaigns.result(service, campaign_id))
    if statistic and statistic not in sections:
        raise unknown_name("statistic", statistic, sections)
    shown = sections[statistic or next(iter(sections))]
    content = draw_result(shown, "png" if kind == "png" else "svg")
    media_type = "image/png" if kind == "png" else "image/svg+xml"
    return Response(content, media_type=media_type, headers=_PICTURE)


def _file(text: str, media_type: str, name: str) -> Response:
    headers = SAFE | {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type=media_type, headers=headers)
