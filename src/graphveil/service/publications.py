"""What was published after earlier rounds, read once and kept at hand: checking a report of a later round needs it.

Where a protocol says so, people fetch only the part of the last publication that their role needs. Which part that is
follows from the person's number and public values, so asking for it tells nothing about anybody's list.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from sqlalchemy import Connection

from graphveil.local.campaign import Campaign
from graphveil.local.protocol import RoundContext
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Problem
from graphveil.service.service import Service
from graphveil.service.store import blobs
from graphveil.service.store import campaigns as rows

_KEPT = 8
_read: OrderedDict[tuple[str, ...], tuple[Any, ...]] = OrderedDict()


def read_all(connection: Connection, key: int, campaign: Campaign) -> tuple[Any, ...]:
    """Every publication of a campaign so far. Contents never change under their hashes, so they may be kept."""
    names = rows.published(connection, key)
    address = (campaign.id, *names)
    known = _read.get(address)
    if known is None:
        contents = [blobs.get(connection, name) for name in names]
        known = tuple(campaign.protocol.read_publication(i + 1, data) for i, data in enumerate(contents))
        _read[address] = known
        while len(_read) > _KEPT:
            _read.popitem(last=False)
    return known


def part(service: Service, campaign_id: str, name: str, person: int) -> bytes:
    """What a person needs of the last publication of a campaign."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        campaign = read_campaign(row.document)
        protocol, names = campaign.protocol, rows.published(connection, row.key)
        if not (protocol.in_parts and names and name == names[-1] and len(names) == protocol.rounds - 1):
            raise Problem("not-found", "the campaign published nothing of this hash in parts")
        if person >= campaign.n_people:
            raise Problem("not-found", "the campaign has no person of this number")
        published = read_all(connection, row.key, campaign)
    return protocol.write_part(RoundContext(protocol.rounds, published), person)
