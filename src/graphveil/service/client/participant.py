"""A person's side of a campaign: checks what it is told, perturbs the list, remembers, sends.

Nothing is taken on trust that can be checked or computed here. The campaign's text must hash to the id of the
invitation and be one this program can read, with a claim that holds. The roster must hash to what that text says, and
the person's number is looked up in it, not asked for. Probabilities, scales and the guarantee follow from the text.
Publications must hash to their names, and must stay as they were when they were first answered. A part of a noisy
graph has no name to be checked against and needs none: the promise holds for every graph that could be shown.

The noise is always the operating system's: there is no way to give another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.local.attributes.shares import list_of_answer
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client, Memory
from graphveil.local.messages import Reason, Report
from graphveil.local.suggestions.protocol import FriendSuggestions
from graphveil.local.suggestions.score import Suggestion, suggest
from graphveil.privacy.guarantee import Guarantee
from graphveil.service.client.api import Api, Refused
from graphveil.service.client.diary import Diary, Role
from graphveil.service.terms import read_roster

_ROOT = "/api/v1/campaigns"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the collector says the campaign stands."""

    state: str
    round: int
    publications: tuple[str, ...]
    paused: bool = False


class Participant:
    """One person in one campaign."""

    def __init__(
        self,
        api: Api,
        campaign_id: str,
        name: str,
        friends: Iterable[str],
        diary: Diary,
        *,
        choice: int = 0,
        answer: str | None = None,
    ) -> None:
        self._api, self._diary = api, diary
        self.campaign = fetch_campaign(api, campaign_id)
        roster = dict(self.campaign.terms).get("roster", "")
        names = read_roster(self.campaign, api.content(f"{_ROOT}/{campaign_id}/roster", roster))
        numbers = {each: number for number, each in enumerate(names)}
        if name not in numbers:
            raise ParameterError(f"the roster of this campaign has no {name!r}")
        listed = sorted(set(friends) - {name})  # nobody is their own friend
        known = [numbers[friend] for friend in listed if friend in numbers]
        answered = list_of_answer(self.campaign.protocol, numbers[name], answer)
        if answered is not None:  # the campaign asks a question; a list of so many people stands for the answer
            listed, known = [], answered
        self.matched, self.unknown = len(known), [friend for friend in listed if friend not in numbers]
        self.suggestions = suggest_names(self.unknown, names)
        self._names, self._friends = names, np.array(known, dtype=np.int64)
        self.role = Role(name, numbers[name], roster, choice)
        self._client = Client(
            self.campaign, self.role.number, self._friends, choice=choice, memory=diary.recall(self.campaign, self.role)
        )

    @property
    def guarantee(self) -> Guarantee:
        """What this person is promised, computed here."""
        return self._client.guarantee

    @property
    def answered(self) -> int:
        """How many rounds have an answer on record here, sent or not."""
        return len(self._client.memory.answers)

    def progress(self) -> Progress:
        """Ask where the campaign stands."""
        return self._api.ask(Progress, "GET", f"{_ROOT}/{self.campaign.id}/status")

    def enrol(self, *, replace_device: bool = False) -> None:
        """Agree to take part; the collector charges its own ledger too, and lets one device of a person answer.

        With `replace_device` this one takes the place of a device that is lost and has sent no answer.
        """
        if self.answered == 0 and self._diary.left < self.guarantee.epsilon:
            raise BudgetExceeded(
                f"this campaign costs epsilon {float(self.guarantee.epsilon):g}; your own budget has "
                f"{float(self._diary.left):g} left; nothing was spent"
            )
        self._reserve(replace=replace_device)

    def _reserve(self, *, replace: bool = False) -> None:
        """Be the device that answers, or learn that another one is."""
        asked = {"device": self._diary.device(self.campaign), "joined": self._joined, "replace": replace}
        try:
            self._api.send("PUT", f"{_ROOT}/{self.campaign.id}/enrolment", json=asked)
        except Refused as refusal:
            if refusal.code == "budget-exceeded":
                raise BudgetExceeded(str(refusal)) from None
            raise
        if not self._joined:
            self._diary.join(self.campaign)

    @property
    def _joined(self) -> bool:
        return self._diary.has_joined(self.campaign)

    def answer(self, number: int, publications: tuple[str, ...] = ()) -> Report:
        """The answer of a round, from the diary or drawn now; it is in the diary when this returns."""
        page, root = self.campaign.protocol, f"{_ROOT}/{self.campaign.id}/publications"
        in_part = page.in_parts and number == page.rounds > 1
        whole = publications[:-1] if in_part else publications
        memory = self._client.memory
        if any(kept != named for kept, named in zip(memory.published, whole, strict=False)):
            raise ParameterError(
                "the collector has published something else since you answered (it may have been restored from a "
                "backup); your answers do not fit any more and are not sent"
            )
        if number <= self.answered:
            return memory.answers[number - 1]
        if len(publications) != number - 1:
            raise ParameterError(f"the collector says that round {number} is open, and did not publish what it needs")
        if not self._joined:
            raise ParameterError("the collector has not let this device answer yet; enrol first")
        contents = [self._api.content(f"{root}/{name}", name) for name in whole]
        if in_part:
            contents.append(self._api.unpacked(f"{root}/{publications[-1]}/parts/{self.role.number}"))

        def draw() -> Memory:
            self._client.answer(number, contents, in_part=in_part)
            return self._client.memory

        memory = self._diary.record(self.campaign, self.role, number, self.guarantee.epsilon, draw)
        self._client.memory = memory
        return memory.answers[number - 1]

    def suggested(self, publications: tuple[str, ...]) -> list[tuple[str, Suggestion]]:
        """Names of people to become friends with, computed here from the own list and the published noisy graph.

        Everybody fetches the same bytes, and nothing is sent: nobody learns what is suggested.
        """
        protocol = self.campaign.protocol
        assert isinstance(protocol, FriendSuggestions)
        if not publications:
            raise ParameterError("the collector says that the campaign is done, and has not published the noisy graph")
        name = publications[-1]
        content = self._api.content(f"{_ROOT}/{self.campaign.id}/publications/{name}", name)
        graph = protocol.read_publication(protocol.rounds, content)
        best = suggest(graph, self.role.number, self._friends, protocol.response)
        return [(self._names[each.person], each) for each in best]

    def send(self, report: Report) -> bool:
        """Hand an answer in, unless another device took this one's place; False if it was counted already."""
        self._reserve()
        path = f"{_ROOT}/{self.campaign.id}/reports"
        try:
            self._api.send("POST", path, content=report.encode(), headers={"Content-Type": "application/octet-stream"})
        except Refused as refusal:
            if refusal.code != Reason.DUPLICATE:
                raise
            return False
        return True


