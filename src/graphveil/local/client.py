"""One person's side of a campaign: a friend list goes in, reports come out.

What the client holds to, whatever the collector says: it answers each round once and repeats the same bytes when asked
again; it answers rounds in order; it takes every scale and its own role from the campaign and from publications it has
kept, so that a publication changed afterwards is noticed and not answered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.local.campaign import Campaign
from graphveil.local.lists import Lists
from graphveil.local.losses import Messages, relationship_epsilon
from graphveil.local.messages import Report
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.local.simulate import Source, secret
from graphveil.privacy.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class Memory:
    """What a client must keep between rounds and across restarts; to be stored before a report is sent."""

    answers: tuple[Report, ...] = ()
    published: tuple[str, ...] = ()  # hashes of the publications answered to, round by round

    def to_json(self) -> str:
        """The memory as JSON text, for a file."""
        answers = [report.encode().hex() for report in self.answers]
        return json.dumps({"answers": answers, "published": list(self.published)}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Memory:
        """The memory that `to_json` wrote."""
        document: Any = json.loads(text)
        answers = tuple(Report.decode(bytes.fromhex(report)) for report in document["answers"])
        return cls(answers, tuple(document["published"]))


class Client:
    """Perturbs one person's list; nothing else ever leaves it.

    >>> campaign = Campaign.create("degree-distribution", "grr", unit="node", epsilon=1, n_people=9, title="May")
    >>> client = Client(campaign, user=4, friends=[1, 2, 8])
    >>> client.answer(1) == client.answer(1)
    True
    """

    def __init__(
        self,
        campaign: Campaign,
        user: int,
        friends: ArrayLike,
        *,
        choice: int = 0,
        source: Source = secret,
        memory: Memory | None = None,
    ) -> None:
        if not 0 <= choice < len(campaign.protocol.guarantees):
            offered = len(campaign.protocol.guarantees)
            raise ParameterError(f"this campaign offers the strengths 0..{offered - 1}, not {choice}")
        self.campaign = campaign
        self.user = user
        self.choice = choice
        self.memory = memory or Memory()
        self._lists = Lists.of_person(campaign.n_people, user, friends, choice)
        self._source = source
        if any((report.campaign_id, report.user) != (campaign.id, user) for report in self.memory.answers):
            raise ParameterError("this memory belongs to another campaign or another person")

    @property
    def guarantee(self) -> Guarantee:
        """What this person is promised, computed here from the campaign's text."""
        return self.campaign.protocol.guarantees[self.choice]

    def answer(self, round_number: int, publications: Sequence[bytes] = (), *, in_part: bool = False) -> Report:
        """The report for a round; `publications` are what the collector published after each earlier one.

        With `in_part` the last one is this person's part, if it is the last that the campaign has.
        """
        answered = len(self.memory.answers)
        if 1 <= round_number <= answered:
            return self.memory.answers[round_number - 1]
        if round_number != answered + 1 or round_number > self.campaign.rounds:
            raise ParameterError(
                f"round {round_number} cannot be answered now: {answered} of {self.campaign.rounds} rounds are"
            )
        self._check(round_number, publications)
        protocol, people = self.campaign.protocol, self._lists.people
        contexts = self._contexts(round_number, publications, in_part=in_part)
        check_sent(protocol, contexts, self.choice)
        context = contexts[-1]
        batch = protocol.perturb(context, self._lists, self._source(round_number, people))
        (payload,) = protocol.pack(context, people, batch)
        report = Report(self.campaign.id, round_number, self.user, payload)
        hashes = tuple(hashlib.sha256(data).hexdigest() for data in publications)
        self.memory = Memory((*self.memory.answers, report), hashes)
        return report

    def _check(self, round_number: int, publications: Sequence[bytes]) -> None:
        if len(publications) != round_number - 1:
            raise ParameterError(
                f"round {round_number} needs the {round_number - 1} publications before it, not {len(publications)}"
            )
        known = zip(self.memory.published, publications, strict=False)
        if any(kept != hashlib.sha256(data).hexdigest() for kept, data in known):
            raise ParameterError("an earlier publication has changed since it was answered; this client stops here")

    def _contexts(self, round_number: int, publications: Sequence[bytes], *, in_part: bool) -> list[RoundContext]:
        """The context of every round up to this one."""
        protocol, people = self.campaign.protocol, np.array([self.user])
        published: tuple[Any, ...] = ()
        for i, data in enumerate(publications):
            if in_part and i + 2 == protocol.rounds:
                read = protocol.read_part(RoundContext(protocol.rounds, published), self.user, data)
            else:
                read = protocol.read_publication(i + 1, data)
            published = (*published, read)
        contexts = [RoundContext(i + 1, published[:i]) for i in range(round_number)]
        sent = tuple(
            protocol.unpack(context, people, [report.payload])
            for context, report in zip(contexts, self.memory.answers, strict=False)
        )
        return [replace(context, sent=sent[: context.round - 1]) for context in contexts]


def check_sent(protocol: LocalProtocol, contexts: Sequence[RoundContext], choice: int) -> None:
    """Refuse to answer a round in which a publication makes the messages cost more than was promised.

    `contexts` are those of all rounds up to the one to be answered. Messages of earlier rounds cost what they cost when
    they were sent; the others are taken as they are now.
    """
    *earlier, now = contexts
    sent = [part for context in earlier for part in protocol.messages(context, choice).in_round(context.round)]
    left = [part for part in protocol.messages(now, choice).parts if part.round >= now.round]
    promised = protocol.guarantees[choice]
    own = Messages(promised.unit.kind, (*sent, *left))
    others = [protocol.messages(now, other) for other in range(protocol.n_strengths)]
    epsilon = own.epsilon(protocol.role_pairs)
    friendship = relationship_epsilon(own, others, protocol.role_pairs)
    assert promised.relationship_epsilon is not None
    roles = {role for pair in protocol.role_pairs for role in pair}
    offered = protocol.messages(RoundContext(), choice)  # each end by itself: the other may be shown something else
    protocol.messages(now, choice).check_unit(offered)
    dearer = any(own.role_epsilon(role) > offered.role_epsilon(role) for role in roles)
    if dearer or epsilon > promised.epsilon or friendship > promised.relationship_epsilon:
        raise GuaranteeMismatch(
            f"after this publication the report would cost epsilon {epsilon} and {friendship} for a relationship; "
            f"{promised.epsilon} and {promised.relationship_epsilon} were promised; nothing was sent"
        )
