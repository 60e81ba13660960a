"""A person's side of a campaign with two servers: checks both, splits the answer, remembers, sends.

The link holds the hash of the campaign's text, and the text names both servers, their operators and their keys. So the
keys are pinned: each server has to sign with its own that it takes part, and later that it holds the share. A text that
gives two roles to one operator, host or key is refused (`two_servers.parties.campaign`). Where noisy degrees are asked
for first, the page that follows from them must be signed by both.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Self

import numpy as np

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.local.attributes.shares import place_of_answer
from graphveil.mechanisms.noise.source import SystemNoise
from graphveil.service.client.api import Api, Document, Refused
from graphveil.service.client.diary import Diary
from graphveil.service.client.invitation import Invitation, token_of_pair
from graphveil.service.client.participant import sent_campaign, suggest_names
from graphveil.service.parties.keys import accepted_label, is_signed, message_label, receipt_label
from graphveil.service.parties.seal import seal, share_seal
from graphveil.service.parties.wire import PEER
from graphveil.service.terms import read_names
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.names import HELPER, LEADER
from graphveil.two_servers.parties.page import Page
from graphveil.two_servers.parties.payload import split_answer

_ROOT = "/api/v1/campaigns"
_SERVERS = (LEADER, HELPER)


class TwoServerParticipant:
    """One person in one campaign with two servers, over one connection to each."""

    def __init__(self, invited: Invitation, friends: Iterable[str], diary: Diary, *, answer: str | None = None) -> None:
        self._diary, self._answer = diary, answer
        number = _number_of(invited.token)
        self._apis = {LEADER: Api(invited.url, token_of_pair(invited.token, LEADER, number))}
        text = sent_campaign(self._apis[LEADER], invited.campaign_id)
        if hashlib.sha256(text).hexdigest() != invited.campaign_id:
            raise ParameterError("the server sent another campaign than the one of the invitation")
        self.campaign = TwoServerCampaign.from_json(text)
        if self.campaign.party(LEADER).url != invited.url:
            raise ParameterError("this link leads to another server than the leader of its campaign; nothing was sent")
        if self.campaign.values:
            place_of_answer(self.campaign.values, answer)
        elif answer is not None:
            raise ParameterError(f"this campaign asks for a friend list ({self.campaign.statistic}), not for an answer")
        self._apis[HELPER] = Api(self.campaign.party(HELPER).url, token_of_pair(invited.token, HELPER, number))
        self._path = f"{_ROOT}/{self.campaign.id}"
        names = read_names(self._apis[LEADER].content(f"{self._path}/roster", self.campaign.roster))
        if invited.name not in names:
            raise ParameterError(f"the roster of this campaign has no {invited.name!r}")
        numbers = {name: number for number, name in enumerate(names)}
        self.number = numbers[invited.name]
        if self.number != number:
            raise ParameterError("the name and the secret of this link belong to two people; ask for a new link")
        listed = sorted(set(friends) - {invited.name})  # nobody is their own friend
        self.unknown = [name for name in listed if name not in numbers]
        self.suggestions = suggest_names(self.unknown, names)
        self._friends = np.array([numbers[name] for name in listed if name in numbers], dtype=np.int64)
        self.matched = len(self._friends)
        for role in _SERVERS:
            self._check_acceptance(role)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for api in self._apis.values():
            api.__exit__()

    def refuse_second_device(self) -> None:
        """Refuse to draw what another device of this person has drawn: both draws together would cost more."""
        if self._diary.has_drawn(self.campaign.id):
            return
        for role, api in self._apis.items():
            if api.ask(Document, "GET", f"{self._path}/answered").get("answered") is not False:
                raise ParameterError(
                    f"the {role} has an answer of yours from another device or diary: go on there; nothing was sent, "
                    "since a second one would reveal more about your list"
                )

    @property
    def is_done(self) -> bool:
        """Whether both servers have signed for their shares."""
        return set(self._diary.receipts(self.campaign.id)) == set(_SERVERS)

    def tell_degree(self) -> None:
        """Send both servers the noisy degree, drawn once; who comes too late for it can still answer."""

        def draw() -> int:
            return int(self.campaign.plan.noisy_degrees(np.array([self.matched]), SystemNoise())[0])

        with self._saying_what_it_costs():
            told = self._diary.keep_degree(self.campaign.id, self._what, self._cost, draw)
        for api in self._apis.values():
            try:
                api.send("PUT", f"{self._path}/degree", json={"degree": told})
            except Refused as refusal:
                if refusal.code != "late":
                    raise

    def page(self) -> Page | None:
        """The page of noisy degrees that both servers signed, or None as long as there is none."""
        try:
            return signed_page(self.campaign, self._apis[LEADER].ask(Document, "GET", f"{self._path}/page"))
        except Refused as refusal:
            if refusal.code != "not-now":
                raise
            return None

    def send(self, page: Page | None = None) -> dict[str, str]:
        """Split the answer once, store both shares, then hand each to its server; the receipts of both.

        Run again after a failure it sends the same bytes.
        """
        campaign = self.campaign
        if self.is_done:
            return self._diary.receipts(campaign.id)

        def split() -> dict[str, str]:
            shares = split_answer(campaign, page, self.number, self._friends, SystemNoise(), self._answer)
            return {role: share.hex() for role, share in shares.items()}

        with self._saying_what_it_costs():
            shares = self._diary.keep_shares(campaign.id, self._what, self._cost, split)
        if not shares.content:
            raise ParameterError("the shares that were drawn for this campaign are gone; no others may be sent")
        try:
            receipts = {role: self._hand_over(role, bytes.fromhex(shares.content[role])) for role in _SERVERS}
        except Refused as refusal:
            if refusal.code == "late":  # for ever: together the shares are the friend list
                shares.erase()
            raise
        self._diary.end_shares(campaign.id, shares, receipts)
        return receipts

    def answer(self, *, wait: bool = True, pause: Callable[[float], None] = time.sleep) -> dict[str, str] | None:
        """Do all that is left to do; None where the page of noisy degrees is not there yet and nobody waits."""
        if not self.is_done:
            self.refuse_second_device()
        if self.is_done or not self.campaign.asks_degrees:
            return self.send()
        self.tell_degree()
        seconds = 0.5
        while (page := self.page()) is None:
            if not wait:
                return None
            pause(seconds)
            seconds = min(30.0, 1.5 * seconds)
        return self.send(page)

    @property
    def _cost(self) -> Fraction:
        return self.campaign.guarantee.epsilon

    @property
    def _what(self) -> str:
        return f"{self.campaign.statistic} with two servers"

    @contextmanager
    def _saying_what_it_costs(self) -> Iterator[None]:
        try:
            yield
        except BudgetExceeded:
            raise BudgetExceeded(
                f"this campaign costs epsilon {float(self._cost):g}; your own budget has {float(self._diary.left):g} "
                "left; nothing was sent"
            ) from None

    def _hand_over(self, role: str, share: bytes) -> str:
        headers = {"Content-Type": "application/octet-stream"}
        sealed = seal(self.campaign.party(role).x25519, share_seal(self.campaign.id, role, self.number), share)
        answer = self._apis[role].ask(Document, "PUT", f"{self._path}/share", content=sealed, headers=headers)
        signature = _signature(answer, "receipt")
        label = receipt_label(self.campaign.id, role, self.number, share)
        if not is_signed(self.campaign.party(role).ed25519, label, signature):
            raise ParameterError(f"the {role} gave no valid receipt for your share; try again later")
        return signature.hex()

    def _check_acceptance(self, role: str) -> None:
        try:
            answer = self._apis[role].ask(Document, "GET", f"{self._path}/accepted")
        except Refused as refusal:
            if refusal.code != "not-found":
                raise
            operator = self.campaign.party(role).operator
            raise ParameterError(
                f"the {role} ({operator}) has not accepted this campaign; nothing was sent; try again later"
            ) from None
        known = self.campaign.party(role).ed25519
        if not is_signed(known, accepted_label(self.campaign.id, role), _signature(answer, "signature")):
            raise ParameterError(f"the {role} does not hold the key that the campaign names; nothing was sent")


def signed_page(campaign: TwoServerCampaign, answer: object) -> Page:
    """The page of noisy degrees in a server's answer; refuses one that not both servers signed."""
    told = answer if isinstance(answer, dict) else {}
    page = Page.from_json(campaign.plan, str(told.get("page")))
    digest = hashlib.sha256(page.hash).digest()
    for role in _SERVERS:
        label = message_label(campaign.id, role, PEER[role], "page", 0, digest)
        if not is_signed(campaign.party(role).ed25519, label, _signature(told.get("signatures"), role)):
            raise ParameterError(f"the {role} did not sign the limit for lists; nothing more was sent")
    return page


def _number_of(pair: str) -> int:
    """The person's number, which stands in the secret: gv2.17.<43 letters>."""
    parts = pair.split(".")
    if len(parts) != 3 or not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) <= 9 and parts[2]):
        raise ParameterError("this link is damaged: copy it again as a whole, in quotes")
    return int(parts[1])


def _signature(answer: object, name: str) -> bytes:
    try:
        assert isinstance(answer, dict)
        return bytes.fromhex(answer[name])
    except (AssertionError, KeyError, TypeError, ValueError):
        raise ParameterError("the server gave an answer that makes no sense; nothing more was sent") from None
