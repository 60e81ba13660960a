"""What campaigns, clients and readers may rely on for every collection protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.errors import ClaimRefuted, ParameterError, ReportRefused
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.losses import Messages
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import lists_of, seeded, simulate
from graphveil.local.statistics import find_statistic
from graphveil.mechanisms.noise.source import SystemNoise
from graphveil.privacy.guarantee import Status
from graphveil.privacy.unit import Trust
from graphveil.registry import Row, build_protocol
from graphveil.testing.assertions import complete_header, refused

PEOPLE = 60
ODD_NETWORKS: Mapping[str, Callable[[], Graph]] = {
    "two strangers": lambda: Graph.from_edges([], n_nodes=2),
    "two friends": lambda: Graph.from_edges([(0, 1)]),
    "a star": lambda: Graph.from_edges([(0, i) for i in range(1, 30)]),
    "everybody knows everybody": lambda: Graph.from_edges([(i, j) for i in range(20) for j in range(i)]),
}


def network(entry: Row) -> Graph:
    """The people the checks ask."""
    return network_of(entry, power_law_cluster(PEOPLE, 4, 0.5, seed=5).edges(), PEOPLE)


def network_of(entry: Row, edges: Any, n_people: int) -> Graph:
    """These friendships; where lists are directed, the first of each pair follows the second."""
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    if entry.cls.directed:
        return DirectedGraph.from_arcs(pairs, n_nodes=n_people)
    return Graph.from_edges(pairs, n_nodes=n_people)


def built(entry: Row, epsilon: Any = 1, n_people: int = PEOPLE) -> Any:
    """The protocol for so many people."""
    return build_protocol(entry.query, entry.name, unit=entry.unit, epsilon=epsilon, n_people=n_people)


def is_refuted(entry: Row) -> bool:
    """Whether the protocol is kept as published, for study."""
    return bool(built(entry).refuted)


def the_head_of_the_module_is_complete(entry: Row) -> None:
    """All keys are there, and agree with the row."""
    complete_header(entry, unit=entry.unit, trust="local")
    protocol = entry.cls
    names = entry.query.split(",")
    assert (protocol.name, protocol.unit) == (entry.name, entry.unit)
    assert len(names) > 1 or protocol.statistic == entry.query  # one of several is chosen with the parameters
    assert all(find_statistic(name).name == name for name in names)


def parameters_are_public_and_written_down_exactly(entry: Row) -> None:
    """A protocol cannot be changed, and reads back from its own text."""
    protocol = built(entry, "1/3")
    with refused(FrozenInstanceError):
        protocol.epsilon = Fraction(2)
    again = entry.cls(epsilon=str(protocol.epsilon), n_people=PEOPLE, **protocol.parameters())
    assert again == protocol
    for epsilon in (0, -1, "nan", "inf", None):
        with refused(ParameterError):
            built(entry, epsilon)


def the_guarantee_says_what_a_relationship_costs(entry: Row) -> None:
    """Epsilon for the unit, at most twice that for a relationship, which stands in one list; a plug-in's is marked."""
    for epsilon in (Fraction(1, 7), Fraction(1), Fraction(3)):
        guarantee = built(entry, epsilon).guarantee
        assert guarantee.trust is Trust.LOCAL
        assert guarantee.epsilon == epsilon
        assert guarantee.relationship_epsilon is not None
        assert epsilon <= guarantee.relationship_epsilon <= (1 if entry.cls.directed else 2) * epsilon
        assert guarantee.unit.kind == entry.unit
        assert guarantee.status is (Status.UNREVIEWED if entry.package else Status.PROVED)


