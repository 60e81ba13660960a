"""The addresses of a party: for its operator, for people, and for the other parties.

Whoever knows the id of a campaign may read its text, since the id is the hash of the text. Messages between parties are
signed; everything else needs a token.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import RedirectResponse, Response

from graphveil.service.auth import Role
from graphveil.service.pages.join import serve_page
from graphveil.service.parties import store
from graphveil.service.parties.desk import read
from graphveil.service.parties.party import Party
from graphveil.service.parties.seal import message_seal, share_seal
from graphveil.service.parties.wire import SIGNATURE, exchange_path
from graphveil.service.problems import Problem
from graphveil.service.routes import contents
from graphveil.service.routes.parts import CampaignId, Operator, SentToken, staff_name
from graphveil.service.store import blobs
from graphveil.two_servers.parties.campaign import MOST_TEXT
from graphveil.two_servers.parties.names import HELPER, LEADER

router = APIRouter(prefix="/api/v1", tags=["two servers"])
page = APIRouter(include_in_schema=False)


async def _party(request: Request) -> Party:
    party: Party = request.app.state.party
    return party


TheParty = Annotated[Party, Depends(_party)]
Word = Annotated[str, Path(pattern="^[a-z-]{1,20}$")]
Block = Annotated[int, Path(ge=0, lt=2**31)]
Signature = Annotated[str, Header(alias=SIGNATURE, pattern="^[0-9a-f]{128}$", description="Ed25519, in hex.")]


def _reader(party: TheParty, campaign_id: CampaignId, token: SentToken) -> None:
    """An operator of this party, or somebody who is on the roster of the campaign."""
    if token is not None and token.role is Role.PERSON:
        party.check_person(campaign_id, token)
    else:
        staff_name(party.service, token, Role.OPERATOR)


READER = Depends(_reader)


class AcceptRequest(BaseModel):
    """A campaign that this party is asked to take part in."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document: Annotated[str, Field(max_length=MOST_TEXT, description="The full text; its hash is the campaign's id.")]
    people: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, description="The roster.")
    tokens: list[Annotated[str, Field(pattern="^[0-9a-f]{64}$")]] = Field(
        default_factory=list, description="The SHA-256 of each person's token for this server; none for a dealer."
    )


class DegreeRequest(BaseModel):
    """One person's noisy degree, for the first round."""

    model_config = ConfigDict(extra="forbid", strict=True)

    degree: int = Field(ge=0, lt=2**31)


class CloseRequest(BaseModel):
    """Names the round: of noisy degrees, where they are asked for, then of shares."""

    model_config = ConfigDict(extra="forbid", strict=True)

    round: int = Field(ge=1, le=2)


@router.get("/party")
def about(party: TheParty) -> dict[str, str]:
    """Who this is: what a campaign's text says of this party."""
    settings = party.service.settings
    who = {"role": party.role, "operator": settings.operator, "url": settings.url}
    return who | {"ed25519": party.keys.public, "x25519": party.keys.sealing}


@router.post("/campaigns", status_code=201)
def accept(party: TheParty, operator: Operator, asked: AcceptRequest) -> dict[str, str]:  # noqa: ARG001
    """Take part in a campaign; the same one again changes nothing."""
    hashes = [bytes.fromhex(each) for each in asked.tokens]
    return {"id": party.accept_campaign(asked.document, asked.people, hashes).id}


@router.get("/campaigns")
def list_all(party: TheParty, operator: Operator) -> list[dict[str, Any]]:  # noqa: ARG001
    """Every campaign of this party."""
    with party.service.database.read() as connection:
        return [party.progress(row.id) for row in store.all_campaigns(connection)]


@router.get("/campaigns/{campaign_id}", response_class=Response)
def document(party: TheParty, campaign_id: CampaignId) -> Response:
    """The full text of a campaign, letter for letter: its hash is its id."""
    return Response(party.row(campaign_id).document, media_type="application/json")


@router.get("/campaigns/{campaign_id}/accepted")
def accepted(party: TheParty, campaign_id: CampaignId) -> dict[str, str]:
    """The signature with which this party says that it takes part."""
    return {"role": party.role, "signature": party.accepted(campaign_id).hex()}


@router.get("/campaigns/{campaign_id}/roster", dependencies=[READER], response_class=Response)
def roster(party: TheParty, campaign_id: CampaignId, request: Request) -> Response:
    """The names in the order of their numbers, one a line, as a gzip file."""
    name = party.row(campaign_id).roster_id
    with party.service.database.read() as connection:
        content = None if name is None else blobs.get_compressed(connection, name)
    if content is None:
        raise Problem("not-found", "a dealer has no roster")
    return contents.serve(content, name, request.headers, public=False)


