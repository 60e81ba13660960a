"""What was published after earlier rounds, read once and kept at hand: checking a report of a later round needs it.

Where a protocol says so, people fetch only the part of the last publication that their role needs. Which part that is
follows from the person's number and public values, so asking for it tells nothing about anybody's list.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection

from graphveil.local.campaign import Campaign
from graphveil.local.protocol import RoundContext
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Problem
from graphveil.service.service import Service
from graphveil.service.store import blobs
from graphveil.service.store import campaigns as rows

PART_BYTES = 64 * 2**20  # of parts that are kept at hand, compressed
READ_BYTES = 256 * 2**20  # of publications that are kept at hand, as long as they were written
Thing = TypeVar("Thing")


class Part(NamedTuple):
    """What one person needs of a publication, compressed, and the hash of what is in it."""

    gzip: bytes
    tag: str


class Shelf(Generic[Thing]):
    """Things used lately, up to so many bytes in all: what was not used for longest goes first."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._total = most_bytes, 0
        self._known: OrderedDict[Hashable, tuple[Thing, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, address: Hashable) -> Thing | None:
        """What is kept under an address."""
        with self._lock:
            if address not in self._known:
                return None
            self._known.move_to_end(address)
            return self._known[address][0]

    def put(self, address: Hashable, thing: Thing, size: int) -> None:
        """Keep a thing of so many bytes; one is kept whatever its size, since it is being used."""
        with self._lock:
            if address not in self._known:
                self._known[address] = thing, size
                self._total += size
            while self._total > self._most and len(self._known) > 1:
                self._total -= self._known.popitem(last=False)[1][1]


# A part costs up to a second to make, and a person whose network breaks asks again.
_parts: Shelf[Part] = Shelf(PART_BYTES)
_read: Shelf[tuple[Any, ...]] = Shelf(READ_BYTES)


def read_all(connection: Connection, key: int, campaign: Campaign) -> tuple[Any, ...]:
    """Every publication of a campaign so far. Contents never change under their hashes, so they may be kept."""
    names = rows.published(connection, key)
    address = (campaign.id, *names)
    known = _read.get(address)
    if known is None:
        contents = [blobs.get(connection, name) for name in names]
        known = tuple(campaign.protocol.read_publication(i + 1, data) for i, data in enumerate(contents))
        _read.put(address, known, sum(map(len, contents)))
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
    _parts.put(address, made, len(made.gzip))
    return made
