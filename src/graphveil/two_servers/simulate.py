"""A whole campaign with two servers on a graph one holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.local.lists import Lists
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import Noise, SeededNoise, SystemNoise
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.sum_statistics import Estimated, Stars, SumStatistic
from graphveil.two_servers.sums import SumTerms, add_shares, draw_noise, open_sum, split_vector
from graphveil.two_servers.transitivity import Transitivity
from graphveil.two_servers.triangle_server import split_row
from graphveil.two_servers.triangle_terms import Answers, TriangleTerms
from graphveil.two_servers.triangles import Triangles, answer_pairs
from graphveil.two_servers.views import run_count

LEADER, HELPER = 0, 1


@dataclass(frozen=True, slots=True)
class Sources:
    """Noise for people and servers: secret, or repeatable under a seed."""

    seed: int | None = None

    def crowd(self, turn: int, people: Integers) -> Noise:
        """Noise for the answers of these people in a turn."""
        return SystemNoise() if self.seed is None else CrowdNoise(self.seed, people, turn=turn)

    def servers(self, use: int = 0) -> tuple[Noise, Noise]:
        """For the leader and the helper; the two never share noise, nor do two uses of one campaign."""
        if self.seed is None:
            return SystemNoise(), SystemNoise()
        first = 2 * (self.seed + (use << 32))
        return SeededNoise(first + LEADER), SeededNoise(first + HELPER)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came out of one campaign, and what the servers agreed on."""

    estimated: Estimated
    facts: dict[str, Any] = field(default_factory=dict)


def simulate_sum(
    statistic: SumStatistic, held: Integers, epsilon: Fraction, sources: Sources, *, split: bool
) -> Simulated:
    """A sum over people, who hold a degree or an answer each."""
    rate = laplace_rate(epsilon, statistic.sensitivity)
    total = _add_up(statistic, held, rate, sources.servers(), split=split)
    return Simulated(statistic.conclude(total, rate), {"numbers_per_person": statistic.length})


def _add_up(
    statistic: SumStatistic, held: Integers, rate: Fraction, noises: tuple[Noise, Noise], *, split: bool
) -> Integers:
    """The noisy sum. With `split` two servers add up shares; without, the numbers themselves are added up.

    Both give the same under a seed.
    """
    terms = SumTerms("simulation", statistic.name, statistic.length, rate)
    if split:
        sent = [split_vector(terms, person, vector) for person, vector in enumerate(statistic.vectors(held))]
        leader, helper = (
            add_shares(terms, enumerate(shares[role] for shares in sent), is_leader=role == LEADER)
            + draw_noise(terms.length, rate, noises[role]).view(np.uint64)
            for role in (LEADER, HELPER)
        )
        return open_sum(leader, helper)
    exact = np.zeros(statistic.length, dtype=np.int64)
    for block in np.array_split(held, max(1, len(held) // 4096)):
        exact += statistic.vectors(block).sum(axis=0)
    return exact + sum(draw_noise(terms.length, rate, noise) for noise in noises)


def simulate_stars(plan: Triangles, leaves: int, graph: Graph, sources: Sources, *, split: bool) -> Simulated:
    """Stars: degrees are cut at the limit that triangles without hubs would have."""
    degrees = graph.degrees.astype(np.int64)
    limit = plan.terms(_noisy_degrees(plan, graph, sources)).max_degree
    done = simulate_sum(Stars(plan.n_people, limit, leaves), degrees, plan.count_epsilon, sources, split=split)
    return Simulated(done.estimated, {"max_degree": limit})


def simulate_transitivity(plan: Transitivity, graph: Graph, sources: Sources, *, split: bool) -> Simulated:
    """Triangles and paths of two edges from one round of noisy degrees."""
    noisy = _noisy_degrees(plan.triangles, graph, sources)
    terms, opened, answers = _count(plan.triangles, graph, sources, noisy, split=split)
    stars = plan.stars(noisy)
    total = _add_up(stars, graph.degrees.astype(np.int64), plan.star_rate(stars), sources.servers(1), split=split)
    facts = {"max_degree": terms.max_degree, "hubs": len(terms.hubs), "max_degree_of_stars": stars.max_degree}
    return Simulated(plan.conclude(terms, opened, answers, noisy, stars, total), facts)


def simulate_triangles(plan: Triangles, graph: Graph, sources: Sources, *, split: bool) -> Simulated:
    """Both rounds of a campaign for triangles; `split` as for sums."""
    noisy = _noisy_degrees(plan, graph, sources)
    terms, opened, answers = _count(plan, graph, sources, noisy, split=split)
    facts: dict[str, Any] = {"max_degree": terms.max_degree, "hubs": len(terms.hubs)}
    if plan.max_degree is not None:
        facts["interval_assumes"] = "nobody has more friends than max_degree; lists beyond it are cut"
    return Simulated(plan.conclude(terms, opened, answers, noisy), facts)


def _noisy_degrees(plan: Triangles, graph: Graph, sources: Sources) -> Integers | None:
    """What people tell in the first round; nothing where max_degree is public."""
    if plan.max_degree is not None:
        return None
    return plan.noisy_degrees(graph.degrees.astype(np.int64), sources.crowd(1, np.arange(graph.n_nodes)))


def _count(
    plan: Triangles, graph: Graph, sources: Sources, noisy: Integers | None, *, split: bool
) -> tuple[TriangleTerms, int, Answers]:
    """The second round of triangles: its terms, the noisy count, and the answers about pairs of hubs."""
    terms = plan.terms(noisy)

    answers: dict[tuple[int, int], int] = {}
    for hub in terms.hubs:
        friends = graph.indices[graph.indptr[hub] : graph.indptr[hub + 1]].astype(np.int64)
        answers |= answer_pairs(terms, hub, friends, sources.crowd(2, np.array([hub])))
    count = _count_shares if split else _count_in_the_clear
    return terms, count(terms, Lists.of_graph(graph), answers, sources.servers()), answers


def _count_shares(terms: TriangleTerms, lists: Lists, answers: Answers, noises: tuple[Noise, Noise]) -> int:
    """Split every list, and let two servers and a dealer count."""
    sent: tuple[dict[int, bytes], dict[int, bytes]] = {}, {}
    for place, person in enumerate(lists.people.tolist()):
        friends = lists.indices[lists.indptr[place] : lists.indptr[place + 1]].astype(np.int64)
        sent[LEADER][person], sent[HELPER][person] = split_row(terms, person, friends)
    opened, *_ = run_count(terms, sent, answers, noises)
    return opened


def _count_in_the_clear(terms: TriangleTerms, lists: Lists, answers: Answers, noises: tuple[Noise, Noise]) -> int:
    """The number that shares would give, computed from the lists."""
    return weighted_count(terms, lists, answers) + sum(int(draw_noise(1, terms.rate, noise)[0]) for noise in noises)