def a_friendship_reaches_only_the_reports_that_are_charged_for_it(entry: Row) -> None:
    """With both lists changed and the noise kept, a report of round 1 that changes has messages that cost something.

    A directed relationship is in one list: it changes the report of its start alone, and what that costs is stated.
    """
    if is_refuted(entry):
        return
    protocol, graph, people = built(entry), network(entry), np.arange(PEOPLE)
    messages = protocol.messages(RoundContext())
    first = Messages(messages.unit, tuple(messages.in_round(1)))
    sides = {(first.role_epsilon(a) > 0, first.role_epsilon(b) > 0) for a, b in protocol.role_pairs}
    sides |= {(b, a) for a, b in sides} if not protocol.directed else set()

    def sent(edges: Any, seed: int) -> set[tuple[int, bytes]]:
        lists = lists_of(protocol, network_of(entry, edges, PEOPLE))
        batch = protocol.perturb(RoundContext(), lists, seeded(seed)(1, people))
        return set(enumerate(protocol.pack(RoundContext(), people, batch)))

    edges = [(int(a), int(b)) for a, b in graph.edges()]
    for u, v in edges[:: len(edges) // 4]:
        apart = [edge for edge in edges if edge != (u, v)]
        changed = {person for seed in range(4) for person, _ in sent(edges, seed) ^ sent(apart, seed)}
        assert changed <= {u, v}
        assert not protocol.directed or changed <= {u}
        reached = (u in changed, v in changed)
        assert any(all(paid or not told for paid, told in zip(side, reached, strict=True)) for side in sides)


def a_refuted_protocol_runs_in_simulations_only(entry: Row) -> None:
    """Nobody can be asked by it."""
    protocol = built(entry)
    if not is_refuted(entry):
        assert Campaign(protocol, "now", 1).guarantee == protocol.guarantee
        return
    with refused(ClaimRefuted):
        Campaign(protocol, "now", 1)
    with refused(ClaimRefuted):
        protocol.pack(RoundContext(), np.array([0]), None)
    with refused(ClaimRefuted):
        protocol.unpack(RoundContext(), np.array([0]), [b""])


def the_production_path_runs_in_short_messages(entry: Row) -> None:
    """A client answers with secret noise, in no more bits than stated."""
    if is_refuted(entry):
        assert simulate(built(entry), network(entry)).guarantee.status is Status.CLAIM_REFUTED
        return
    campaign = Campaign(built(entry), "now", 1)
    report = Client(campaign, 7, network(entry).neighbors(7)).answer(1)
    assert campaign.protocol.cost().upload_bits_per_user > 0
    assert len(report.payload) <= campaign.protocol.cost().upload_bits_per_user / 8 + 3


def messages_are_read_back_and_changed_ones_never_crash(entry: Row) -> None:
    """Whatever arrives is read as it was sent, or refused."""
    if is_refuted(entry):
        return
    protocol, lists, people = built(entry), lists_of(built(entry), network(entry)), np.arange(PEOPLE)
    payloads = protocol.pack(RoundContext(), people, protocol.perturb(RoundContext(), lists, SystemNoise()))
    assert protocol.pack(RoundContext(), people, protocol.unpack(RoundContext(), people, payloads)) == payloads
    rng = np.random.default_rng(4)
    for payload in (b"", b"\xff" * 3, rng.bytes(5), payloads[0] + b"\x00", payloads[0][:-1]):
        with suppress(ReportRefused):  # any other error is one too many
            protocol.unpack(RoundContext(), people[:1], [payload])


def odd_networks_work_or_are_refused_by_their_size_alone(entry: Row) -> None:
    """The number of people is public; nothing else may stop a campaign."""
    for name, make in ODD_NETWORKS.items():
        graph = make()
        try:
            protocol = built(entry, n_people=graph.n_nodes)
        except ParameterError:
            assert graph.n_nodes == 2, name
            continue
        asked = network_of(entry, graph.edges(), graph.n_nodes)
        assert np.isfinite(np.asarray(simulate(protocol, asked, seed=1).value)).all(), name


CHECKS: tuple[Callable[[Row], None], ...] = (
    the_head_of_the_module_is_complete,
    parameters_are_public_and_written_down_exactly,
    the_guarantee_says_what_a_relationship_costs,
    a_friendship_reaches_only_the_reports_that_are_charged_for_it,
    a_refuted_protocol_runs_in_simulations_only,
    the_production_path_runs_in_short_messages,
    messages_are_read_back_and_changed_ones_never_crash,
    odd_networks_work_or_are_refused_by_their_size_alone,
)
