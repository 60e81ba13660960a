"""A whole campaign with two servers on a graph one holds."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import Noise, SeededNoise, SystemNoise
from graphveil.two_servers.dealer import deal, expand_key, leader_numbers
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.streams import KEY_BYTES
from graphveil.two_servers.sum_statistics import DegreeDistribution, Edges, Estimated
from graphveil.two_servers.sums import SumServer, SumTerms, common_people, draw_noise, open_sum, split_vector
from graphveil.two_servers.triangle_server import Answers, CountingServer, RowShares, cover, open_count, split_row
from graphveil.two_servers.triangle_terms import TriangleTerms
from graphveil.two_servers.triangles import Triangles, answer_pairs

LEADER, HELPER = 0, 1


@dataclass(frozen=True, slots=True)
class Sources:
    """Noise for people and servers: secret, or repeatable under a seed."""

    seed: int | None = None

    def crowd(self, turn: int, people: Integers) -> Noise:
        """Noise for the answers of these people in a turn."""
        return SystemNoise() if self.seed is None else CrowdNoise(self.seed, people, turn=turn)

    def server(self, role: int) -> Noise:
        """For a server; the two never share noise."""
        return SystemNoise() if self.seed is None else SeededNoise(2 * self.seed + role)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came out of one campaign, and what the servers agreed on."""

    estimated: Estimated
    facts: dict[str, Any] = field(default_factory=dict)


def simulate_sum(
    statistic: Edges | DegreeDistribution, graph: Graph, rate: Fraction, sources: Sources, *, split: bool
) -> Simulated:
    """A sum over people. With `split` two servers add up shares; without, the numbers themselves are added up.

    Both give the same under a seed.
    """
    terms = SumTerms("simulation", statistic.name, statistic.length, rate)
    degrees = graph.degrees.astype(np.int64)
    noises = [sources.server(role) for role in (LEADER, HELPER)]
    if split:
        servers = [SumServer(terms, is_leader=role == LEADER) for role in (LEADER, HELPER)]
        for person, vector in enumerate(statistic.vectors(degrees)):
            for server, share in zip(servers, split_vector(terms, person, vector), strict=True):
                server.accept(person, share)
        people = common_people(*servers)
        total = open_sum(*(server.tell(people, noise) for server, noise in zip(servers, noises, strict=True)))
    else:
        exact = np.zeros(statistic.length, dtype=np.int64)
        for block in np.array_split(degrees, max(1, len(degrees) // 4096)):
            exact += statistic.vectors(block).sum(axis=0)
        total = exact + sum(draw_noise(terms, noise) for noise in noises)
    return Simulated(statistic.conclude(total, rate), {"numbers_per_person": statistic.length})


def simulate_triangles(plan: Triangles, graph: Graph, sources: Sources, *, split: bool) -> Simulated:
    """Both rounds of a campaign for triangles; `split` as for sums."""
    everybody = np.arange(graph.n_nodes)
    noisy = None
    if plan.max_degree is None:
        noisy = plan.noisy_degrees(graph.degrees.astype(np.int64), sources.crowd(1, everybody))
    terms = plan.terms(noisy)

    def friends_of(person: int) -> Integers:
        return graph.indices[graph.indptr[person] : graph.indptr[person + 1]].astype(np.int64)

    answers = answer_pairs(terms, friends_of, lambda hub: sources.crowd(2, np.array([hub])))
    noises = [sources.server(role) for role in (LEADER, HELPER)]
    count = _count_shares if split else _count_in_the_clear
    opened = count(terms, Lists.of_graph(graph), answers, noises)
    facts: dict[str, Any] = {"max_degree": terms.max_degree, "hubs": len(terms.hubs)}
    if plan.max_degree is not None:
        facts["interval_assumes"] = "nobody has more friends than max_degree; lists beyond it are cut"
    return Simulated(plan.conclude(terms, opened, answers, noisy), facts)


def _count_shares(terms: TriangleTerms, lists: Lists, answers: Answers, noises: list[Noise]) -> int:
    """Split every list, and let two servers and a dealer count."""
    n, stores = terms.n_people, [RowShares(terms, is_leader=role == LEADER) for role in (LEADER, HELPER)]
    for place, person in enumerate(lists.people.tolist()):
        friends = lists.indices[lists.indptr[place] : lists.indptr[place + 1]].astype(np.int64)
        for store, share in zip(stores, split_row(terms, person, friends), strict=True):
            store.accept(person, share)
    people = sorted(stores[LEADER].held.keys() & stores[HELPER].held.keys())
    keys = [secrets.token_bytes(KEY_BYTES) for _ in (LEADER, HELPER)]
    dealt = leader_numbers(keys[LEADER], n, deal(keys[LEADER], keys[HELPER], n)), expand_key(keys[HELPER], n)
    leader, helper = (
        CountingServer(terms, role == LEADER, stores[role].bits(people), dealt[role]) for role in (LEADER, HELPER)
    )
    both = leader.open_both(helper.open_bits()), helper.open_both(leader.open_bits())
    numbers = leader.open_numbers(both[LEADER], both[HELPER]), helper.open_numbers(both[HELPER], both[LEADER])
    counts = (
        leader.count(numbers[LEADER], numbers[HELPER], answers),
        helper.count(numbers[HELPER], numbers[LEADER], answers),
    )
    return open_count(*(cover(terms, count, noise) for count, noise in zip(counts, noises, strict=True)))


def _count_in_the_clear(terms: TriangleTerms, lists: Lists, answers: Answers, noises: list[Noise]) -> int:
    """The number that shares would give, computed from the lists."""
    return weighted_count(terms, lists, answers) + sum(add_discrete_laplace(noise, 0, terms.rate) for noise in noises)
