"""Between parties: who sends what to whom, and how it gets there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from graphveil.errors import ParameterError
from graphveil.service.client.api import Api, Refused
from graphveil.service.parties.keys import CannotContinue
from graphveil.service.parties.seal import message_seal, seal
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.names import DEALER, HELPER, LEADER, PartyName

PEER = {LEADER: HELPER, HELPER: LEADER}
BETWEEN_SERVERS = (
    *("degrees", "page", "set", "answers", "root", "bind"),
    *("bits", "both", "numbers", "total", "result"),
)
SIGNATURE = "Graphveil-Signature"


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


@dataclass(frozen=True, slots=True)
class _Held:
    """What another party says it holds in a place."""

    sha256: str | None


@dataclass(slots=True)
class HttpWire:
    """Messages over HTTP to the addresses in the campaign: one try, since the next tick tries again."""

    apis: dict[str, Api] = field(default_factory=dict)

    def held(self, to: PartyName, path: str, signature: bytes) -> bytes | None:
        """The hash of what the receiver holds in a place."""
        told = self._api(to).ask(_Held, "GET", path, headers={SIGNATURE: signature.hex()}).sha256
        try:
            return None if told is None else bytes.fromhex(told)
        except ValueError:
            raise ParameterError(f"the {to.role} sent a hash that is none") from None

    def put(self, to: PartyName, path: str, content: bytes, signature: bytes) -> None:
        """Hand a block over; raises `OtherBytes` where the receiver holds another."""
        try:
            sealed = seal(to.x25519, message_seal(path), content)
            self._api(to).send("PUT", path, content=sealed, headers={SIGNATURE: signature.hex()})
        except Refused as refusal:
            if refusal.code == "conflict":
                raise OtherBytes from None
            if refusal.code == "late":
                raise CannotContinue(f"the {to.role} has ended this campaign") from None
            raise

    def close(self) -> None:
        """End the connections to all other parties."""
        for api in self.apis.values():
            api.__exit__()

    def _api(self, to: PartyName) -> Api:
        if to.url not in self.apis:
            self.apis[to.url] = Api(to.url, tries=1)
        return self.apis[to.url]


def exchange_path(campaign_id: str, sender: str, step: str, block: int) -> str:
    """Where a block of a message is handed over."""
    return f"/api/v1/campaigns/{campaign_id}/exchange/{sender}/{step}/{block}"


def receiver_of(sender: str, step: str) -> str | None:
    """Who gets a message, or None where the sender has no such message."""
    if step == "deal-key" and sender in PEER:
        return DEALER
    if step == "corrections" and sender == DEALER:
        return LEADER
    return PEER.get(sender) if step in BETWEEN_SERVERS else None


def is_said(campaign: TwoServerCampaign, step: str) -> bool:
    """Whether a step occurs in a campaign."""
    if step in ("deal-key", "corrections", "bits", "both", "numbers"):
        return campaign.has_dealer
    return campaign.asks_degrees if step in ("degrees", "page") else step != "answers" or campaign.asks_hubs
