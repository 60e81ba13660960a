"""What a protocol of another package has to show before its first campaign: that its messages cost what they say.

The guarantee is computed from the messages (`local.losses`). What is left to check is that they read no more than they
say. Two people u and v answer with and without their friendship in both lists, with the same noise. A round in which
the payload of an end differs depends on the friendship, so it costs at least its cheapest message. If what both ends
pay in this way is more than the relationship epsilon that the protocol states, the statement is false.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, RoundContext, check_guarantee
from graphveil.local.simulate import seeded, transcript_of

PEOPLE = 40  # of the small campaign that is tried
PAIRS = 12  # of people who answer with and without their friendship
EPSILON = Fraction(1, 2)  # at which noise shows
SEEDS = 12  # a message that depends on an entry may look the same under a few

_checked: set[type[Any]] = set()


def check_protocol(protocol: LocalProtocol) -> None:
    """Refuse a protocol of another package that states another guarantee than it gives; a class is checked once."""
    check_guarantee(protocol)
    if type(protocol) not in _checked:
        check_rounds(_small(protocol, epsilon=EPSILON))
        check_relationships(_small(protocol))
        _checked.add(type(protocol))


def _small(protocol: LocalProtocol, **other: Fraction) -> LocalProtocol:
    """The protocol for few people, with another epsilon if one is given, unless its other parameters refuse that."""
    try:
        return replace(protocol, n_people=min(protocol.n_people, PEOPLE), **other)
    except ParameterError:
        return _small(protocol) if other else protocol


def check_rounds(protocol: LocalProtocol) -> None:
    """Refuse a round whose payload depends on the list and has no message that pays for it, or no noise."""
    network = Lists.of_graph(power_law_cluster(protocol.n_people, 3, 0.5, seed=2))
    published = transcript_of(protocol, network, seeded(1)).published
    few, many = [1, 2], list(range(1, protocol.n_people // 2))
    for number in range(1, protocol.rounds + 1):
        sent = {
            tuple(friends): [_payload(protocol, published, number, 0, friends, seed) for seed in range(SEEDS)]
            for friends in (few, many)
        }
        if sent[tuple(few)] == sent[tuple(many)]:
            continue
        name = f"round {number} of {type(protocol).__name__}"
        if not list(protocol.messages(RoundContext(number, published[: number - 1])).in_round(number)):
            raise GuaranteeMismatch(f"{name} depends on the list, and no message says what that costs")
        if any(len(set(payloads)) == 1 for payloads in sent.values()):
            raise GuaranteeMismatch(f"{name} sends the same payload under any noise: it draws none")


def check_relationships(protocol: LocalProtocol) -> None:
    """Raise `GuaranteeMismatch` if a friendship among few people costs more than the guarantee says."""
    guarantee = protocol.guarantee
    stated = guarantee.relationship_epsilon
    assert stated is not None
    if stated >= 2 * guarantee.epsilon:  # two lists never cost more
        return
    network = Lists.of_graph(power_law_cluster(protocol.n_people, 3, 0.5, seed=2))
    published = transcript_of(protocol, network, seeded(1)).published
    pairs = list(combinations(range(protocol.n_people), 2))
    for u, v in pairs[:: -(-len(pairs) // PAIRS)]:
        drawn = _least_cost(protocol, published, u, v) + _least_cost(protocol, published, v, u)
        if drawn > stated:
            raise GuaranteeMismatch(
                f"{type(protocol).__name__} states epsilon {stated} for a relationship, but the messages of its two "
                f"ends depend on it at a cost of at least {drawn}; correct `reads` of its messages or `role_pairs`"
            )


def _least_cost(protocol: LocalProtocol, published: tuple[Any, ...], person: int, friend: int) -> Fraction:
    """The cheapest messages of the rounds in which what a person sends depends on one entry of the list."""
    others = [other for other in range(0, protocol.n_people, 3) if other not in (person, friend)]
    cost = Fraction(0)
    for number in range(1, protocol.rounds + 1):
        context = RoundContext(number, published[: number - 1])
        epsilons = [part.epsilon for part in protocol.messages(context).in_round(number)]
        if epsilons and any(
            _payload(protocol, published, number, person, others, seed)
            != _payload(protocol, published, number, person, [*others, friend], seed, sent_without=others)
            for seed in range(SEEDS)
        ):
            cost += min(epsilons)
    return cost


def _payload(
    protocol: LocalProtocol,
    published: tuple[Any, ...],
    number: int,
    person: int,
    friends: list[int],
    seed: int,
    sent_without: list[int] | None = None,
) -> bytes:
    """What a person sends in a round; in the rounds before it the list may have been another one."""
    people, source = np.array([person]), seeded(seed)
    sent: list[Any] = []
    for earlier in range(1, number + 1):
        listed = friends if earlier == number or sent_without is None else sent_without
        lists = Lists.of_person(protocol.n_people, person, listed)
        context = RoundContext(earlier, published[: earlier - 1], tuple(sent))
        sent.append(protocol.perturb(context, lists, source(earlier, people)))
    (payload,) = protocol.pack(context, people, sent[-1])
    return payload