@router.get("/campaigns/{campaign_id}/answered")
def answered(party: TheParty, campaign_id: CampaignId, token: SentToken) -> dict[str, bool]:
    """Whether this server has anything from the person who asks: another device of theirs must not draw again."""
    number, row = party.check_person(campaign_id, token), party.row(campaign_id)
    with party.service.database.read() as connection:
        return {"answered": store.has_told(connection, row.key, number)}


@router.put("/campaigns/{campaign_id}/degree", status_code=204)
def put_degree(party: TheParty, campaign_id: CampaignId, token: SentToken, told: DegreeRequest) -> None:
    """Hand in one person's noisy degree. The same may come again."""
    party.accept_degree(campaign_id, party.check_person(campaign_id, token), told.degree)


@router.get("/campaigns/{campaign_id}/page", dependencies=[READER])
def page_of_degrees(party: TheParty, campaign_id: CampaignId) -> dict[str, Any]:
    """What follows from the noisy degrees, with both servers' signatures."""
    return party.page(campaign_id)


@router.put("/campaigns/{campaign_id}/share")
async def put_share(party: TheParty, campaign_id: CampaignId, token: SentToken, request: Request) -> dict[str, str]:
    """Hand in one person's sealed share; the answer is this server's signed receipt. The same share may come again."""
    number = await run_in_threadpool(party.check_person, campaign_id, token)
    place = share_seal(campaign_id, party.role, number)
    share = await run_in_threadpool(party.unseal, campaign_id, place, await request.body())
    signed = await run_in_threadpool(party.accept_share, campaign_id, number, share)
    return {"receipt": signed.hex()}


@router.get("/campaigns/{campaign_id}/progress")
def progress(party: TheParty, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:  # noqa: ARG001
    """Where the campaign stands here, and how many shares have come."""
    return party.progress(campaign_id)


@router.post("/campaigns/{campaign_id}/close")
def close(party: TheParty, campaign_id: CampaignId, operator: Operator, asked: CloseRequest) -> dict[str, Any]:  # noqa: ARG001
    """Take no more shares; the servers then agree on whose shares both hold, and compute."""
    party.close(campaign_id, asked.round)
    return party.progress(campaign_id)


@router.post("/campaigns/{campaign_id}/cancel")
def cancel(party: TheParty, campaign_id: CampaignId, operator: Operator) -> dict[str, Any]:
    """End a campaign without a result and erase what this party holds of it."""
    party.stop(campaign_id, f"{operator} of the {party.role} cancelled it")
    return party.progress(campaign_id)


@router.get("/campaigns/{campaign_id}/result", dependencies=[READER])
def result(party: TheParty, campaign_id: CampaignId) -> dict[str, Any]:
    """Estimate, interval, guarantee and participation, with both servers' signatures."""
    return party.result(campaign_id)


@router.get("/campaigns/{campaign_id}/exchange/{sender}/{step}/{block}")
def held(
    party: TheParty, campaign_id: CampaignId, sender: Word, step: Word, block: Block, signature: Signature
) -> dict[str, str | None]:
    """The hash of the message that this party holds in a place, told to its sender."""
    there = party.held(campaign_id, sender, step, block, bytes.fromhex(signature))
    return {"sha256": None if there is None else there.hex()}


@router.put("/campaigns/{campaign_id}/exchange/{sender}/{step}/{block}", status_code=204)
async def receive(
    party: TheParty,
    campaign_id: CampaignId,
    sender: Word,
    step: Word,
    block: Block,
    signature: Signature,
    request: Request,
) -> None:
    """Take a signed and sealed message of another party; the same may come again, another stops the campaign."""
    place = message_seal(exchange_path(campaign_id, sender, step, block))
    content = await run_in_threadpool(party.unseal, campaign_id, place, await request.body())
    await run_in_threadpool(party.receive, campaign_id, sender, step, block, content, bytes.fromhex(signature))


@page.get("/join/{campaign_id}")
def join(party: TheParty, campaign_id: CampaignId) -> Response:
    """The page on which a person answers; the leader serves it, and it talks to both servers."""
    campaign = read(party.row(campaign_id).document)
    if party.role != LEADER:
        return RedirectResponse(f"{campaign.party(LEADER).origin}/join/{campaign_id}")  # with what stands after the #
    return serve_page(campaign.party(HELPER).origin)
