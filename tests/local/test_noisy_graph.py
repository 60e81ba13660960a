"""What a client fetches of the noisy graph: enough, no more, and nothing about its own list."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.registry import find_protocol

NETWORK = power_law_cluster(40, 4, 0.6, seed=5)
PROTOCOLS = ["veil", "veil-two-rounds", "veil-low-download", "one-end"]


def friends_of(user: int) -> np.ndarray:
    return NETWORK.indices[NETWORK.indptr[user] : NETWORK.indptr[user + 1]]


def before_the_last_round(name: str) -> tuple[Campaign, list[Client], CollectorState]:
    unit = find_protocol("triangles", name, "edge").unit
    campaign = Campaign.create("triangles", name, unit=unit, epsilon=2, n_people=40, title="May")
    clients = [Client(campaign, user, friends_of(user), source=seeded(3)) for user in range(40)]
    collector, state = Collector(campaign), CollectorState()
    for number in range(1, campaign.rounds):
        answers = [client.answer(number, state.publications) for client in clients]
        state, _ = collector.take(state, answers)
        state = collector.close_round(state)
    return campaign, clients, state


def parts_of(campaign: Campaign, state: CollectorState) -> list[bytes]:
    protocol = campaign.protocol
    published = tuple(protocol.read_publication(i + 1, data) for i, data in enumerate(state.publications))
    return [protocol.write_part(RoundContext(protocol.rounds, published), user) for user in range(40)]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_part_gives_the_answer_that_the_whole_gives(name: str) -> None:
    campaign, clients, state = before_the_last_round(name)
    parts = parts_of(campaign, state)
    whole = state.publications[-1]
    assert sum(map(len, parts)) < 0.5 * len(parts) * len(whole)
    for user, client in enumerate(clients):
        twin = Client(campaign, user, friends_of(user), source=seeded(3), memory=client.memory)
        in_part = twin.answer(campaign.rounds, (*state.publications[:-1], parts[user]), in_part=True)
        assert in_part == client.answer(campaign.rounds, state.publications)


def test_a_part_of_another_person_is_not_taken() -> None:
    campaign, clients, state = before_the_last_round("veil-two-rounds")
    parts = parts_of(campaign, state)
    longest = max(range(40), key=lambda user: len(parts[user]))
    shortest = min(range(40), key=lambda user: len(parts[user]))
    with pytest.raises(ParameterError, match="this part of the graph"):
        clients[shortest].answer(2, (parts[longest],), in_part=True)


def test_protocols_without_parts_say_so() -> None:
    campaign = Campaign.create("degree-distribution", "veil", unit="node", epsilon=1, n_people=40, title="May")
    assert not campaign.protocol.in_parts
    with pytest.raises(ParameterError, match="in parts"):
        campaign.protocol.write_part(RoundContext(), 0)
