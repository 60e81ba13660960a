"""Losses composed from messages, held against the exact laws of what one person, or two friends, send."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest
from enumeration import exact_law, worst_ratio

from graphveil.errors import GuaranteeMismatch
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.degrees.frequency import BinNumber, KaryDegrees, OptimalUnaryDegrees
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.degrees.preference import PreferredDegrees
from graphveil.local.degrees.square_wave import SmoothedWave
from graphveil.local.degrees.two_stage import TwoStageDegrees
from graphveil.local.degrees.veil import VeilDegrees, VeilQuantiles
from graphveil.local.lists import Lists
from graphveil.local.losses import (
    ANSWERED_ROLES,
    COUNTED_ROLES,
    EVERY_ROLE,
    EVERY_ROLE_PAIR,
    Message,
    Messages,
    Role,
    relationship_epsilon,
)
from graphveil.local.protocol import LocalProtocol, RoundContext, check_guarantee, weakest_guarantee
from graphveil.local.randomizers import AddedLaplace, BitAnswers
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.response import BinaryResponse, KaryResponse
from graphveil.papers.gs_ldp.projected_degrees import EdgeProjected
from graphveil.privacy.rounding import exp_bounds
from graphveil.privacy.unit import Kind
from graphveil.registry import Job, Row, rows
from graphveil.testing.local import a_friendship_reaches_only_the_reports_that_are_charged_for_it


def message(what: str, epsilon: Fraction, reads: frozenset[Role] = EVERY_ROLE) -> Message:
    return Message(what, AddedLaplace(epsilon), reads)


N = 6
EPSILON = Fraction(1)
SMALL = {
    "oue": OptimalUnaryDegrees(epsilon=EPSILON, n_people=N, max_degree=3),
    "grr": KaryDegrees(epsilon=EPSILON, n_people=N),
    "sw-ems": SmoothedWave(epsilon=EPSILON, n_people=N, places=6),
    "two-stage": TwoStageDegrees(epsilon=EPSILON, n_people=N, max_degree=5, group_width=3),
    "veil, sets": VeilDegrees(epsilon=EPSILON, n_people=N, set_share=1, singles=2, ratio=2),
    "veil, waves": VeilQuantiles(epsilon=EPSILON, n_people=N, singles=2, ratio=2, places=6),
}


@cache
def law_of(protocol: LocalProtocol, user: int, friends: tuple[int, ...], choice: int = 0) -> dict:
    lists = Lists.of_person(N, user, friends, choice)

    def sent() -> bytes:
        batch = protocol.perturb(RoundContext(), lists, SeededNoise(0))
        return protocol.pack(RoundContext(), lists.people, batch)[0]

    return exact_law(sent)


def both(first: dict, second: dict) -> dict:
    """The joint law of what two people send, each with their own noise."""
    return {(a, b): p * q for (a, p), (b, q) in product(first.items(), second.items())}


def at_most(ratio: Fraction | float, epsilon: Fraction) -> bool:
    return ratio <= exp_bounds(epsilon, bits=80)[0]


@pytest.mark.parametrize("name", SMALL)
def test_one_list_and_one_friendship_cost_at_most_what_is_composed(name: str) -> None:
    protocol = SMALL[name]
    messages = protocol.messages(RoundContext())
    laws = [law_of(protocol, 0, tuple(range(1, degree + 1))) for degree in range(N)]
    assert at_most(worst_ratio(laws), messages.epsilon(protocol.role_pairs))
    friendship = relationship_epsilon(messages, [messages], protocol.role_pairs)
    assert friendship == protocol.guarantee.relationship_epsilon == 2 * protocol.guarantee.epsilon
    worst: Fraction | float = 0
    for own, other in product((0, 2, 4), (0, 3)):  # their other friends; person 5 stands for the friendship
        apart = both(law_of(protocol, 0, tuple(range(1, own + 1))), law_of(protocol, 5, tuple(range(1, other + 1))))
        friends = both(law_of(protocol, 0, (*range(1, own + 1), 5)), law_of(protocol, 5, (0, *range(1, other + 1))))
        worst = max(worst, worst_ratio([apart, friends]))
    assert at_most(worst, friendship)
    assert worst > max(worst_ratio(pair) for pair in pairwise(laws))  # two lists say more than one


def test_a_friendship_of_two_strengths_costs_both() -> None:
    protocol = PreferredDegrees(epsilon=2, n_people=N, strengths=("node:1/2", "node:2"))
    one, two = np.flatnonzero(protocol.offered[0].in_sets(np.arange(N)))[:2].tolist()  # who send few different reports
    for own, guarantee in enumerate(protocol.guarantees):
        worst: Fraction | float = 0
        for other in (0, 1):
            apart = both(law_of(protocol, one, (), own), law_of(protocol, two, (), other))
            friends = both(law_of(protocol, one, (two,), own), law_of(protocol, two, (one,), other))
            worst = max(worst, worst_ratio([apart, friends]))
        assert guarantee.relationship_epsilon is not None
        assert at_most(worst, guarantee.relationship_epsilon)
        assert not at_most(worst, guarantee.epsilon)
    assert [guarantee.relationship_epsilon for guarantee in protocol.guarantees] == [Fraction(5, 2), 4]


def test_messages_that_do_not_read_an_entry_cost_it_nothing() -> None:
    degree, pairs, size, count = (Fraction(k, 10) for k in (1, 6, 2, 7))
    sent = Messages(
        Kind.EDGE,
        (
            message("degree", degree),
            message("pairs", pairs, ANSWERED_ROLES),
            message("size", size, COUNTED_ROLES),
            message("count", count, COUNTED_ROLES),
        ),
    )
    split = frozenset({(Role.ANSWERED, Role.COUNTED)})
    assert sent.epsilon(split) == degree + max(pairs, size + count)
    assert relationship_epsilon(sent, [sent], split) == 2 * degree + pairs + size + count
    one_end = frozenset({(Role.BOTH, Role.NEITHER)})
    assert sent.epsilon(one_end) == degree + pairs + size + count
    assert relationship_epsilon(sent, [sent], one_end) == 2 * degree + pairs + size + count
    assert relationship_epsilon(sent, [sent], EVERY_ROLE_PAIR) == 2 * sent.epsilon(EVERY_ROLE_PAIR)
    whole = Messages(Kind.NODE, sent.parts)
    assert whole.epsilon(split) == degree + pairs + size + count
    assert relationship_epsilon(whole, [whole], split) == 2 * whole.epsilon(split)
    with pytest.raises(GuaranteeMismatch, match="none of the messages degree"):
        sent["notice"]


def test_a_friendship_is_charged_with_the_worst_other_end_in_either_direction() -> None:
    def of(count: int) -> Messages:
        return Messages(
            Kind.EDGE, (message("pairs", Fraction(1), ANSWERED_ROLES), message("c", Fraction(count), COUNTED_ROLES))
        )

    split = frozenset({(Role.ANSWERED, Role.COUNTED)})
    assert relationship_epsilon(of(1), [of(1), of(5)], split) == 6  # this end answers, the other counts
    assert relationship_epsilon(of(5), [of(1), of(5)], split) == 6  # the other way round


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseFriendship(KaryDegrees):
    """States that a friendship costs no more than one of its two entries."""

    @property
    def guarantee(self):
        return replace(weakest_guarantee(self), relationship_epsilon=self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class TooSharp(KaryDegrees):
    """Draws at three times the epsilon it is given."""

    @property
    def randomizer(self) -> BinNumber:
        return BinNumber(KaryResponse(epsilon=3 * self.epsilon, n_values=self.bins.n_bins))


@pytest.mark.parametrize(
    ("name", "reason"), [("FalseFriendship", "states a guarantee of its own"), ("TooSharp", "messages cost epsilon 3")]
)
def test_a_plugin_with_a_false_claim_is_not_built(name: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stranger", SimpleNamespace(**{name: globals()[name]}))
    row = Row(Job.COLLECT, "grr", "degree-distribution", "node", f":{name}", home="stranger")
    with pytest.raises(GuaranteeMismatch, match=reason):
        row.build(1, n_people=N)
    with pytest.raises(GuaranteeMismatch, match=reason):  # nor can a campaign be made of it, however it was built
        Campaign(row.cls(epsilon=1, n_people=N), "May", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSided(NoisyDegrees):
    """Says that only one end of a friendship reads it; both do."""

    role_pairs = frozenset({(Role.COUNTED, Role.NEITHER)})

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.EDGE, (Message("degree", self.channel.added, COUNTED_ROLES),))


def test_two_lists_changed_at_once_show_a_false_friendship(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stranger", SimpleNamespace(OneSided=OneSided))
    monkeypatch.setattr(OneSided, "__module__", "stranger")
    monkeypatch.setattr("graphveil.testing.local.built", lambda row: row.cls(epsilon=1, n_people=60))
    row = Row(Job.COLLECT, "veil", "degree-distribution", "edge", ":OneSided", home="stranger")
    assert row.cls(epsilon=1, n_people=N).guarantee.relationship_epsilon == 1
    with pytest.raises(GuaranteeMismatch, match="moves the messages degree of one end and degree of"):
        row.build(1, n_people=N)
    with pytest.raises(AssertionError):
        a_friendship_reaches_only_the_reports_that_are_charged_for_it(row)
    honest = Row(Job.COLLECT, "veil", "degree-distribution", "edge", "local.degrees.noisy:NoisyDegrees")
    a_friendship_reaches_only_the_reports_that_are_charged_for_it(honest)


@dataclass(frozen=True, slots=True, kw_only=True)
class HalvesThenMore(EdgeProjected):
    """Believes whatever bound is published, and draws noise of a scale for bounds up to 4."""

    def read_publication(self, round_number: int, data: bytes) -> int:
        return int.from_bytes(data, "big")

    def added(self, bound: int) -> AddedLaplace:
        return AddedLaplace(bound * self.epsilon / (2 * min(bound, 4)), sensitivity=bound, low=0, high=bound)


def test_no_publication_makes_a_report_cost_more_than_was_promised() -> None:
    campaign = Campaign(HalvesThenMore(epsilon=1, n_people=N, max_degree=4), "May", 1)
    for bound in (1, 4, 5, 2**31):
        client = Client(campaign, 0, [1, 2])
        client.answer(1)
        published = [bound.to_bytes(4, "big")]
        if bound <= 4:
            assert client.answer(2, published).round == 2
            continue
        with pytest.raises(GuaranteeMismatch, match="nothing was sent"):
            client.answer(2, published)
        assert len(client.memory.answers) == 1


def test_what_was_sent_is_charged_as_it_was_sent() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Shifting(HalvesThenMore):
        """A publication moves epsilon from the first round, which is over, to the second."""

        def messages(self, context: RoundContext, choice: int = 0) -> Messages:
            second = self.epsilon if context.published else self.epsilon / 2
            width = len(self.candidates)
            answers = BitAnswers(BinaryResponse(epsilon=self.epsilon / (2 * width)), 0 if context.published else width)
            parts = (Message("answers", answers), Message("projected degree", AddedLaplace(second, 4), round=2))
            return Messages(Kind.NODE, parts)

    client = Client(Campaign(Shifting(epsilon=1, n_people=N), "May", 1), 0, [1])
    client.answer(1)
    with pytest.raises(GuaranteeMismatch, match="would cost epsilon 3/2"):
        client.answer(2, [(4).to_bytes(4, "big")])


@pytest.mark.parametrize("row", rows(Job.COLLECT), ids=lambda row: f"{row.query}-{row.name}-{row.unit}")
def test_every_protocol_of_ours_promises_what_its_messages_compose_to(row: Row) -> None:
    for epsilon in (Fraction(1, 3), Fraction(2)):
        protocol = row.build(epsilon, n_people=50)
        check_guarantee(protocol)


def test_noisy_degrees_cost_epsilon_for_an_entry_and_twice_that_for_a_friendship() -> None:
    protocol = NoisyDegrees(epsilon=EPSILON, n_people=12, singles=11)
    law = protocol.channel.likelihood(np.arange(12))  # one degree in each bin
    entry = np.abs(np.log(law[:, 1:] / law[:, :-1])).max()
    assert entry == pytest.approx(float(protocol.guarantee.epsilon))
    assert 2 * entry == pytest.approx(float(protocol.guarantee.relationship_epsilon or 0))
