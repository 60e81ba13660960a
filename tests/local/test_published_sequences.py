"""GS-LDP's triangle and clustering algorithms as published, RNL and LF-GDPR: what they do, and what is wrong."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ClaimRefuted, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi, power_law_cluster
from graphveil.graph.statistics.clustering import exact_local_clustering
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.local.campaign import Campaign
from graphveil.local.estimation.noisy_total import unbiased_triangles
from graphveil.local.experiment import run_experiment
from graphveil.local.lists import Lists
from graphveil.local.pairs.dense import BitMatrix
from graphveil.local.pairs.noisy_graph import join_replies
from graphveil.local.pairs.replies import reply, unpack_replies
from graphveil.local.protocol import Received, RoundContext
from graphveil.local.simulate import seeded, simulate, transcript_of
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.gs_ldp.clustering import EdgeClustering, NodeClustering, divided
from graphveil.papers.gs_ldp.lf_gdpr import LfGdpr
from graphveil.papers.gs_ldp.pruned_network import PrunedReports, count_joined, join, prune, pruned_friends
from graphveil.papers.gs_ldp.rnl import RandomisedLists, RandomisedListsClustering, RandomisedListsTotal
from graphveil.papers.gs_ldp.simultaneous import EdgeTogether, NodeTogether
from graphveil.papers.gs_ldp.triangles import EdgeSequence, EdgeTotal, NodeSequence
from graphveil.privacy.guarantee import Status, Verdict
from graphveil.registry import build_protocol

NETWORK = power_law_cluster(200, 6, 0.8, seed=4)
TRUTH = exact_triangles_per_node(NETWORK)
LISTS = Lists.of_graph(NETWORK)
SURE = np.uint64(2**64 - 1)  # bits are kept


def test_pruning_lists_all_friends_below_the_threshold_and_only_friends_above_it():
    reports = prune(LISTS, 12, SURE, SeededNoise(1))
    for person in range(200):
        friends, listed = set(NETWORK.neighbors(person).tolist()), set(reports.listed[person].tolist())
        assert len(listed) == 12
        assert person not in listed
        assert friends <= listed if len(friends) <= 12 else listed <= friends
        assert set(reports.listed[person][reports.bits[person]].tolist()) == friends & listed


def test_pruning_chooses_evenly():
    """A friend of somebody with 20 friends and a threshold of 5 is listed in a quarter of the runs, as any other is."""
    star = Graph.from_edges([(0, i) for i in range(1, 21)], n_nodes=31)
    lists = Lists.of_graph(star)
    runs = 4000
    listed = np.zeros(31)
    filled = np.zeros(31)
    for seed in range(runs):
        reports = prune(lists, 5, SURE, CrowdNoise(seed, lists.people))
        listed[reports.listed[0]] += 1
        filled[reports.listed[30]] += 1
    assert np.abs(listed[1:21] / runs - 0.25).max() < 5 * math.sqrt(0.25 * 0.75 / runs)
    assert np.abs(filled[:30] / runs - 5 / 30).max() < 5 * math.sqrt(5 / 30 * 25 / 30 / runs)


def test_bits_are_flipped_as_often_as_they_should_be():
    kept = np.uint64(3 * 2**62)
    reports = prune(LISTS, 40, kept, SeededNoise(3))
    sure = prune(LISTS, 40, SURE, SeededNoise(3))
    assert np.array_equal(reports.listed, sure.listed)
    assert (reports.bits != sure.bits).mean() == pytest.approx(0.25, abs=0.02)


def test_two_ends_bits_make_a_graph_in_three_ways():
    listed = np.array([[1, 2], [0, 2], [0, 1], [0, 1]], dtype=np.int32)
    bits = np.array([[True, True], [True, False], [False, False], [True, True]])
    reports = PrunedReports(4, np.arange(4), listed, bits)
    edges = {how: set(pairs(join(reports, how))) for how in ("either", "both", "owner")}
    assert edges == {
        "either": {(0, 1), (0, 2), (0, 3), (1, 3)},
        "both": {(0, 1)},
        "owner": {(0, 1), (0, 2), (0, 3)},  # 0-2 and 1-3 belong to their lower end, 0-1 and 0-3 to the higher
    }
    marks = reports.marks()
    assert marks.tolist()[1] == [2, 0, 1, 0]


def pairs(graph) -> list[tuple[int, int]]:
    rows = np.repeat(np.arange(len(graph.indptr) - 1), np.diff(graph.indptr))
    return [(int(a), int(b)) for a, b in zip(rows, graph.indices, strict=True) if a < b]


def test_without_pruning_or_noise_everybodys_triangles_come_out():
    protocol = EdgeSequence(epsilon=3000, n_people=200, threshold=198)
    assert np.abs(simulate(protocol, NETWORK, seed=1).value - TRUTH).max() < 3
    total = simulate(EdgeTotal(epsilon=3000, n_people=200, threshold=198), NETWORK, seed=1).value
    assert total == pytest.approx(TRUTH.sum() / 3, abs=20)


def test_counting_in_the_noisy_graph_is_counting_pairs():
    reports = prune(LISTS, 15, np.uint64(2**63 + 2**62), SeededNoise(7))
    graph = join(reports, "either")
    friends = pruned_friends(LISTS, reports)
    joined = set(pairs(graph))
    for person in (0, 3, 77, 199):
        own = sorted(friends.indices[friends.indptr[person] : friends.indptr[person + 1]].tolist())
        expected = sum((a, b) in joined for i, a in enumerate(own) for b in own[i + 1 :])
        assert count_joined(friends, graph)[person] == expected


def test_open_wedges_are_taken_for_missing_triangles():
    """The bias of Theorem 10: -q (1 - r) / (p - q) for each pair of friends who are strangers to each other."""
    network = erdos_renyi(400, m=2000, seed=3)
    protocol = EdgeSequence(epsilon=4, n_people=400, threshold=40, construction="owner")
    runs = 60
    lists = Lists.of_graph(network)
    totals = [protocol.sequence(transcript_of(protocol, lists, seeded(s))).sum() for s in range(runs)]
    triangles, degrees = exact_triangles_per_node(network).sum(), network.degrees.astype(float)
    q = float(protocol.counts(40).flip_probability)
    filled = float(np.mean((40 - degrees) / (399 - degrees)))
    wedges = (degrees * (degrees - 1) / 2).sum() - triangles
    bias = np.mean(totals) - triangles
    assert bias == pytest.approx(-q * (1 - filled) / (1 - 2 * q) * wedges, rel=0.05)


def test_the_stated_variance_forgets_which_friends_are_pruned():
    """Theorem 11 bounds the variance by noise alone; who has more friends than the threshold lists a random choice."""
    clique = [(a, b) for a in range(1, 11) for b in range(1, a)]
    network = Graph.from_edges([*((0, friend) for friend in range(1, 21)), *clique], n_nodes=40)
    protocol = EdgeSequence(epsilon=1000, n_people=40, threshold=10)
    lists, theta, epsilon = Lists.of_graph(network), 10, 450
    counts = [protocol.sequence(transcript_of(protocol, lists, seeded(seed)))[0] for seed in range(40)]
    stated = 4 * theta**2 / (2 * epsilon**2)  # p = 1 and q = 0, up to e^-450
    assert np.var(counts) > 1000 * stated


def test_a_threshold_is_where_the_noisy_shares_reach_the_level():
    protocol = EdgeSequence(epsilon=500, n_people=200, level=Fraction(977, 1000))
    found = simulate(protocol, NETWORK, seed=2).estimate.facts["threshold"]
    assert found == np.sort(NETWORK.degrees)[math.ceil(0.977 * 200) - 1]
    node = NodeSequence(epsilon=500, n_people=200)
    assert simulate(node, NETWORK, seed=2).estimate.facts["threshold"] < found


def test_negative_shares_move_the_threshold_unless_they_are_cut():
    """Shares that add up to 1 as they come can reach the level long before or after the degree that does."""
    shares = np.array([0.5, 0.6, -0.4, 0.2, -0.1, 0.2])
    rules = {rule: EdgeSequence(epsilon=1, n_people=200, threshold_rule=rule) for rule in ("raw", "normalised")}
    assert {rule: made._threshold(shares) for rule, made in rules.items()} == {"raw": 2, "normalised": 5}  # 2: at least
    late = np.array([0.9, -0.3, 0.2, -0.1, 0.1, 0.2])
    assert rules["raw"]._threshold(late) == 5
    assert EdgeSequence(epsilon=1, n_people=200, level=Fraction(8, 10))._threshold(late) == 4


def test_shares_divide_epsilon_among_the_messages():
    built = build_protocol(
        "clustering", "gs-ldp", unit="edge", epsilon=2, n_people=200, parameters={"shares": ".4,.3,.2,.1"}
    )
    parts = [message.randomizer.epsilon for message in built.messages(RoundContext()).parts]
    assert parts == [Fraction(8, 10), Fraction(6, 10), Fraction(4, 10), Fraction(2, 10)]
    assert built.parameters()["shares"] == [".4", ".3", ".2", ".1"]


def test_rnl_counts_the_noisy_graph_unless_the_unbiased_estimate_is_asked_for():
    def built(statistic: str, **parameters: str):
        return build_protocol(statistic, "rnl", unit="edge", epsilon=2, n_people=200, parameters=parameters)

    counted = simulate(built("triangle-sequence"), NETWORK, seed=3).value
    transcript = transcript_of(built("triangle-sequence"), LISTS, seeded(3))
    matrix = built("triangle-sequence").matrix(transcript)
    assert np.array_equal(counted, matrix.triangles()[0])
    assert counted.sum() > 3 * TRUTH.sum()  # noise edges make triangles
    unbiased = simulate(built("triangle-sequence", estimate="unbiased"), NETWORK, seed=3).value
    assert np.array_equal(unbiased, unbiased_triangles(matrix, built("triangles").response)[1])
    clustering = simulate(built("clustering", estimate="counted"), NETWORK, seed=3).value
    assert np.allclose(clustering, divided(counted, matrix.degrees().astype(float)))
    assert built("triangles").parameters() == {"estimator": "unbiased"}
    assert built("triangles", estimator="counted") == built("triangles", estimate="counted")  # as a campaign stores it
    assert simulate(built("triangles", estimate="counted"), NETWORK, seed=3).value == counted.sum() / 3
    document = run_experiment(NETWORK, statistic="clustering", protocol="rnl", unit="edge", epsilon=2, seed=1)
    assert document["parameters"] == {"estimate": "counted"}
    with pytest.raises(ParameterError, match="counted or unbiased"):
        built("triangles", estimate="best")


def test_nothing_published_passes_for_private():
    for protocol in (EdgeSequence, NodeSequence, EdgeClustering, NodeClustering, EdgeTotal):
        made = protocol(epsilon=1, n_people=200)
        assert made.claim.verdict is Verdict.REFUTED
        assert made.claim.true_epsilon is None
        assert simulate(made, NETWORK).guarantee.status is Status.CLAIM_REFUTED
    assert "Theorem 15" in EdgeClustering(epsilon=1, n_people=200).claim.paper
    assert "Theorem 12" in NodeClustering(epsilon=1, n_people=200).claim.paper


def test_wrong_parameters_are_refused():
    shares = [("1/2", "1/2"), ("1/2", "1/2", "1/2"), ("0", "1/2", "1/2"), ("a", "b", "c")]
    wrong = [{"level": 0}, {"level": 2}, {"construction": "none"}, {"group_width": 1}, {"threshold_rule": "best"}]
    for options in (*wrong, *({"shares": given} for given in shares)):
        with pytest.raises(ParameterError):
            simulate(EdgeSequence(epsilon=1, n_people=200, **options), NETWORK)


def test_clustering_divides_by_noisy_degrees_and_most_of_it_is_cut():
    assert divided(np.array([3.0, 1.0, 2.0]), np.array([3.0, 1.0, 0.0])).tolist() == [1.0, 0.0, 0.0]
    clear = simulate(EdgeClustering(epsilon=2000, n_people=200, threshold=198), NETWORK, seed=1)
    assert np.abs(clear.value - exact_local_clustering(NETWORK)).mean() < 0.02
    noisy = simulate(EdgeClustering(epsilon=1, n_people=200), NETWORK, seed=1)
    assert noisy.estimate.facts["cut"] > 0.5
    assert noisy.value.min() >= 0
    assert noisy.value.max() <= 1


def test_answers_written_out_and_looked_up_make_the_same_matrix():
    protocol = RandomisedLists(epsilon=1, n_people=200)
    lazy = reply(LISTS, protocol.owners, protocol.response, CrowdNoise(5, LISTS.people))
    written = unpack_replies(lazy.pack(), LISTS.people, protocol.owners)
    matrices = [
        BitMatrix.of(join_replies(Received(LISTS.people, batch), protocol.owners, protocol.response))
        for batch in (lazy, written)
    ]
    assert np.array_equal(matrices[0].rows, matrices[1].rows)
    table = np.unpackbits(matrices[0].rows.view(np.uint8), axis=1, bitorder="little")[:, :200].astype(np.int64)
    assert np.array_equal(table, table.T)
    assert np.array_equal(matrices[0].degrees(), table.sum(axis=1))
    corners, sums = matrices[0].triangles()
    assert np.array_equal(corners, np.diag(table @ table @ table) // 2)
    assert np.array_equal(sums, table @ table.sum(axis=1))
    q, gain = float(protocol.response.flip_probability), float(protocol.response.gain)
    corrected = (table - q) / gain * (1 - np.eye(200))
    assert np.allclose(
        unbiased_triangles(matrices[0], protocol.response)[1], np.diag(corrected @ corrected @ corrected) / 2
    )


def test_randomised_lists_are_unbiased():
    runs = 80
    totals = [simulate(RandomisedListsTotal(epsilon=3, n_people=200), NETWORK, seed=s).value for s in range(runs)]
    error = np.std(totals, ddof=1) / math.sqrt(runs)
    assert abs(np.mean(totals) - TRUTH.sum() / 3) < 5 * error
    assert abs(np.mean(totals) - 1.3 * TRUTH.sum() / 3) > 5 * error


def test_the_variance_of_randomised_lists_is_the_stated_one():
    lonely = Graph.from_edges([(1, 2), (2, 3), (1, 3)], n_nodes=60)
    protocol = RandomisedLists(epsilon=2, n_people=60, estimator="unbiased")
    assert RandomisedLists(epsilon=2, n_people=60).variance() is None
    drawn = np.array([simulate(protocol, lonely, seed=s).value[10:] for s in range(60)])
    assert drawn.var() == pytest.approx(protocol.variance(), rel=0.15)
    assert RandomisedListsTotal(epsilon=2, n_people=60).variance() is None


def test_dense_clustering_is_right_without_noise_and_memory_is_told_beforehand():
    exact = exact_local_clustering(NETWORK)
    for protocol in (RandomisedListsClustering, LfGdpr):
        made = protocol(epsilon=40, n_people=200)
        several = NETWORK.degrees > 2  # a degree near 1 would be divided by
        assert np.abs(simulate(made, NETWORK, seed=1).value - exact)[several].mean() < 0.005
        assert made.memory_bytes > 2 * 200 * 4 * 8
        with pytest.raises(ParameterError, match="GB for 200000 people"):
            protocol(epsilon=1, n_people=200_000)
    assert LfGdpr(epsilon=1, n_people=200).guarantee.relationship_epsilon == Fraction(11, 10)
    with pytest.raises(ParameterError, match="pair_share"):
        LfGdpr(epsilon=1, n_people=200, pair_share=1)


def test_three_statistics_at_once_are_those_of_the_algorithms_they_come_from() -> None:
    """One run returns F' of round 1, T' and CC' of round 3; no epsilon holds for any of it."""
    for kind, alone, unit in ((EdgeTogether, EdgeClustering, "edge"), (NodeTogether, NodeClustering, "node")):
        together, coefficients = kind(epsilon=4, n_people=200), alone(epsilon=4, n_people=200)
        result = simulate(together, NETWORK, seed=1)
        assert list(result.sections) == together.statistic.split(",")
        assert np.array_equal(result.sections["clustering"].value, simulate(coefficients, NETWORK, seed=1).value)
        assert result.sections["triangles"].value == result.sections["triangle-sequence"].value.sum() / 3
        first = transcript_of(together, LISTS, seeded(1)).received[0].batch
        assert np.array_equal(result.sections["degree-distribution"].value, together.degrees.estimate(first))
        assert together.claim == coefficients.claim
        assert together.cost() == coefficients.cost()
        with pytest.raises(ClaimRefuted):
            Campaign.create(together.statistic, "gs-ldp", unit=unit, epsilon=4, n_people=200, title="x")
