"""A person's side of a campaign with two servers: checks both, splits the answer, remembers, sends.

The link holds the hash of the campaign's text, and the text names both servers, their operators and their keys. So the
keys are pinned: each server has to sign with its own that it takes part, and later that it holds the share. A text that
gives two roles to one operator, host or key is refused (`two_servers.parties.campaign`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.service.client.api import Api, Refused
from graphveil.service.client.diary import Diary
from graphveil.service.client.invitation import Invitation, token_of_pair
from graphveil.service.client.participant import suggest_names
from graphveil.service.parties.keys import accepted_label, is_signed, receipt_label
from graphveil.two_servers.parties.campaign import HELPER, LEADER, TwoServerCampaign
from graphveil.two_servers.sums import split_vector
from graphveil.two_servers.triangle_server import split_row

_ROOT = "/api/v1/campaigns"
_SERVERS = (LEADER, HELPER)


class TwoServerParticipant:
    """One person in one campaign with two servers."""

    def __init__(self, invited: Invitation, friends: Iterable[str], diary: Diary) -> None:
        self._invited, self._diary = invited, diary
        with Api(invited.url) as api:
            text = api.send("GET", f"{_ROOT}/{invited.campaign_id}").content
        if hashlib.sha256(text).hexdigest() != invited.campaign_id:
            raise ParameterError("the server sent another campaign than the one of the invitation")
        self.campaign = TwoServerCampaign.from_json(text)
        names = self._roster()
        if invited.name not in names:
            raise ParameterError(f"the roster of this campaign has no {invited.name!r}")
        numbers = {name: number for number, name in enumerate(names)}
        self.number = numbers[invited.name]
        if self.number != _number_of(invited.token):
            raise ParameterError("the name and the secret of this link belong to two people; ask for a new link")
        listed = sorted(set(friends) - {invited.name})  # nobody is their own friend
        self.unknown = [name for name in listed if name not in numbers]
        self.suggestions = suggest_names(self.unknown, names)
        self._friends = np.array([numbers[name] for name in listed if name in numbers], dtype=np.int64)
        self.matched = len(self._friends)
        for role in _SERVERS:
            self._check_acceptance(role)

    @property
    def is_done(self) -> bool:
        """Whether both servers have signed for their shares."""
        return set(self._diary.receipts(self.campaign.id)) == set(_SERVERS)

    def send(self) -> dict[str, str]:
        """Split the answer once, store both shares, then hand each to its server; the receipts of both.

        Run again after a failure it sends the same bytes.
        """
        campaign = self.campaign
        if self.is_done:
            return self._diary.receipts(campaign.id)
        cost = campaign.guarantee.epsilon
        what = f"{campaign.statistic} with two servers"
        try:
            shares = self._diary.keep_shares(campaign.id, what, cost, self._split)
        except BudgetExceeded:
            raise BudgetExceeded(
                f"this campaign costs epsilon {float(cost):g}; your own budget has {float(self._diary.left):g} left; "
                "nothing was sent"
            ) from None
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

    def _split(self) -> dict[str, str]:
        campaign = self.campaign
        if campaign.has_dealer:
            shares = split_row(campaign.triangle_terms, self.number, self._friends)
        else:
            vector = campaign.summed.vectors(np.array([len(self._friends)]))[0]
            shares = split_vector(campaign.sum_terms, self.number, vector)
        return {role: share.hex() for role, share in zip(_SERVERS, shares, strict=True)}

    def _hand_over(self, role: str, share: bytes) -> str:
        with self._api(role) as api:
            headers = {"Content-Type": "application/octet-stream"}
            answer = api.send("PUT", f"{_ROOT}/{self.campaign.id}/share", content=share, headers=headers).json()
        signature = _signature(answer, "receipt")
        label = receipt_label(self.campaign.id, role, self.number, share)
        if not is_signed(self.campaign.party(role).ed25519, label, signature):
            raise ParameterError(f"the {role} gave no valid receipt for your share; try again later")
        return signature.hex()

    def _check_acceptance(self, role: str) -> None:
        try:
            with self._api(role) as api:
                answer = api.get(f"{_ROOT}/{self.campaign.id}/accepted")
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

    def _roster(self) -> list[str]:
        number = _number_of(self._invited.token)
        token = token_of_pair(self._invited.token, LEADER, number)
        with Api(self.campaign.party(LEADER).url, token) as api:
            content = api.content(f"{_ROOT}/{self.campaign.id}/roster", self.campaign.roster)
        return content.decode().splitlines()

    def _api(self, role: str) -> Api:
        """A connection of its own to the server of a role, with the token for this server only."""
        token = token_of_pair(self._invited.token, role, _number_of(self._invited.token))
        return Api(self.campaign.party(role).url, token)


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
