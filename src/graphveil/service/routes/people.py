"""Addresses about people: what I have spent, a lost token; about staff and what they did."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from graphveil.privacy.rounding import round_down, round_up
from graphveil.service.auth import Role
from graphveil.service.campaigns import summary
from graphveil.service.problems import Problem, Refusal
from graphveil.service.routes.parts import Operator, Person, TheService
from graphveil.service.service import from_trillionths, to_text
from graphveil.service.store import campaigns as rows
from graphveil.service.store import people

router = APIRouter(prefix="/api/v1", tags=["people"])
_Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class PersonRequest(BaseModel):
    """Which person an operator means, by name."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: _Name


class StaffRequest(BaseModel):
    """A new operator or gateway."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: _Name
    role: Literal["operator", "gateway"]


class NewToken(BaseModel):
    """A token, shown this once."""

    token: str


def _confirm(connection: Connection, operator: str) -> None:
    """Whoever hands out or ends tokens must not have been removed since they asked; staff is locked from here on."""
    people.lock_staff(connection)
    if not people.staff_exists(connection, operator):
        raise Problem(Refusal.UNAUTHORISED)


@router.get("/me")
def me(service: TheService, person: Person) -> dict[str, Any]:
    """What this collector knows of me: my budget, and the campaigns I am asked in."""
    with service.database.read() as connection:
        asked = rows.of_person(connection, person.id)
    return {
        "name": person.name,
        "limit": round_down(from_trillionths(person.limit_trillionths)),
        "spent": round_up(from_trillionths(person.spent_trillionths)),
        "campaigns": [
            summary(row)
            | {
                "number": row.number,
                "enrolled": row.enrolled_at is not None,
                "assumed": row.assumed == people.Assumed.JOINED,
            }
            for row in asked
        ],
    }


@router.post("/people/token")
def renew(service: TheService, operator: Operator, asked: PersonRequest) -> NewToken:
    """Another token for a person who lost theirs; the old one ends."""
    with service.database.write() as connection:
        _confirm(connection, operator)
        person = people.ids_of(connection, [asked.name]).get(asked.name)
        if person is None:
            raise Problem("not-found", "nobody has this name")
        rows.note(connection, service.clock(), operator, "renew-token", None, person=person)
        return NewToken(token=people.renew_token(connection, person))


@router.get("/staff")
def list_staff(service: TheService, operator: Operator) -> list[dict[str, str]]:  # noqa: ARG001 - operators only
    """Who runs this collector: names and roles."""
    with service.database.read() as connection:
        known = people.all_staff(connection)
    return [{"name": row.name, "role": Role(row.role).name.lower()} for row in known]


@router.post("/staff", status_code=201)
def add_staff(service: TheService, operator: Operator, asked: StaffRequest) -> NewToken:
    """A token for another operator, or for a gateway that relays reports."""
    with service.database.write() as connection:
        _confirm(connection, operator)
        if people.staff_exists(connection, asked.name):
            raise Problem("exists", "somebody has this name")
        rows.note(connection, service.clock(), operator, "add-staff", None, name=asked.name, role=asked.role)
        role = Role.OPERATOR if asked.role == "operator" else Role.GATEWAY
        return NewToken(token=people.add_staff(connection, asked.name, role))


@router.delete("/staff", status_code=204)
def remove_staff(service: TheService, operator: Operator, name: Annotated[_Name, Query()]) -> None:
    """End the token of another operator or of a gateway. Servers that let a gateway in go on doing so for 5 seconds."""
    if name == operator:
        raise Problem("forbidden", "somebody else must remove you, so that nobody locks everybody out")
    with service.database.write() as connection:
        _confirm(connection, operator)
        if not people.staff_exists(connection, name):
            raise Problem("not-found", "no operator or gateway has this name")
        rows.note(connection, service.clock(), operator, "remove-staff", None, name=name)
        people.remove_staff(connection, name)


@router.get("/audit")
def audit(
    service: TheService,
    operator: Operator,  # noqa: ARG001 - operators only
    limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
) -> list[dict[str, Any]]:
    """What operators did, newest first."""
    with service.database.read() as connection:
        entries = rows.notes(connection, limit)
    return [
        {
            "at": to_text(entry.at),
            "actor": entry.actor,
            "action": entry.action,
            "campaign": entry.campaign,
            "detail": json.loads(entry.detail),
        }
        for entry in entries
    ]
