"""What a protocol of another package has to show before its first campaign: that its messages cost what they say.

Noise is drawn by graphveil's own randomizers, for the sensitivity that a message states (`local.randomizers`), and the
guarantee is computed from the messages (`local.losses`). What is left to check is what the protocol itself says about
its exact values, and that needs no noise. Few people run the rounds once. Then, for several people and many of the
lists that each can have, given what was published and what that person sent before,

- a message moves by at most its sensitivity: between lists that differ in one entry (unit edge), between any two lists
  (unit node);
- the messages that an entry moves are read in one role that it can have, and those that a friendship moves at its two
  ends in one pair of such roles.

With up to six people all lists are tried. What a protocol does for more people only is not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages, Role
from graphveil.local.protocol import LocalProtocol, RoundContext, check_guarantee
from graphveil.local.simulate import seeded, transcript_of
from graphveil.privacy.unit import Kind

PEOPLE = (6, 14, 40)  # the smallest campaign that a protocol accepts is tried
MOST_LISTS = 32  # of one person
SEEDS = (1, 2, 3)  # of what is published and sent before

_checked: set[LocalProtocol] = set()  # for few people; other parameters are checked again


def check_protocol(protocol: LocalProtocol) -> None:
    """Refuse a protocol of another package that states another guarantee than it gives; parameters are checked once."""
    check_guarantee(protocol)
    small = _small(protocol)
    if small not in _checked:
        check_messages(small)
        _checked.add(small)


def _small(protocol: LocalProtocol) -> LocalProtocol:
    """The protocol for as few people as its other parameters allow."""
    for people in PEOPLE:
        try:
            return replace(protocol, n_people=min(protocol.n_people, people))
        except ParameterError:
            continue
    return protocol


def check_messages(protocol: LocalProtocol) -> None:
    """Raise `GuaranteeMismatch` if an exact value moves by more than its sensitivity, or by an entry it does not read.

    Every strength is tried for everybody.
    """
    network = power_law_cluster(protocol.n_people, 3, 0.5, seed=2)
    for choice in range(protocol.n_strengths):
        lists = Lists.of_graph(network, np.full(protocol.n_people, choice))
        for seed in SEEDS:
            published = _published(protocol, lists, seed)
            people = range(min(protocol.n_people, PEOPLE[0]))
            tries = {person: _Trial(protocol, person, choice, published, seed) for person in people}
            for trial in tries.values():
                trial.check_sensitivities()
            for u, v in combinations(people, 2):
                _check_roles(protocol, tries[u], tries[v])


def _published(protocol: LocalProtocol, lists: Lists, seed: int) -> tuple[Any, ...]:
    """What is published when everybody answers, as a client reads it."""
    published = transcript_of(protocol, lists, seeded(seed)).published
    written = [protocol.write_publication(number, made) for number, made in enumerate(published, 1)]
    return tuple(protocol.read_publication(number, data) for number, data in enumerate(written, 1))


def _check_proved(messages: Messages) -> None:
    """Refuse a randomizer that is kept as published: what it charges is the paper's claim, which may be refuted."""
    for message in messages.parts:
        kind = type(message.randomizer)
        if kind.__module__.startswith("graphveil.papers."):
            raise GuaranteeMismatch(f"{kind.__name__} is kept as published and serves the study of its paper only")


