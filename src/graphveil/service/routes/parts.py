"""What addresses have in common: the service behind them, who is asking, and ids in paths."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Path, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from graphveil.service.auth import Recent, Role, Token, is_person
from graphveil.service.batcher import Intake
from graphveil.service.metrics import Metrics
from graphveil.service.problems import Problem, Refusal
from graphveil.service.service import Service
from graphveil.service.store import campaigns, people

# What needs no database is async: a plain function would be sent to another thread and back.
_bearer = HTTPBearer(auto_error=False, description="A token of an operator, a gateway or a person.")


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _intake(request: Request) -> Intake:
    intake: Intake = request.app.state.intake
    return intake


async def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


async def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]) -> Token | None:
    """The token as it was sent, not checked against anything yet."""
    return None if credentials is None else Token.parse(credentials.credentials)


TheService = Annotated[Service, Depends(_service)]
TheIntake = Annotated[Intake, Depends(_intake)]
TheMetrics = Annotated[Metrics, Depends(_metrics)]
SentToken = Annotated[Token | None, Depends(_token)]
CampaignId = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="Hash of the campaign's full text.")]


class Reader(NamedTuple):
    """Who reads what a campaign shows to the invited: a person by their number on its roster, None for staff."""

    number: int | None

    def may_read(self, number: int) -> bool:
        """Whether this reader may have what was made for a person: it is their own, or they are staff."""
        return self.number is None or self.number == number


def staff_name(service: Service, token: Token | None, *roles: Role) -> str:
    """The name of the operator or gateway who is asking."""
    if token is None:
        raise Problem(Refusal.UNAUTHORISED)
    if token.role is Role.PERSON:
        _person(service, token)
        raise Problem("forbidden", "this is for operators")
    with service.database.read() as connection:
        row = people.find_staff(connection, token.holder)
    if not token.matches(row.token_hash if row else None) or row.role != token.role:
        raise Problem(Refusal.UNAUTHORISED)
    if token.role not in roles:
        raise Problem("forbidden", "this is for operators")
    return str(row.name)


def _person(service: Service, token: Token | None) -> Any:
    """The row of the person who is asking."""
    if token is None or token.role is not Role.PERSON:
        raise Problem(Refusal.UNAUTHORISED if token is None else "forbidden", "a person's token is needed")
    with service.database.read() as connection:
        row = people.find_person(connection, token.holder)
    if not is_person(token, row.token_hash if row else None):
        raise Problem(Refusal.UNAUTHORISED)
    return row


def _operator(service: TheService, token: SentToken) -> str:
    return staff_name(service, token, Role.OPERATOR)


async def _gateway(request: Request, service: TheService, token: SentToken) -> str:
    recent: Recent = request.app.state.recent
    name = recent.recall(token)
    if name is None:
        name = await run_in_threadpool(staff_name, service, token, Role.OPERATOR, Role.GATEWAY)
        assert token is not None
        recent.remember(token, name)
    return name


def _asking_person(service: TheService, token: SentToken) -> Any:
    return _person(service, token)


def _reader(service: TheService, campaign_id: CampaignId, token: SentToken) -> Reader:
    """Staff reads every campaign; a person reads those whose roster names them, and learns of no other."""
    if token is None or token.role is not Role.PERSON:
        staff_name(service, token, Role.OPERATOR, Role.GATEWAY)
        return Reader(None)
    with service.database.read() as connection:
        row = campaigns.find(connection, campaign_id)
        member = people.find_members(connection, row.key if row else 0, [token.holder]).get(token.holder)
    if member is None or not is_person(token, member.token_hash):
        raise Problem(Refusal.UNAUTHORISED)
    if row is None or member.number is None:
        raise Problem("forbidden", "this token was not invited to a campaign of this id")
    return Reader(member.number)


Operator = Annotated[str, Depends(_operator)]
Gateway = Annotated[str, Depends(_gateway)]
Person = Annotated[Any, Depends(_asking_person)]
InvitedReader = Annotated[Reader, Depends(_reader)]
INVITED = Depends(_reader)
