"""Addresses of operators: create, watch, close; and of everybody: what a campaign is and what came of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from graphveil.service import campaigns, publications, rounds, steering
from graphveil.service.campaigns import Plan, found
from graphveil.service.problems import Problem
from graphveil.service.routes import contents
from graphveil.service.routes.parts import INVITED, CampaignId, InvitedReader, Operator, TheService
from graphveil.service.store import blobs
from graphveil.service.store import campaigns as rows

router = APIRouter(prefix="/api/v1/campaigns", tags=["campaigns"])
_Text = Annotated[str, Field(min_length=1, max_length=200)]


class CampaignRequest(BaseModel):
    """A campaign to be published."""

    model_config = ConfigDict(extra="forbid", strict=True)

    statistic: _Text = Field(examples=["degree-distribution"])
    protocol: _Text = Field(examples=["veil"])
    unit: _Text = Field(examples=["node"])
    epsilon: _Text = Field(examples=["1"], description="A decimal or a ratio, as text so that it stays exact.")
    title: _Text = Field(examples=["May 2026"])
    people: list[_Text] = Field(min_length=2, examples=[["ann", "bob"]], description="Names, in the order of numbers.")
    closes: list[_Text] = Field(min_length=1, max_length=255, description="When each round closes at the latest.")
    known: Literal["keep", "renew", "refuse"] = Field(
        default="keep", description="What becomes of people who have a token: keep, renew, or refuse the campaign."
    )
    secret: str = Field(
        default="",
        pattern="^([A-Za-z0-9_-]{43})?$",
        description="256 random bits from which new tokens follow: the same request again gets the same answer.",
    )
    minimum_reports: int | None = Field(default=None, ge=1, lt=2**31)
    parameters: dict[str, Any] = Field(default_factory=dict)
    accept_weak: bool = Field(default=False, description="Needed above epsilon 20, which promises next to nothing.")
    statements: dict[_Text, Annotated[str, Field(max_length=1_000)]] = Field(
        default_factory=dict,
        examples=[{"purpose": "A seating plan", "controller": "Ann's office", "contact": "ann@example.org"}],
        description="What people are told before they decide: controller, contact, purpose, retention.",
    )


class CampaignCreated(BaseModel):
    """A new campaign; tokens of people who had none, shown this once; what the operator should know."""

    id: str
    tokens: dict[str, str]
    warnings: list[str]


class CloseRequest(BaseModel):
    """Names the round, so that closing twice closes one."""

    model_config = ConfigDict(extra="forbid", strict=True)

    round: int = Field(ge=1, le=255)


@router.post("", status_code=201)
def create(service: TheService, operator: Operator, asked: CampaignRequest) -> CampaignCreated:
    """Publish a campaign and open its first round."""
    created = campaigns.create(service, Plan(**asked.model_dump()), actor=operator)
    warnings = [created.warning] if created.warning else []
    return CampaignCreated(id=created.campaign.id, tokens=created.tokens, warnings=warnings)


@router.get("")
def list_all(service: TheService, operator: Operator) -> list[dict[str, Any]]:  # noqa: ARG001 - operators only
    """Every campaign that is kept."""
    with service.database.read() as connection:
        return [campaigns.summary(row) for row in rows.in_state(connection)]


@router.get("/{campaign_id}", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def document(service: TheService, campaign_id: CampaignId) -> Response:
    """The full text of a campaign, letter for letter: its hash is its id."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
    headers = {"ETag": f'"{row.id}"', "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(row.document, media_type="application/json", headers=headers)


@router.get("/{campaign_id}/status")
def status(service: TheService, campaign_id: CampaignId) -> dict[str, Any]:
    """Where the campaign stands, and the hashes of what was published."""
    return campaigns.status(service, campaign_id)


@router.get("/{campaign_id}/progress")
def progress(service: TheService, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:  # noqa: ARG001
    """The status with participation, and refusals by reason."""
    return campaigns.progress(service, campaign_id)


@router.post("/{campaign_id}/close")
def close(service: TheService, campaign_id: CampaignId, operator: Operator, asked: CloseRequest) -> dict[str, Any]:
    """End a round now; answers when the publication or the result is there."""
    rounds.close(service, campaign_id, asked.round, actor=operator)
    return campaigns.status(service, campaign_id)


@router.post("/{campaign_id}/pause")
def pause(service: TheService, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:
    """Take no more enrolments and reports until it is resumed; deadlines stay where they are."""
    steering.pause(service, campaign_id, actor=operator)
    return campaigns.status(service, campaign_id)


@router.post("/{campaign_id}/resume")
def resume(service: TheService, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:
    """Let a paused campaign go on."""
    steering.resume(service, campaign_id, actor=operator)
    return campaigns.status(service, campaign_id)


@router.post("/{campaign_id}/cancel")
def cancel(service: TheService, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:
    """End a campaign without a result and erase its reports; what people were charged stays charged."""
    steering.cancel(service, campaign_id, actor=operator)
    return campaigns.status(service, campaign_id)


@router.delete("/{campaign_id}", status_code=204)
def delete(service: TheService, campaign_id: CampaignId, operator: Operator) -> None:
    """Remove a campaign that is over, with its result and its roster."""
    steering.delete(service, campaign_id, actor=operator)


@router.get("/{campaign_id}/missing")
def missing(service: TheService, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:  # noqa: ARG001
    """The names of those who have not answered the open round, for reminders: only whether, never what."""
    return campaigns.missing(service, campaign_id)


@router.get("/{campaign_id}/result", dependencies=[INVITED])
def result(service: TheService, campaign_id: CampaignId) -> dict[str, Any]:
    """Estimate, interval, guarantee and participation of a campaign that is done."""
    return campaigns.result(service, campaign_id)


_GZIP: dict[int | str, dict[str, Any]] = {200: {"content": {contents.MEDIA_TYPE: {}}}, 206: {"description": "A range."}}


@router.get("/{campaign_id}/roster", dependencies=[INVITED], response_class=Response, responses=_GZIP)
def roster(service: TheService, campaign_id: CampaignId, request: Request) -> Response:
    """The names in the order of their numbers, one a line, as a gzip file."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        content = blobs.get_compressed(connection, row.roster_id)
    assert content is not None
    return contents.serve(content, row.roster_id, request.headers, public=False)


@router.get("/{campaign_id}/publications/{name}", response_class=Response, responses=_GZIP)
def publication(service: TheService, campaign_id: CampaignId, name: CampaignId, request: Request) -> Response:
    """What was published after a round, by its hash, as a gzip file."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        content = blobs.get_compressed(connection, name) if name in rows.published(connection, row.key) else None
    if content is None:
        raise Problem("not-found", "the campaign published no content of this hash")
    return contents.serve(content, name, request.headers, public=True)


@router.get("/{campaign_id}/publications/{name}/parts/{number}", response_class=Response, responses=_GZIP)
def part(
    service: TheService,
    campaign_id: CampaignId,
    name: CampaignId,
    number: Annotated[int, Path(ge=0, lt=2**31, description="The reader's own number on the roster.")],
    reader: InvitedReader,
    request: Request,
) -> Response:
    """As much of the last publication as the role of one person needs, as a gzip file."""
    if not reader.may_read(number):
        raise Problem("forbidden", "a token fetches the part of its own holder only")
    part = publications.part(service, campaign_id, name, number)
    return contents.serve(part.gzip, part.tag, request.headers, public=False)