@dataclass(eq=False)
class _Trial:
    """One person, what was published, and what that person sent before; only the list changes."""

    protocol: LocalProtocol
    person: int
    choice: int
    published: tuple[Any, ...]
    seed: int
    contexts: list[RoundContext] = field(init=False)
    messages: list[tuple[Kind, Message]] = field(default_factory=list)  # with their units, as sent in their rounds
    values: dict[frozenset[int], dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sent: list[Any] = []
        self.contexts = []
        lists, source = self._lists(frozenset(self._others()[::2])), seeded(self.seed)
        for number in range(1, self.protocol.rounds + 1):
            context = RoundContext(number, self.published[: number - 1], tuple(sent))
            messages = self.protocol.messages(context, self.choice)
            self.messages += [(messages.unit, message) for message in messages.in_round(number)]
            _check_proved(messages)
            self.contexts.append(context)
            sent.append(self.protocol.perturb(context, lists, source(number, lists.people)))

    def _others(self) -> list[int]:
        return [other for other in range(self.protocol.n_people) if other != self.person]

    def _lists(self, friends: frozenset[int]) -> Lists:
        return Lists.of_person(self.protocol.n_people, self.person, sorted(friends), self.choice)

    def tried_lists(self) -> list[frozenset[int]]:
        """All lists of few people; of more people a few short and long ones."""
        others = self._others()
        if 2 ** len(others) <= MOST_LISTS:
            return [frozenset(chosen) for size in range(len(others) + 1) for chosen in combinations(others, size)]
        rng = np.random.default_rng(self.person)
        shares = np.linspace(0, 1, MOST_LISTS // 4)
        return [frozenset(np.array(others)[rng.random(len(others)) < share].tolist()) for share in shares]

    def exact(self, friends: frozenset[int]) -> dict[str, Any]:
        """The exact values of all messages under a list."""
        if friends not in self.values:
            values: dict[str, Any] = {}
            for context in self.contexts:
                values |= self.protocol.exact(context, self._lists(friends))
            self.values[friends] = values
        return self.values[friends]

    def distance(self, message: Message, one: frozenset[int], other: frozenset[int]) -> float:
        """How far apart the exact values of a message are under two lists."""
        return message.randomizer.distance(self.exact(one)[message.what], self.exact(other)[message.what])

    def check_sensitivities(self) -> None:
        """Refuse a message that moves by more than its noise is for."""
        tried = self.tried_lists()
        for unit, message in self.messages:
            if unit is Kind.NODE:
                pairs, change = list(combinations(tried, 2)), "the list"
            else:
                pairs, change = (
                    [(friends, friends ^ {entry}) for entry in self._others() for friends in tried],
                    "one entry",
                )
            moved = max(self.distance(message, one, other) for one, other in pairs)
            if moved > message.randomizer.sensitivity:
                raise GuaranteeMismatch(
                    f"the message {message.what!r} of {type(self.protocol).__name__} moves by {moved:g} where {change} "
                    f"changes, but its noise is for a sensitivity of {message.randomizer.sensitivity}"
                )

    def moved_by(self, entry: int) -> frozenset[str]:
        """The messages that one entry of the list moves."""
        return frozenset(
            message.what
            for _, message in self.messages
            if any(self.distance(message, friends - {entry}, friends | {entry}) > 0 for friends in self.tried_lists())
        )

    def read_in(self, role: Role) -> frozenset[str]:
        """The messages that read an entry of this role; under the unit node all that read any."""
        return frozenset(
            message.what
            for unit, message in self.messages
            if (message.reads and role is not Role.ABSENT if unit is Kind.NODE else role in message.reads)
        )


def _check_roles(protocol: LocalProtocol, one: _Trial, other: _Trial) -> None:
    """Refuse a friendship that moves messages which no pair of roles reads."""
    ours = one.moved_by(other.person)
    theirs = frozenset() if protocol.directed else other.moved_by(one.person)
    sides = [*protocol.role_pairs, *((second, first) for first, second in protocol.role_pairs)]
    if not any(ours <= one.read_in(first) and theirs <= other.read_in(second) for first, second in sides):
        raise GuaranteeMismatch(
            f"a friendship moves the messages {', '.join(sorted(ours)) or 'none'} of one end and "
            f"{', '.join(sorted(theirs)) or 'none'} of the other, but {type(protocol).__name__} says that no pair of "
            "roles reads these; correct `reads` of its messages or `role_pairs`"
        )
