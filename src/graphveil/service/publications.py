"""What was published after earlier rounds, read once and kept at hand: checking a report of a later round needs it.

Where a protocol says so, people fetch only the part of the last publication that their role needs. Which part that is
follows from the person's number and public values, so asking for it tells nothing about anybody's list.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import Connection

from graphveil.local.campaign import Campaign
from graphveil.local.protocol import RoundContext
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Problem
from graphveil.service.service import Service
from graphveil.service.store import blobs
from graphveil.service.store import campaigns as rows

_KEPT = 8
_PART_BYTES = 64 * 2**20  # of parts that are kept at hand, compressed
_read: OrderedDict[tuple[str, ...], tuple[Any, ...]] = OrderedDict()


class Part(NamedTuple):
    """What one person needs of a publication, compressed, and the hash of what is in it."""

    gzip: bytes
    tag: str


class _Parts:
    """Parts made lately: a part costs up to a second to make, and a person whose network breaks asks again."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._total = most_bytes, 0
        self._known: OrderedDict[tuple[str, str, int], Part] = OrderedDict()
        self._lock = Lock()

    def get(self, address: tuple[str, str, int]) -> Part | None:
        with self._lock:
            if address in self._known:
                self._known.move_to_end(address)
            return self._known.get(address)

    def put(self, address: tuple[str, str, int], part: Part) -> None:
        with self._lock:
            if address not in self._known:
                self._known[address] = part
                self._total += len(part.gzip)
            while self._total > self._most:
                self._total -= len(self._known.popitem(last=False)[1].gzip)


_parts = _Parts(_PART_BYTES)


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


def part(service: Service, campaign_id: str, name: str, person: int) -> Part:
    """What a person needs of the last publication of a campaign; the same for the same address, so it is kept."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        campaign = read_campaign(row.document)
        protocol, names = campaign.protocol, rows.published(connection, row.key)
        if not (protocol.in_parts and names and name == names[-1] and len(names) == protocol.rounds - 1):
            raise Problem("not-found", "the campaign published nothing of this hash in parts")
        if person >= campaign.n_people:
            raise Problem("not-found", "the campaign has no person of this number")
        address = (campaign_id, name, person)
        if (known := _parts.get(address)) is not None:
            return known
        published = read_all(connection, row.key, campaign)
    content = protocol.write_part(RoundContext(protocol.rounds, published), person)
    made = Part(gzip.compress(content, compresslevel=1, mtime=0), hashlib.sha256(content).hexdigest())
    _parts.put(address, made)
    return made
