"""Everybody picks their own strength; the estimate uses each report as what it is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from graphveil.errors import GuaranteeMismatch, ParameterError, ReportRefused
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.clustering import exact_transitivity
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.clustering import sequence
from graphveil.local.clustering.sequence import count_reports
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.degrees.preference import IN_THE_CLEAR, PreferredDegrees
from graphveil.local.degrees.veil import VeilDegrees
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.protocol_check import check_messages
from graphveil.local.randomizers import ScaledStaircase
from graphveil.local.simulate import seeded, simulate, transcript_of
from graphveil.local.statistics import distribution_metrics, exact_degree_distribution
from graphveil.local.triangles import protocol as triangle_protocol
from graphveil.local.triangles.counts import capped_pairs
from graphveil.local.triangles.design import Design
from graphveil.registry import build_protocol

ALPHA = 1e-6
N = 3000
NETWORK = power_law_cluster(N, 4, 0.5, seed=4)
TRUTH = exact_degree_distribution(NETWORK)
HALVES = np.arange(N) % 2


def distance(protocol, choices=None) -> float:
    values = [simulate(protocol, NETWORK, seed=seed, choices=choices).value for seed in range(3)]
    return float(np.mean([distribution_metrics(value, TRUTH)["wasserstein"] for value in values]))


def test_the_result_states_the_mix_and_what_each_group_was_promised() -> None:
    protocol = PreferredDegrees(epsilon=4, n_people=N, strengths=("node:1/2", "node:4", "edge:1"))
    choices = np.repeat([0, 1, 2], [1000, 1500, 500])
    document = simulate(protocol, NETWORK, seed=1, choices=choices).to_json()
    assert document["facts"]["mix"] == {"node:1/2": 1000, "node:4": 1500, "edge:1": 500}
    stated = [(s["unit"], s["epsilon"], s["relationship_epsilon"]) for s in document["strengths"]]
    assert stated == [("node", 0.5, 4.5), ("node", 4.0, 8.0), ("edge", 1.0, 5.0)]
    assert (document["guarantee"]["unit"], document["guarantee"]["epsilon"]) == ("edge", 4.0)
    assert any("in the clear" in fact for fact in document["guarantee"]["assumes"])


def test_one_strength_for_all_is_the_plain_protocol() -> None:
    mixed = PreferredDegrees(epsilon=1, n_people=N, strengths=("node:1",))
    plain = VeilDegrees(epsilon=1, n_people=N)
    assert np.array_equal(simulate(mixed, NETWORK, seed=3).value, simulate(plain, NETWORK, seed=3).value)


def test_sharper_reports_count_for_more_and_weak_ones_do_no_harm() -> None:
    mixed = PreferredDegrees(epsilon=4, n_people=N, strengths=("node:1/10", "node:4"))
    ours = distance(mixed, HALVES)
    assert ours < 2 * distance(VeilDegrees(epsilon=4, n_people=N))
    assert ours < distance(VeilDegrees(epsilon="1/10", n_people=N)) / 3


def test_strengths_are_checked() -> None:
    for strengths in (
        ["node:1", "node:1"],
        ["node:1", "node:1.0"],
        ["people:1"],
        ["node:0", "node:1"],
        ["node:1/2"],
        ["node:2"],
        ["node"] * 17,
    ):
        with pytest.raises(ParameterError):
            PreferredDegrees(epsilon=1, n_people=N, strengths=strengths)
    assert PreferredDegrees(epsilon=1, n_people=N).strengths == ("node:1/2", "node:1", "edge:1")


@pytest.mark.parametrize("strengths", [("1/2", "0.5", "1"), ("1", "1"), ("0", "1"), ("nan", "1"), ("edge:1",), ("2",)])
def test_epsilons_on_offer_are_checked(strengths) -> None:
    for statistic in ("triangles", "triangle-sequence", "clustering"):
        with pytest.raises(ParameterError) as refusal:
            build_protocol(
                statistic, "preference", unit="edge", epsilon=1, n_people=9, parameters={"strengths": strengths}
            )
        assert len(str(refusal.value).splitlines()) == 1


def off_by_chance(errors: list[float]) -> float:
    """A mean error over the most that chance brings about."""
    return abs(np.mean(errors)) / (-norm.ppf(ALPHA / 2) * np.std(errors, ddof=1) / np.sqrt(len(errors)))


def errors_of_totals(statistic: str, runs: int = 80) -> list[float]:
    """Of everybody's counts together, where half pick the one strength and half the other."""
    network = power_law_cluster(80, 8, 0.6, seed=4)
    truth, lists = exact_triangles_per_node(network).sum(), Lists.of_graph(network, np.arange(80) % 2)
    errors = []
    for seed in range(runs):
        salt = {"salt": seed} if statistic == "triangle-sequence" else {}  # over the public choice of pairs too
        protocol = build_protocol(statistic, "preference", unit="edge", epsilon=4, n_people=80, parameters=salt)
        transcript = transcript_of(protocol, lists, seeded(seed))
        if statistic == "triangles":
            total = 3 * protocol.estimate(transcript).value
        else:
            groups = count_reports(protocol, transcript)
            total = sum(group.counts.sum() for group in groups)
            assert [len(group.people) for group in groups] == [40, 40]
            assert groups[1].variances.mean() < groups[0].variances.mean()
        errors.append(float(total - truth))
    return errors


