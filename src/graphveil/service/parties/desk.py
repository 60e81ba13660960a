"""What a party computes in each step from what it has on disk; nothing is sent or stored here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.service.parties import store
from graphveil.service.parties.keys import CannotContinue, KeyFolder
from graphveil.service.parties.wire import PEER
from graphveil.service.service import Service
from graphveil.two_servers.parties import contents
from graphveil.two_servers.parties.campaign import CUT, TwoServerCampaign
from graphveil.two_servers.parties.names import DEALER, HELPER, LEADER
from graphveil.two_servers.parties.page import Page, agreed_degrees, count_degrees, known_degrees, write_degrees
from graphveil.two_servers.parties.payload import agreed_answers, share_of, write_hub_rows


@lru_cache(maxsize=64)
def read(document: str) -> TwoServerCampaign:
    """A campaign from its text; the same text again costs nothing."""
    return TwoServerCampaign.from_json(document)


@dataclass(frozen=True, slots=True)
class Desk:
    """What one party computes, from the rows and keys it holds."""

    service: Service
    role: str
    keys: KeyFolder

    def said(self, row: Any, step: str, sender: str = "") -> bytes:
        """What was said in a step, by this party unless another is named."""
        with self.service.database.read() as connection:
            return store.content(connection, row.key, sender or self.role, step)

    def told(self, row: Any, step: str) -> bytes:
        """What the other server said in a step."""
        return self.said(row, step, PEER[self.role])

    def reader(self, row: Any, step: str, sender: str) -> contents.Read:
        """What was said in a step, read where it is needed."""

        def read(start: int, stop: int) -> bytes:
            with self.service.database.read() as connection:
                return store.content_between(connection, row.key, sender, step, start, stop)

        return read

    def draw(self, row: Any, campaign: TwoServerCampaign) -> Integers:
        """The noise of this server, which follows from its key and the bind."""
        bind = self.said(row, "bind")
        if self.told(row, "bind") != bind:
            raise CannotContinue("leader and helper do not agree on the input")
        return contents.draw_noise(campaign, self.page(row, campaign), self.keys.of(row.id).noise, bind)

    def degrees(self, row: Any, campaign: TwoServerCampaign) -> bytes:
        """The noisy degrees that both servers hold."""
        both = agreed_degrees(self.said(row, "degrees"), self.told(row, "degrees"))
        self._refuse_few(count_degrees(both), campaign)
        return both

    def page(self, row: Any, campaign: TwoServerCampaign) -> Page | None:
        """The page that both servers signed, in a campaign with noisy degrees."""
        if not campaign.asks_degrees:
            return None
        page = Page.from_json(campaign.plan, row.page)
        if self.told(row, "page") != page.hash:
            raise CannotContinue("leader and helper computed different limits from the noisy degrees")
        return page

    def agreed(self, row: Any, campaign: TwoServerCampaign) -> contents.Agreed:
        """What both servers know before they open anything."""
        page = self.page(row, campaign)
        people = contents.common_people(self.said(row, "set"), self.told(row, "set"), campaign.people)
        self._refuse_few(len(people), campaign)
        if not campaign.asks_hubs:
            return contents.Agreed(page, people)
        terms = campaign.triangle_terms(page)
        told = agreed_answers(terms, people, self.said(row, "answers"), self.told(row, "answers"))
        return contents.Agreed(page, people, told)

    def _refuse_few(self, people: int, campaign: TwoServerCampaign) -> None:
        if people < campaign.minimum_reports:
            raise CannotContinue(f"{people:,} people reached both servers; {campaign.minimum_reports:,} are needed")

    def content(self, row: Any, campaign: TwoServerCampaign, step: str) -> Iterable[bytes]:
        """The content of a step, a part at a time."""
        if step == "corrections":
            return contents.deal_corrections(campaign, *(self.said(row, "deal-key", each) for each in (LEADER, HELPER)))
        if step in ("bits", "both", "numbers", "total"):
            return self._computed(row, campaign, step)
        return [self._short(row, campaign, step)]

    def _short(self, row: Any, campaign: TwoServerCampaign, step: str) -> bytes:
        if step == "deal-key":
            return self.keys.of(row.id).deal
        if step == "result":
            opened = contents.open_result(campaign, self.said(row, "total"), self.told(row, "total"))
            return contents.write_words(opened.view(np.uint64))
        with self.service.database.read() as connection:
            if step == "degrees":
                held = store.degrees(connection, row.key)
                return write_degrees(held.get(person) for person in range(campaign.people))
            payloads = store.shares(connection, row.key)
        if step == "set":
            self.page(row, campaign)
            return contents.write_set(payloads, campaign.people)
        if step == "answers":
            return write_hub_rows(campaign.triangle_terms(self.page(row, campaign)), payloads)
        agreed = self.agreed(row, campaign)
        return contents.payload_root(payloads, agreed.people) if step == "root" else self._bind(row, campaign, payloads)

    def _bind(self, row: Any, campaign: TwoServerCampaign, payloads: dict[int, bytes]) -> bytes:
        """The hash of the input, to which the keys are tied: an input that is not the one of before is refused."""
        agreed = self.agreed(row, campaign)
        roots = {self.role: contents.payload_root(payloads, agreed.people), PEER[self.role]: self.told(row, "root")}
        bind = agreed.bind(campaign, roots[LEADER], roots[HELPER])
        self.keys.bind(row.id, bind)
        return bind

    def _computed(self, row: Any, campaign: TwoServerCampaign, step: str) -> Iterator[bytes]:
        """The content of a step that needs the shares."""
        with self.service.database.read() as connection:
            payloads = store.shares(connection, row.key)
        self._bind(row, campaign, payloads)
        agreed = self.agreed(row, campaign)
        shares = {person: share_of(campaign, payloads[person]) for person in agreed.people}
        said, told = (
            {each: self.reader(row, each, sender) for each in ("bits", "both", "numbers")}
            for sender in (self.role, PEER[self.role])
        )
        told["corrections"] = self.reader(row, "corrections", DEALER)
        key = self.keys.of(row.id).deal
        given = contents.Input(campaign, self.role, agreed, shares, key, told, said)
        if step == "total":
            return given.total(contents.read_words(row.noise).view(np.int64))
        return {"bits": given.bits, "both": given.both, "numbers": given.numbers}[step]()

    def result(self, row: Any, campaign: TwoServerCampaign) -> str:
        """The result as it is shown."""
        opened = contents.open_result(campaign, self.said(row, "total"), self.told(row, "total"))
        agreed, degrees, reports = self.agreed(row, campaign), None, []
        facts: dict[str, Any] = {}
        if campaign.asks_degrees:
            both = self.degrees(row, campaign)
            degrees, reports = known_degrees(both), [count_degrees(both)]
        if campaign.statistic in CUT:
            terms = campaign.triangle_terms(agreed.page)
            facts = {"max_degree": terms.max_degree, "hubs": len(terms.hubs)}
        if campaign.terms_beside(agreed.page) is not None:
            facts["max_degree_of_stars"] = campaign.stars_beside(agreed.page).max_degree
        if campaign.values:
            facts = {"answers": ", ".join(campaign.values)}
        estimated = contents.conclude(campaign, agreed, degrees, opened)
        return json.dumps(
            {
                "campaign": row.id,
                "statistic": campaign.statistic,
                "protocol": "two-servers",
                "opened": opened.tolist(),
                "value": estimated.value,
                "std": estimated.std,
                "interval95": [estimated.low, estimated.high],
                "why_no_interval": None,
                "facts": facts,
                "participation": {"people": campaign.people, "reports": [*reports, len(agreed.people)]},
                "guarantee": campaign.guarantee.to_json(),
                "strengths": [campaign.guarantee.to_json()],
            }
        )
