"""Between parties: who sends what to whom, and how it gets there."""

from __future__ import annotations

from typing import Protocol

from graphveil.two_servers.parties.campaign import DEALER, HELPER, LEADER, PartyName

PEER = {LEADER: HELPER, HELPER: LEADER}
BETWEEN_SERVERS = ("set", "root", "bind", "bits", "both", "numbers", "total", "result")


class OtherBytes(Exception):
    """The receiver holds other bytes in the place of a message."""


class Wire(Protocol):
    """How messages reach other parties; errors of a network are raised as they come, and it is tried again later."""

    def held(self, to: PartyName, path: str, signature: bytes) -> bytes | None:
        """The hash of what the receiver holds in a place."""
        ...

    def put(self, to: PartyName, path: str, content: bytes, signature: bytes) -> None:
        """Hand a block over; raises `OtherBytes` where the receiver holds another."""
        ...


def receiver_of(sender: str, step: str) -> str | None:
    """Who gets a message, or None where the sender has no such message."""
    if step == "deal-key" and sender in PEER:
        return DEALER
    if step == "corrections" and sender == DEALER:
        return LEADER
    return PEER.get(sender) if step in BETWEEN_SERVERS else None
