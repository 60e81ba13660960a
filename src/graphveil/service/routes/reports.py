"""Addresses of people and gateways: enrol, and report."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from graphveil.local.messages import Reason
from graphveil.service import enrolment
from graphveil.service.auth import Token
from graphveil.service.batcher import Intake
from graphveil.service.enrolment import Device, Enrolment
from graphveil.service.metrics import Metrics
from graphveil.service.problems import Problem
from graphveil.service.reports import Uploads, Verdict, compact
from graphveil.service.routes.parts import CampaignId, Gateway, SentToken, TheIntake, TheMetrics, TheService

router = APIRouter(prefix="/api/v1/campaigns/{campaign_id}", tags=["reports"])
MOST_AT_ONCE = 100_000


class Item(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One person's report in its compact form (base64), with that person's token."""

    token: str
    report: bytes


class Reports(msgspec.Struct, forbid_unknown_fields=True):
    """The reports of many people at once."""

    reports: Annotated[list[Item], msgspec.Meta(min_length=1, max_length=MOST_AT_ONCE)]


class Tokens(msgspec.Struct, forbid_unknown_fields=True):
    """Many people at once, by their tokens."""

    tokens: Annotated[list[str], msgspec.Meta(min_length=1, max_length=MOST_AT_ONCE)]


class EnrolmentRequest(BaseModel):
    """Which device of a person asks."""

    model_config = ConfigDict(extra="forbid", strict=True)

    device: Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="A name that the device drew at random.")]
    joined: Annotated[bool, Field(description="It knows that it joined before.")] = False
    replace: Annotated[bool, Field(description="It takes the place of a device that has sent no answer.")] = False


_read_reports = msgspec.json.Decoder(Reports).decode
_read_tokens = msgspec.json.Decoder(Tokens).decode


def _body(kind: type) -> dict[str, Any]:
    """A body that we read ourselves, for the OpenAPI document."""
    _, components = msgspec.json.schema_components([kind])
    inlined = _inline(components[kind.__name__], components)
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": inlined}}}}


def _inline(schema: Any, components: dict[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inline(components[schema["$ref"].rpartition("/")[2]], components)
        return {key: _inline(value, components) for key, value in schema.items()}
    return schema


_SINGLE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "version": {"type": "integer"},
                        "campaign": {"type": "string"},
                        "round": {"type": "integer"},
                        "user": {"type": "integer"},
                        "payload": {"type": "string", "format": "base64url"},
                    },
                    "required": ["version", "campaign", "round", "user", "payload"],
                    "additionalProperties": False,
                }
            },
        },
    }
}


@router.put("/enrolment")
def enrol(
    service: TheService, campaign_id: CampaignId, token: SentToken, asked: EnrolmentRequest | None = None
) -> Enrolment:
    """Agree to take part; the person's budget is charged, once. The first device that gives its name answers."""
    device = Device("") if asked is None else Device(asked.device, joined=asked.joined, replace=asked.replace)
    (answer,) = enrolment.enrol(service, campaign_id, [token], device)
    if isinstance(answer, Problem):
        raise answer
    return answer


@router.post("/enrolments", openapi_extra=_body(Tokens))
async def enrol_many(
    service: TheService,
    campaign_id: CampaignId,
    gateway: Gateway,  # noqa: ARG001 - operators and gateways only
    request: Request,
) -> list[dict[str, Any]]:
    """Enrol many people by their tokens; answers in the same order."""
    asked: Tokens = _decode(_read_tokens, await request.body())
    tokens = [Token.parse(text) for text in asked.tokens]
    answers = await run_in_threadpool(enrolment.enrol, service, campaign_id, tokens)
    return [answer.document() if isinstance(answer, Problem) else asdict(answer) for answer in answers]


@router.post("/reports", status_code=201, openapi_extra=_SINGLE)
async def report(
    intake: TheIntake, metrics: TheMetrics, campaign_id: CampaignId, token: SentToken, request: Request
) -> dict[str, str]:
    """Hand in the answer of one person in one round, in the compact form or as JSON."""
    body = await request.body()
    is_json = request.headers.get("content-type", "").partition(";")[0].strip() == "application/json"
    uploads = Uploads.single(token, compact(body) if is_json else body)
    (verdict,) = await _submit(intake, metrics, campaign_id, uploads)
    if verdict is not None:
        raise Problem(verdict)
    return {"status": "counted"}


@router.post("/reports/bulk", openapi_extra=_body(Reports))
async def report_many(
    intake: TheIntake,
    metrics: TheMetrics,
    campaign_id: CampaignId,
    gateway: Gateway,  # noqa: ARG001
    request: Request,
) -> dict[str, Any]:
    """Relay the reports of many people; says which were refused, and why."""
    uploads = await run_in_threadpool(_read_uploads, await request.body())
    verdicts = await _submit(intake, metrics, campaign_id, uploads)
    refused = [{"index": i, "reason": str(verdict)} for i, verdict in enumerate(verdicts) if verdict is not None]
    return {"accepted": len(verdicts) - len(refused), "refused": refused}


def _read_uploads(body: bytes) -> Uploads:
    asked: Reports = _decode(_read_reports, body)
    return Uploads.read([item.token for item in asked.reports], [item.report for item in asked.reports])


async def _submit(intake: Intake, metrics: Metrics, campaign_id: str, uploads: Uploads) -> list[Verdict]:
    try:
        verdicts = await intake.submit(campaign_id, uploads)
    except Problem as problem:
        if problem.code == "not-found":  # no campaign has counters for these, so the server has
            metrics.count_verdicts([Reason.WRONG_CAMPAIGN] * len(uploads))
        raise
    metrics.count_verdicts(verdicts)
    return verdicts


def _decode(decode: Any, body: bytes) -> Any:
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Problem("invalid-request", "the body must be the documented JSON") from None
