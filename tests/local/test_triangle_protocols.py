"""Triangle protocols beyond their privacy: what they count, what they expect, what they cost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from deployments import make_campaign
from scipy.stats import norm

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.client import Client
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import EVERY_PAIR, Looks, one_pair_in
from graphveil.local.pairs.noisy_graph import LazyGraph, PairBits, join_replies
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.replies import reply, unpack_replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Received, RoundContext
from graphveil.local.randomizers import ScaledLaplace, ScaledStaircase
from graphveil.local.simulate import seeded, simulate, transcript_of
from graphveil.local.triangles import protocol as triangle_protocol
from graphveil.local.triangles import total
from graphveil.local.triangles.counts import capped_pairs
from graphveil.local.triangles.order import degree_classes
from graphveil.registry import build_protocol, find_protocol

ALPHA = 1e-6
NETWORK = power_law_cluster(60, 5, 0.6, seed=9)
EVERYBODY = np.arange(60)
RULES = {
    "by number": PairOwners(60, Fraction(1)),
    "by rank": PairOwners(60, Fraction(1), ranks=np.random.default_rng(2).permutation(60)),
    "some pairs": PairOwners(60, Fraction(2, 5), salt=3),
}
EDGE_PROTOCOLS = (
    *("veil", "veil-two-rounds", "veil-low-download", "one-end"),
    *("vc", "local2rounds", "arr-full", "arr-one-ns", "arr-two-ns"),
)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("cap", [1, 3, 6, 50])
@pytest.mark.parametrize("several", [1, 3])
def test_answers_on_demand_and_written_out_give_the_same_counts(rule: str, cap: int, several: int) -> None:
    owners, response, lists = RULES[rule], PairResponse(Fraction(1)), Lists.of_graph(NETWORK)
    lazy = reply(lists, owners, response, seeded(4)(1, EVERYBODY))
    written = unpack_replies(lazy.pack(), EVERYBODY, owners)
    on_demand, in_bits = (join_replies(Received(EVERYBODY, batch), owners, response) for batch in (lazy, written))
    assert isinstance(on_demand, LazyGraph)
    assert isinstance(in_bits, PairBits)
    caps, looks = np.full(60, cap), one_pair_in(lists, several, np.uint64(77))
    assert np.array_equal(on_demand.count(lists, caps, looks), in_bits.count(lists, caps, looks))
    owned = owners.only_owned(lists)
    assert np.array_equal(on_demand.reported(owned), in_bits.reported(owned))


def test_each_list_looks_at_pairs_of_its_own_chosen_independently_two_by_two() -> None:
    size, several = 60, 4
    lists = Lists(
        size, EVERYBODY, np.arange(size + 1) * size, np.tile(np.arange(size), size), np.zeros(size, dtype=np.int64)
    )
    first, second = (numbers.reshape(size, size) for numbers in one_pair_in(lists, several, np.uint64(5)))
    looked = first[:, :, np.newaxis] == second[:, np.newaxis, :]
    low, high = np.triu_indices(size, 1)
    chosen = looked[:, low, high]
    assert abs(chosen.mean() - 1 / several) < 4 * np.sqrt(0.25 * 0.75 / chosen.size)
    both = chosen[:, :-1] & chosen[:, 1:]  # neighbours in this order mostly share their lower end
    assert abs(both.mean() - 1 / several**2) < 0.005
    assert abs((chosen[:-1] & chosen[1:]).mean() - 1 / several**2) < 0.005


@pytest.mark.parametrize("name", EDGE_PROTOCOLS)
def test_estimates_are_right_on_average(name: str, monkeypatch) -> None:
    """And would not be, were the correction for strangers' pairs 30 % off; without the last noise, to see more."""
    for law in (ScaledStaircase, ScaledLaplace):
        monkeypatch.setattr(law, "draw", lambda self, people, exact, noise: exact.values)
    assert _bias(name) < 1
    monkeypatch.setattr(total, "estimate_from_answers", lambda *_: None)  # counts alone
    if name != "arr-one-ns":  # which corrects by counting
        monkeypatch.setattr(
            triangle_protocol, "capped_pairs", lambda sizes, bounds: capped_pairs(sizes, bounds) * 7 // 10
        )
        assert _bias(name) > 1


def _bias(name: str) -> float:
    """Mean error over 150 runs, over what may come about by chance."""
    fewer = {"pairs_one_in": 3} if name == "veil-low-download" else {}
    protocol = build_protocol("triangles", name, unit="edge", epsilon=2, n_people=60, parameters=fewer)
    error = [simulate(protocol, NETWORK, seed=seed).value - exact_triangles(NETWORK) for seed in range(150)]
    return abs(np.mean(error)) / (-norm.ppf(ALPHA / 2) * np.std(error, ddof=1) / np.sqrt(len(error)))


