"""Campaigns about whom people follow: a relationship stands in one list, so it costs what an entry costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import ClassVar

import numpy as np
import pytest
from enumeration import exact_law, worst_ratio

from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.degrees.out_lists import NoisyOutDegrees, VeilOutDegrees
from graphveil.local.experiment import run_experiment
from graphveil.local.losses import IN_ONE_LIST, Message, Messages, Role, relationship_epsilon
from graphveil.local.protocol import LocalProtocol, RoundContext, check_guarantee
from graphveil.local.protocol_check import check_messages
from graphveil.local.randomizers import AddedLaplace
from graphveil.local.simulate import lists_of, simulate
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.odds import local_meaning
from graphveil.privacy.rounding import exp_bounds
from graphveil.privacy.unit import Kind

N = 3
ONE = Fraction(1)
PROTOCOLS = {
    "sets": VeilOutDegrees(epsilon=ONE, n_people=N, set_share=1, singles=2, ratio=2),
    "waves": VeilOutDegrees(epsilon=ONE, n_people=N, set_share=0, singles=2, ratio=2, places=6),
    "noise": NoisyOutDegrees(epsilon=ONE, n_people=N),
}
PAIRS = [(u, v) for u, v in product(range(N), repeat=2) if u != v]


def everybody(name: str, arcs: frozenset[tuple[int, int]], *, folded: bool = False) -> dict:
    """The joint law of all reports about these arcs; or, as it must not be, about the friendships they make."""
    degrees = degrees_of(PROTOCOLS[name], arcs, folded)
    law = {(): ONE}
    for person, degree in enumerate(degrees.tolist()):
        reports = report_law(name, person, degree)
        law = {(*sent, report): p * q for sent, p in law.items() for report, q in reports.items()}
    return law


def degrees_of(protocol: LocalProtocol, arcs: frozenset[tuple[int, int]], folded: bool) -> np.ndarray:
    graph = DirectedGraph.from_arcs(sorted(arcs) or np.empty((0, 2), dtype=int), n_nodes=N)
    return graph.degrees if folded else lists_of(protocol, graph).degrees


@cache
def report_law(name: str, person: int, degree: int) -> dict:
    protocol = PROTOCOLS[name]
    arcs = [(person, other) for other in range(N) if other != person][:degree]
    graph = DirectedGraph.from_arcs(arcs or np.empty((0, 2), dtype=int), n_nodes=N)
    own = lists_of(protocol, graph).among(np.arange(N) == person)

    def sent() -> bytes:
        batch = protocol.perturb(RoundContext(), own, SeededNoise(0))
        return protocol.pack(RoundContext(), own.people, batch)[0]

    return exact_law(sent)


@pytest.mark.parametrize("name", ["sets", "waves"])
def test_all_reports_together_lose_epsilon_for_one_relationship_and_the_fold_would_lose_more(name: str) -> None:
    """The exact law of what everybody sends, on all 64 graphs of three people, with and without an arc."""
    assert PROTOCOLS[name].guarantee.relationship_epsilon == PROTOCOLS[name].guarantee.epsilon == 1
    most, _ = exp_bounds(ONE, bits=80)
    assert most / 2 < worst_of_an_arc(name, folded=False) <= most
    assert worst_of_an_arc(name, folded=True) > most


def worst_of_an_arc(name: str, *, folded: bool) -> Fraction | float:
    return max(
        worst_ratio([everybody(name, known, folded=folded), everybody(name, known | {PAIRS[0]}, folded=folded)])
        for known in subsets(PAIRS[1:])
    )


def subsets(pairs: list[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
    return [frozenset(some) for size in range(len(pairs) + 1) for some in combinations(pairs, size)]


def test_one_arc_moves_the_exact_values_of_everybody_by_one_in_all_and_a_friendship_by_two() -> None:
    """On all graphs of three people; so noise for a change by 1 costs epsilon for a relationship."""
    protocol = PROTOCOLS["noise"]
    moved = {False: 0, True: 0}
    for known in subsets(PAIRS[1:]):
        for folded in moved:
            without, with_it = (degrees_of(protocol, arcs, folded) for arcs in (known, known | {PAIRS[0]}))
            moved[folded] = max(moved[folded], int(np.abs(with_it - without).sum()))
    assert moved == {False: 1, True: 2}
    assert protocol.messages(RoundContext())["degree"].randomizer.sensitivity == 1


def test_the_loss_of_a_relationship_is_computed_from_the_messages() -> None:
    messages = Messages(
        Kind.EDGE,
        (
            Message("number", AddedLaplace(Fraction(1, 3))),
            Message("more", AddedLaplace(Fraction(1, 2)), frozenset({Role.ANSWERED})),
        ),
    )
    assert relationship_epsilon(messages, [messages], IN_ONE_LIST) == messages.epsilon(IN_ONE_LIST) == Fraction(5, 6)
    whole = Messages(Kind.NODE, messages.parts)
    assert whole.role_epsilon(Role.ABSENT) == 0
    assert relationship_epsilon(whole, [whole], IN_ONE_LIST) == Fraction(5, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendsInOneList(NoisyDegrees):
    """A protocol among friends that charges a friendship once, although both report about it."""

    role_pairs: ClassVar = IN_ONE_LIST


def test_a_protocol_among_friends_cannot_pass_a_friendship_off_as_an_entry_of_one_list() -> None:
    with pytest.raises(GuaranteeMismatch, match="only directed lists are so"):
        check_guarantee(FriendsInOneList(epsilon=1, n_people=6))


@pytest.mark.parametrize("kind", [VeilOutDegrees, NoisyOutDegrees])
def test_the_check_of_plug_ins_tries_them_too(kind) -> None:
    check_messages(kind(epsilon=1, n_people=6))


def test_people_are_told_of_one_list_and_of_whom_they_follow() -> None:
    guarantee = PROTOCOLS["sets"].guarantee
    assert "which stands in one list alone" in str(guarantee)
    assert "(1 + f) epsilon" in " ".join(guarantee.assumes)
    assert not any("both ends" in line for line in local_meaning(guarantee))
    assert any("both ends" in line for line in local_meaning(NoisyDegrees(epsilon=1, n_people=9).guarantee))


@pytest.mark.parametrize("unit", ["node", "edge"])
def test_a_campaign_counts_whom_people_follow_and_not_who_follows_them(unit: str) -> None:
    """A star that follows 40 people: one follows many, the others nobody."""
    star = DirectedGraph.from_arcs([(0, other) for other in range(1, 41)])
    told = run_experiment(
        star, statistic="out-degree-distribution", protocol="veil", unit=unit, epsilon=9, runs=2, seed=3
    )
    assert told["guarantee"]["relationship_epsilon"] == 9
    shares = simulate(PROTOCOLS["noise"].__class__(epsilon=30, n_people=41), star, seed=1).value
    assert shares[0] > 0.9
    with pytest.raises(ParameterError, match="needs directions"):
        simulate(PROTOCOLS["noise"], Graph.from_edges([(0, 1)], n_nodes=N))


def test_a_client_answers_and_keeps_the_promise() -> None:
    asked = {"unit": "node", "epsilon": 1, "n_people": 9, "title": "May"}
    campaign = Campaign.create("out-degree-distribution", "veil", **asked)
    client = Client(campaign, 3, [1, 2])
    assert client.guarantee.relationship_epsilon == 1
    assert client.answer(1) == client.answer(1)
    assert Campaign.from_json(campaign.to_json()).guarantee == campaign.guarantee
