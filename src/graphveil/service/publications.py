"""What was published after earlier rounds, read once and kept at hand: checking a report of a later round needs it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from sqlalchemy import Connection

from graphveil.local.campaign import Campaign
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