@pytest.mark.parametrize("statistic", ["triangles", "triangle-sequence"])
def test_counts_of_mixed_strengths_are_right_on_average(statistic: str, monkeypatch) -> None:
    """And would not be, were the correction for strangers' pairs 30 % off; without the last noise, to see more."""
    monkeypatch.setattr(ScaledStaircase, "draw", lambda self, people, exact, noise: exact.values)
    assert off_by_chance(errors_of_totals(statistic)) < 1
    monkeypatch.setattr(triangle_protocol, "capped_pairs", lambda sizes, bounds: capped_pairs(sizes, bounds) * 7 // 10)
    if statistic == "triangles":  # of the others a fifth of the pairs is asked about: too little to be seen here
        assert off_by_chance(errors_of_totals(statistic)) > 1


def test_clustering_of_mixed_strengths_is_right_on_average() -> None:
    network = power_law_cluster(300, 10, 0.8, seed=4)
    errors = []
    for seed in range(20):
        protocol = build_protocol(
            "clustering", "preference", unit="edge", epsilon=8, n_people=300, parameters={"salt": seed}
        )
        facts = simulate(protocol, network, seed=seed, choices=np.arange(300) % 2).estimate.facts
        assert facts["mix"] == {"4": 150, "8": 150}
        errors.append(facts["transitivity"] - exact_transitivity(network))
    assert off_by_chance(errors) < 1
    assert np.std(errors) < 0.1 * exact_transitivity(network)


def test_whoever_picks_more_has_less_noise_and_the_result_says_who_did() -> None:
    network = power_law_cluster(300, 5, 0.6, seed=4)
    protocol = build_protocol(
        "triangles", "preference", unit="edge", epsilon=4, n_people=300, parameters={"strengths": ("1", "4")}
    )
    stds = [simulate(protocol, network, seed=1, choices=np.full(300, choice)).estimate.std for choice in (0, 1)]
    mixed = simulate(protocol, network, seed=1, choices=np.arange(300) % 2)
    assert stds[1] < mixed.estimate.std < stds[0]
    assert mixed.estimate.facts["mix"] == {"1": 150, "4": 150}
    assert [(s.epsilon, s.relationship_epsilon) for s in mixed.strengths] == [(1, 5), (4, 8)]
    assert all(IN_THE_CLEAR in promise.assumes for promise in (mixed.guarantee, *mixed.strengths))


@pytest.mark.parametrize("statistic", ["triangles", "triangle-sequence"])
def test_a_strength_stays_as_picked_when_a_client_comes_back(statistic: str) -> None:
    """A length at the one strength and a count at the other would cost more than the second promises."""
    campaign = Campaign.create(statistic, "preference", unit="edge", epsilon=4, n_people=9, title="twice")
    first, collector = Client(campaign, 3, [1, 2], choice=0), Collector(campaign)
    state, _ = collector.take(CollectorState(), [Client(campaign, i, [3]).answer(1) for i in range(9) if i != 3])
    state = collector.close_round(collector.take(state, [first.answer(1)])[0])
    with pytest.raises(ParameterError, match="picked once"):
        Client(campaign, 3, [1, 2], choice=1, memory=first.memory).answer(2, state.publications)
    assert Client(campaign, 3, [1, 2], choice=0, memory=first.memory).answer(2, state.publications).round == 2


WHOLE_LISTS = {"strengths": ("2", "node:2")}


def test_whoever_protects_the_whole_list_gives_its_length_only(monkeypatch) -> None:
    """On all lists of five people: answers and count do not move; they would, were these people's lists read."""
    protocol = build_protocol(
        "clustering", "preference", unit="edge", epsilon=2, n_people=5, parameters={"strengths": ("2", "node:1")}
    )
    promised = [(str(g.unit), g.epsilon, g.relationship_epsilon) for g in protocol.guarantees]
    assert promised == [("edge", 2, 4), ("node", 1, 3)]
    check_messages(protocol)
    monkeypatch.setattr(Design, "closed", lambda self, choices: np.zeros(len(choices), dtype=np.bool_))
    with pytest.raises(GuaranteeMismatch, match="moves the messages"):
        check_messages(protocol)


def test_counts_stay_right_where_some_people_keep_their_lists_closed(monkeypatch) -> None:
    """And would not be, were missing answers taken for strangers' pairs; without the last noise, to see more."""
    monkeypatch.setattr(ScaledStaircase, "draw", lambda self, people, exact, noise: exact.values)
    network = power_law_cluster(80, 8, 0.6, seed=4)
    truth = exact_triangles_per_node(network)

    def errors() -> list[float]:
        made = []
        for seed in range(60):
            protocol = build_protocol(
                "triangle-sequence",
                "preference",
                unit="edge",
                epsilon=2,
                n_people=80,
                parameters={"salt": seed, **WHOLE_LISTS},
            )
            choices = np.random.default_rng(seed).integers(0, 2, 80)
            transcript = transcript_of(protocol, Lists.of_graph(network, choices), seeded(seed))
            counted, closed = count_reports(protocol, transcript)
            assert len(closed.people) == choices.sum()
            made.append(float(counted.counts.sum() - truth[counted.people].sum()))
        return made

    assert off_by_chance(errors()) < 1
    monkeypatch.setattr(sequence, "answering_share", lambda protocol, transcript: 1.0)
    assert off_by_chance(errors()) > 1


def test_somebody_must_count() -> None:
    for statistic in ("triangle-sequence", "clustering", "triangles"):
        with pytest.raises(ParameterError) as refusal:
            build_protocol(
                statistic, "preference", unit="edge", epsilon=1, n_people=9, parameters={"strengths": ("node:1",)}
            )
        assert len(str(refusal.value).splitlines()) == 1


def test_payloads_that_fit_no_strength_are_refused() -> None:
    protocol = PreferredDegrees(epsilon=1, n_people=N)
    for payload in (b"", b"\x03\x00\x00", b"\x02\xff\xff", b"\x02\x00"):
        with pytest.raises(ReportRefused):
            protocol.unpack(RoundContext(), np.array([5]), [payload])
