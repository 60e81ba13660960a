"""Queries about campaigns, their publications, and what operators did."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from graphveil.service.store.people import Assumed
from graphveil.service.store.tables import audit, blobs, campaigns, members, people, publications, reports


class State(StrEnum):
    """What a campaign is doing: taking reports, closing a round, or over."""

    OPEN = "open"  # its round takes reports until it is closed
    CLOSING = "closing"  # no more reports; the publication or the result is being computed
    DONE = "done"  # the result is there
    EXPIRED = "expired"  # a deadline passed with too few reports; there is no result
    CANCELLED = "cancelled"  # by an operator; there is no result
    FAILED = "failed"  # the estimate could not be computed; closing it again tries again


_BY_ID = select(campaigns).where(campaigns.c.id == bindparam("wanted"))  # built once: every report asks it
_BY_ID_LOCKED = _BY_ID.with_for_update()


def add(connection: Connection, **values: Any) -> int:
    """A new campaign; returns its key."""
    return int(connection.execute(insert(campaigns).values(**values).returning(campaigns.c.key)).scalar_one())


def find(connection: Connection, campaign_id: str, *, lock: bool = False) -> Any:
    """The row of a campaign, or None; locked, nobody else changes the campaign until the transaction ends."""
    return connection.execute(_BY_ID_LOCKED if lock else _BY_ID, {"wanted": campaign_id}).one_or_none()


def change(connection: Connection, key: int, **values: Any) -> None:
    """New values for a campaign."""
    connection.execute(update(campaigns).where(campaigns.c.key == key).values(**values))


def in_state(connection: Connection, *states: State) -> list[Any]:
    """Campaigns that stand somewhere, oldest first; all of them if no state is given."""
    query = select(campaigns).order_by(campaigns.c.key)
    return list(connection.execute(query.where(campaigns.c.state.in_(states)) if states else query))


def of_person(connection: Connection, person: int) -> list[Any]:
    """Campaigns whose roster names a person, with their number and whether they enrolled."""
    query = (
        select(campaigns, members.c.number, members.c.enrolled_at, members.c.assumed)
        .join(members, members.c.campaign == campaigns.c.key)
        .where(members.c.person == person)
        .order_by(campaigns.c.key)
    )
    return list(connection.execute(query))


def count_states(connection: Connection) -> dict[str, int]:
    """How many campaigns are in each state, those that are paused apart."""
    paused = campaigns.c.paused_at.is_not(None)
    rows = connection.execute(select(campaigns.c.state, paused, func.count()).group_by(campaigns.c.state, paused))
    counts = dict.fromkeys((*map(str, State), "paused"), 0)
    for state, is_paused, count in rows:
        counts["paused" if is_paused else str(state)] += count
    return counts


def count_enrolled(connection: Connection, key: int) -> int:
    """How many people agreed to take part."""
    place = (members.c.campaign == key) & members.c.enrolled_at.is_not(None) & (members.c.assumed != Assumed.JOINED)
    return connection.scalar(select(func.count()).select_from(members).where(place)) or 0


def count_able(connection: Connection, key: int, cost: int) -> int:
    """How many people of a campaign have so many trillionths of epsilon left."""
    joined = members.join(people, members.c.person == people.c.id)
    able = (members.c.campaign == key) & (people.c.limit_trillionths - people.c.spent_trillionths >= cost)
    return connection.scalar(select(func.count()).select_from(joined).where(able)) or 0


def not_answered(connection: Connection, key: int, number: int) -> list[tuple[str, bool]]:
    """Names of people whose report a round lacks and who answered the rounds before, and whether they enrolled."""
    now, before = reports.alias(), reports.alias()

    def sent(table: Any, of_round: int) -> Any:
        own = (table.c.campaign == key) & (table.c.round == of_round) & (table.c.number == members.c.number)
        return exists().where(own)

    waited = (members.c.campaign == key) & ~sent(now, number)
    if number > 1:
        waited &= sent(before, number - 1)
    joined = members.c.enrolled_at.is_not(None) & (members.c.assumed != Assumed.JOINED)
    query = select(people.c.name, joined).join(members, members.c.person == people.c.id)
    return [(name, bool(is_in)) for name, is_in in connection.execute(query.where(waited).order_by(members.c.number))]


def published(connection: Connection, key: int) -> list[str]:
    """The hashes of what was published after each round."""
    query = select(publications.c.blob).where(publications.c.campaign == key).order_by(publications.c.round)
    return list(connection.scalars(query))


def add_publication(connection: Connection, key: int, number: int, blob: str) -> None:
    """What goes out after a round."""
    connection.execute(insert(publications).values(campaign=key, round=number, blob=blob))


def to_erase(connection: Connection, before: float) -> list[Any]:
    """Campaigns that ended before a time and whose payloads are still there."""
    old = (campaigns.c.finished_at < before) & campaigns.c.scrubbed_at.is_(None)
    return list(connection.execute(select(campaigns).where(old)))


def remove(connection: Connection, key: int) -> None:
    """Forget a campaign with all that belongs to it; people's spendings stay."""
    connection.execute(delete(reports).where(reports.c.campaign == key))
    connection.execute(delete(campaigns).where(campaigns.c.key == key))
    used = select(campaigns.c.roster_id).union_all(select(publications.c.blob))
    connection.execute(delete(blobs).where(blobs.c.id.not_in(used)))


def note(connection: Connection, now: float, actor: str, action: str, campaign_id: str | None, **detail: Any) -> None:
    """Write an operator's action down."""
    row = {"at": now, "actor": actor, "action": action, "campaign": campaign_id, "detail": json.dumps(detail)}
    connection.execute(insert(audit).values(row))


def notes(connection: Connection, limit: int) -> list[Any]:
    """The last actions, newest first."""
    return list(connection.execute(select(audit).order_by(audit.c.id.desc()).limit(limit)))