@pytest.mark.parametrize("name", ["veil", "veil-two-rounds", "vc"])
def test_the_stated_noise_is_the_noise_of_the_last_round(name: str) -> None:
    """Everything but the last round stays the same; the spread of the sum is then the stated deviation."""
    protocol = build_protocol("triangles", name, unit="edge", epsilon=1, n_people=60)
    lists = Lists.of_graph(NETWORK)
    transcript = transcript_of(protocol, lists, seeded(1))
    context = RoundContext(
        protocol.rounds, transcript.published, tuple(received.batch for received in transcript.received[:-1])
    )
    sums = np.array(
        [protocol.perturb(context, lists, seeded(seed)(9, EVERYBODY))["count"].sum() for seed in range(400)]
    ) / protocol.gain(context)
    stated = protocol.estimate(transcript).facts["noise_std"]
    assert 0.85 < sums.std() / stated < 1.15  # 30 % more or less would be seen


def test_a_network_without_noise_is_counted_exactly() -> None:
    for name in EDGE_PROTOCOLS:
        if not name.startswith("arr") and name != "veil-low-download":  # those look at a part of the triangles
            protocol = build_protocol("triangles", name, unit="edge", epsilon=3000, n_people=60)
            value = simulate(protocol, NETWORK, seed=1).value
            assert value == pytest.approx(exact_triangles(NETWORK), rel=0.02)


def test_people_who_drop_out_take_their_triangles_along_and_nothing_else() -> None:
    campaign = make_campaign(find_protocol("triangles", "veil", "edge"), NETWORK, epsilon=500, minimum_reports=10)
    gone = {3, 17, 40}
    collector, state = Collector(campaign), CollectorState()
    clients = [Client(campaign, user, NETWORK.neighbors(user), source=seeded(2)) for user in range(60)]
    for number in (1, 2, 3):
        answering = [client for client in clients if number == 1 or client.user not in gone]
        reports = [client.answer(number, state.publications).encode() for client in answering]
        state, verdicts = collector.take(state, reports)
        assert set(verdicts) == {None}
        state = collector.close_round(state)
    stayed = sorted(set(range(60)) - gone)
    number_of = {user: number for number, user in enumerate(stayed)}
    kept = Graph.from_edges(
        [
            (number_of[u], number_of[v])
            for u in stayed
            for v in NETWORK.neighbors(u).tolist()
            if u < v and v not in gone
        ],
        n_nodes=len(stayed),
    )
    value = collector.outcome(state).value
    assert exact_triangles(kept) * 0.97 <= value <= exact_triangles(NETWORK) * 1.03


def test_order_and_costs_are_public() -> None:
    assert degree_classes(np.array([-5, 0, 1, 10, 11, 20])).tolist() == [0, 0, 1, 14, 14, 18]
    protocol = build_protocol("triangles", "veil-low-download", unit="edge", epsilon=1, n_people=4039)
    full = build_protocol("triangles", "veil-two-rounds", unit="edge", epsilon=1, n_people=4039)
    assert protocol.cost().download_bits_per_user < 80_000 < full.cost().download_bits_per_user / 30
    for bad in ({"pairs_one_in": 0}, {"pairs_one_in": 10**7}):
        with pytest.raises(ParameterError, match="pairs_one_in"):
            build_protocol("triangles", "veil-low-download", unit="edge", epsilon=1, n_people=9, parameters=bad)
    with pytest.raises(ParameterError, match="degree_share"):
        build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=9, parameters={"degree_share": "1/2"})


def test_thinned_reports_stay_within_epsilon() -> None:
    for epsilon in (Fraction(1, 5), Fraction(1), Fraction(4)):
        for kept in (Fraction(1), Fraction(1, 3), Fraction(1, 100)):
            response = PairResponse(epsilon, kept)
            friend, stranger = response.friend_probability, response.flip_probability
            assert friend > stranger
            assert float(friend / stranger) <= np.exp(float(epsilon))
            assert float((1 - stranger) / (1 - friend)) <= np.exp(float(epsilon))


def test_every_pair_is_a_way_of_looking() -> None:
    lists = Lists.of_graph(NETWORK)
    assert one_pair_in(lists, 1, np.uint64(0)) is EVERY_PAIR
    none = Looks(np.zeros(len(lists.indices), np.int32), np.ones(len(lists.indices), np.int32))
    graph = PairBits(60, np.full((60, 8), 255, dtype=np.uint8))
    assert not graph.count(lists, np.full(60, 99), none).any()
