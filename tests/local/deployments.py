"""Campaigns and people that several tests use."""

from __future__ import annotations

from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.simulate import Source, lists_of, secret
from graphveil.privacy.guarantee import Verdict
from graphveil.registry import PROTOCOLS, Row

NETWORK: Graph = oriented(power_law_cluster(80, 3, 0.5, seed=3))  # protocols without directions see its edges


def deployable() -> list[Row]:
    """Every protocol that a real campaign may use."""

    def sound(entry: Row) -> bool:
        claim = entry.cls(epsilon=1, n_people=80).claim
        return claim is None or claim.verdict is Verdict.HOLDS

    return [entry for entry in PROTOCOLS if sound(entry)]


def make_campaign(entry: Row, graph: Graph = NETWORK, epsilon: object = 1, **changes) -> Campaign:
    asked = {"unit": entry.unit, "epsilon": epsilon, "n_people": graph.n_nodes, "title": "test", **changes}
    return Campaign.create(entry.query, entry.name, **asked)


def run_by_messages(
    campaign: Campaign, graph: Graph, source: Source = secret, choices=None, order=None
) -> tuple[Collector, CollectorState]:
    """Every client on its own, every report as bytes, the collector fed in any order."""
    collector, state = Collector(campaign), CollectorState()
    people, lists = range(graph.n_nodes), lists_of(campaign.protocol, graph)
    clients = [
        Client(
            campaign,
            user,
            lists.indices[lists.indptr[user] : lists.indptr[user + 1]],
            source=source,
            choice=0 if choices is None else int(choices[user]),
        )
        for user in people
    ]
    for number in range(1, campaign.rounds + 1):
        sent = [clients[user].answer(number, state.publications).encode() for user in order or people]
        state, verdicts = collector.take(state, sent)
        assert set(verdicts) == {None}
        state = collector.close_round(state)
    return collector, state