def suggest_names(unknown: Iterable[str], roster: Iterable[str]) -> dict[str, str]:
    """For names that are not on the roster, the one there that differs only in capitals, spaces or width.

    >>> suggest_names(["Bob ", "eve"], ["bob", "cat"])
    {'Bob ': 'bob'}
    """
    by_form: dict[str, list[str]] = {}
    for name in roster:
        by_form.setdefault(_form(name), []).append(name)
    fitting = {name: by_form.get(_form(name), []) for name in unknown}
    return {name: meant[0] for name, meant in fitting.items() if len(meant) == 1}


def _form(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def sent_campaign(api: Api, campaign_id: str) -> bytes:
    """The text of a campaign, as it was sent."""
    try:
        return api.send("GET", f"{_ROOT}/{campaign_id}").content
    except Refused as refusal:
        if refusal.code != "not-found":
            raise
        raise ParameterError(
            "the campaign of this link is not open there: its operators may not have accepted it yet, or it was "
            "deleted; ask them, or try again later; nothing was sent"
        ) from None


def fetch_campaign(api: Api, campaign_id: str) -> Campaign:
    """The campaign of an id, read and checked."""
    campaign = Campaign.from_json(sent_campaign(api, campaign_id))
    if campaign.id != campaign_id:
        raise ParameterError("the collector sent another campaign than the one of the invitation")
    return campaign
