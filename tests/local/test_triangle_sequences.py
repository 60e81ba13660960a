"""Triangles and clustering of every person: sensitivity, exact laws, unbiased counts, honest deviations."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.clustering import exact_local_clustering, exact_transitivity
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.local.clustering.plain import NodePlainSequence, PlainSequence
from graphveil.local.clustering.preference import PreferredSequence
from graphveil.local.clustering.sequence import count_reports
from graphveil.local.clustering.transitivity import VeilTransitivity
from graphveil.local.clustering.veil import VeilClustering, VeilSequence
from graphveil.local.estimation.overlap import unbiased_pairs
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded, simulate, transcript_of
from graphveil.local.triangles.reports import Publication
from graphveil.papers.peers.local2rounds_sequence import EdgeTwoRounds

ALPHA = 1e-6
NETWORK = power_law_cluster(300, 8, 0.9, seed=4)
TRUTH = exact_triangles_per_node(NETWORK)


def raw(protocol, seed: int, graph: Graph = NETWORK) -> np.ndarray:
    """Counts before anything is cut or moved."""
    (reports,) = count_reports(protocol, transcript_of(protocol, Lists.of_graph(graph), seeded(seed)))
    return reports.counts


@pytest.mark.parametrize(
    "protocol",
    [
        PlainSequence(epsilon=8, n_people=300),
        VeilSequence(epsilon=8, n_people=300),
        VeilSequence(epsilon=8, n_people=300, method="split"),
    ],
    ids=["plain", "whole", "split"],
)
def test_counts_are_unbiased_and_30_percent_of_bias_is_noticed(protocol):
    """For the split design over the public choices of pairs too, so each run makes another one."""
    runs = 60
    protocols = [type(protocol)(epsilon=8, n_people=300, **{**protocol.parameters(), "salt": i}) for i in range(runs)]
    totals = np.array([raw(each, i).sum() for i, each in enumerate(protocols)])
    error = totals.std(ddof=1) / math.sqrt(runs)
    critical = norm.isf(ALPHA / 2) * 1.15  # 15 % for the estimated deviation
    assert abs(totals.mean() - TRUTH.sum()) < critical * error
    assert abs(totals.mean() - 1.3 * TRUTH.sum()) > critical * error


def test_stated_variance_of_a_count_is_that_of_the_noise():
    protocol = PlainSequence(epsilon=2, n_people=300)
    lists = Lists.of_graph(NETWORK)
    squares, stated = [], []
    for seed in range(40):
        transcript = transcript_of(protocol, lists, seeded(seed))
        (reports,) = count_reports(protocol, transcript)
        squares.append((reports.counts - TRUTH) ** 2)
        stated.append(reports.variances)
    ratio = np.mean(squares) / np.mean(stated)
    assert 0.85 < ratio < 1.2


@pytest.mark.parametrize("method", ["split", "whole"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)])
def test_one_entry_changes_a_count_by_no_more_than_its_noise_is_made_for(method, epsilon):
    """All noisy graphs on 5 people from 500 draws, all lists of another person, every bound: our own code."""
    protocol = VeilSequence(epsilon=epsilon, n_people=6, method=method)
    rng = np.random.default_rng(1)
    turn_sizes = np.arange(-40, 8)  # noisy lengths so small that lists pass their bound, and usual ones
    worst = 0.0
    for _ in range(60):
        matrix = np.packbits(rng.random((6, 8)) < rng.random(), axis=1, bitorder="little")
        publication = Publication(PairBits(6, matrix), np.uint64(0))
        context = RoundContext(2, (publication,))
        values = {}
        for size in range(5):
            for friends in itertools.combinations(range(5), size):
                copies = Lists(
                    6,
                    np.full(len(turn_sizes), 5),
                    np.arange(len(turn_sizes) + 1) * size,
                    np.tile(np.array(friends, dtype=np.int64), len(turn_sizes)),
                    np.zeros(len(turn_sizes), dtype=np.int64),
                )
                bounds = protocol.bounds(context, copies.people, {"size": turn_sizes})
                values[friends] = protocol.corrected_counts(context, copies, bounds)
                widths = protocol.widths(context, bounds)
        for friends, value in values.items():
            for extra in set(range(5)) - set(friends):
                other = values.get(tuple(sorted((*friends, extra))))
                if other is not None:
                    change = np.abs(other - value) / widths
                    worst = max(worst, float(change.max()))
    assert 0.5 < worst <= 1


@pytest.mark.parametrize("method", ["split", "whole"])
def test_caps_are_whole_numbers_below_the_bound_and_bounds_follow_from_lengths_alone(method):
    for epsilon in (Fraction(1, 5), 1, 4, 10):
        protocol = VeilSequence(epsilon=epsilon, n_people=500, method=method)
        lengths = np.arange(-400, 900, 7)
        bounds = protocol.bounds(RoundContext(), np.zeros(len(lengths), dtype=np.int64), {"size": lengths})
        caps = protocol.contribution_caps(RoundContext(), bounds)
        assert caps.dtype == np.int64
        assert bounds.min() == 2
        assert bounds.max() == 499
        assert (caps >= 1).all()
        assert (caps <= bounds - 1).all()


def test_an_entry_of_the_split_design_is_answered_for_or_counted_never_both():
    protocol = VeilSequence(epsilon=1, n_people=40)
    for user in (0, 7, 39):
        everybody = Lists.of_person(40, user, [other for other in range(40) if other != user])
        counted = set(protocol.counted_lists(RoundContext(), everybody).indices.tolist())
        starts, partners = protocol.pair_owners(RoundContext()).owned(everybody.people)
        assert counted.isdisjoint(partners.tolist())
        assert len(counted) + len(partners) == 39
        assert starts.tolist() == [0, len(partners)]


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)])
def test_shares_add_up_for_an_entry_and_for_a_friendship(epsilon):
    for method in ("split", "whole"):
        protocol = VeilSequence(epsilon=epsilon, n_people=50, method=method)
        budget = protocol.budget(RoundContext())
        counted = budget.size + budget.count
        spent = max(counted, budget.pairs) if method == "split" else counted + budget.pairs
        assert spent == epsilon
        ratio = protocol.guarantee.relationship_epsilon / epsilon
        assert ratio == (2 if method == "split" else Fraction(39, 25))
        p = Fraction(protocol.response(RoundContext()).friend_parts, PARTS)
        assert math.log(p / (1 - p)) <= budget.pairs
    assert VeilSequence(epsilon=epsilon, n_people=50).method == ("split" if epsilon < Fraction(3, 2) else "whole")


def test_the_noisy_graph_of_absent_people_is_filled_in_and_nothing_breaks():
    from graphveil.local.campaign import Campaign
    from graphveil.local.client import Client
    from graphveil.local.collector import Collector, CollectorState

    campaign = Campaign.create("triangle-sequence", "veil", unit="edge", epsilon=4, n_people=300, title="t")
    clients = [Client(campaign, u, NETWORK.neighbors(u), source=seeded(2)) for u in range(300)]
    collector, state = Collector(campaign), CollectorState()
    state, _ = collector.take(state, [client.answer(1).encode() for client in clients[:290]])
    state = collector.close_round(state)
    late = [client.answer(2, state.publications).encode() for client in clients[:280]]
    state, verdicts = collector.take(state, late)
    assert set(verdicts) == {None}
    estimate = collector.outcome(collector.close_round(state)).estimate
    assert np.isfinite(estimate.value).all()
    assert np.isnan(estimate.std[280:]).all()
    assert np.abs(estimate.value[:280].sum() / TRUTH[:280].sum() - 1) < 0.3


def test_moving_counts_towards_the_usual_lowers_their_error():
    protocol = VeilSequence(epsilon=1, n_people=300)
    moved = np.mean([(simulate(protocol, NETWORK, seed=s).value - TRUTH) ** 2 for s in range(5)])
    unmoved = np.mean([(raw(protocol, s) - TRUTH) ** 2 for s in range(5)])
    assert moved < unmoved / 4


def test_clustering_is_stated_where_counts_carry_it_and_withheld_elsewhere():
    network = power_law_cluster(3000, 20, 0.9, seed=5)
    protocol = VeilClustering(epsilon=6, n_people=3000)
    outcome = simulate(protocol, network, seed=1)
    facts, exact = outcome.estimate.facts, exact_local_clustering(network)
    assert facts["transitivity"] == pytest.approx(exact_transitivity(network), rel=0.1)
    stated = [entry for entry in facts["by_degree"] if entry["mean"] is not None]
    assert any(entry["from"] >= 20 for entry in stated)
    for entry in stated:
        last = network.n_nodes if entry["to"] is None else entry["to"]
        inside = (network.degrees >= entry["from"]) & (network.degrees <= last)
        if inside.sum() > 20:
            assert abs(entry["mean"] - exact[inside].mean()) < 5 * entry["std"] + 0.02
    weak = simulate(VeilClustering(epsilon=Fraction(1, 4), n_people=3000), network, seed=1).estimate.facts
    assert weak["average"]["mean"] is None
    assert "deviation" in weak["average"]["withheld"]


def test_nothing_is_stated_about_more_friends_than_there_are_people():
    triangle = Graph.from_edges([(0, 1), (1, 2), (0, 2)], n_nodes=6)
    facts = simulate(VeilClustering(epsilon=1, n_people=6), triangle, seed=1).estimate.facts
    assert [entry["from"] for entry in facts["by_degree"]] == [2, 5]


def test_pairs_of_friends_are_unbiased_from_noisy_degrees():
    from graphveil.mechanisms.noise.person_noise import add_personal_laplace
    from graphveil.mechanisms.noise.person_streams import CrowdNoise

    degrees = np.full(200_000, 6)
    noisy = add_personal_laplace(CrowdNoise(3, np.arange(len(degrees))), degrees, Fraction(1, 2))
    assert unbiased_pairs(noisy, Fraction(1, 2)) / len(degrees) == pytest.approx(15, rel=0.01)
    assert np.mean(noisy * (noisy - 1) / 2) > 18  # without the correction


def test_transitivity_comes_close():
    protocol = VeilTransitivity(epsilon=4, n_people=300)
    values = [simulate(protocol, NETWORK, seed=s).value for s in range(10)]
    assert np.mean(values) == pytest.approx(exact_transitivity(NETWORK), rel=0.08)


def test_transitivity_beside_clustering_is_as_sure_as_it_says():
    """Errors in stated deviations have the mean square 1; 30 % more noise than stated would be seen."""
    protocol, truth, runs = VeilClustering(epsilon=4, n_people=300), exact_transitivity(NETWORK), 40
    facts = [simulate(protocol, NETWORK, seed=s).estimate.facts for s in range(runs)]
    squares = [((each["transitivity"] - truth) / each["transitivity_std"]) ** 2 for each in facts]
    assert 0.4 < np.mean(squares) < 1.3**2


def test_people_have_an_interval_of_clustering_where_something_is_known():
    network = power_law_cluster(2000, 20, 0.9, seed=5)
    estimate = simulate(VeilClustering(epsilon=4, n_people=2000), network, seed=1).estimate
    known = np.isfinite(estimate.std)
    assert known.mean() > 0.5
    inside = np.abs(estimate.value - exact_local_clustering(network)) <= 1.96 * estimate.std
    assert inside[known].mean() >= 0.94
    sparse = power_law_cluster(2000, 2, 0.9, seed=5)
    few = simulate(VeilClustering(epsilon=1, n_people=2000), sparse, seed=1).estimate
    assert few.std is None  # nothing is known about anybody


def test_node_privacy_makes_counts_useless_and_says_how_far_off_they_are():
    protocol = NodePlainSequence(epsilon=1, n_people=300)
    outcome = simulate(protocol, NETWORK, seed=1)
    assert outcome.estimate.std > 100 * TRUTH.max()
    assert np.abs(outcome.value - TRUTH).mean() == pytest.approx(outcome.estimate.std * 0.75, rel=0.3)
    with pytest.raises(ParameterError, match="too small"):
        NodePlainSequence(epsilon=Fraction(1, 2), n_people=100_000)


def test_two_round_sequences_are_unbiased():
    protocol = EdgeTwoRounds(epsilon=8, n_people=300)
    totals = [simulate(protocol, NETWORK, seed=s).value.sum() for s in range(30)]
    assert np.mean(totals) == pytest.approx(TRUTH.sum(), abs=5 * np.std(totals, ddof=1) / math.sqrt(30))


def test_everybody_picks_a_strength_and_more_epsilon_gives_more():
    protocol = PreferredSequence(epsilon=4, n_people=300, strengths=("1", "4"))
    choices = np.arange(300) % 2
    errors, deviations = [], []
    for seed in range(8):
        outcome = simulate(protocol, NETWORK, seed=seed, choices=choices)
        errors.append(np.abs(outcome.value - TRUTH))
        deviations.append(outcome.estimate.std)
    assert outcome.estimate.facts["mix"] == {"1": 150, "4": 150}
    assert [float(promise.epsilon) for promise in outcome.strengths] == [1.0, 4.0]
    weak, strong = (np.mean([each[choices == k] for each in deviations]) for k in (0, 1))
    assert strong < weak
    assert np.mean([each[choices == 1] for each in errors]) < np.mean([each[choices == 0] for each in errors])
    for strengths in (("1", "1"), ("1", "2"), ("0", "4")):
        with pytest.raises(ParameterError):
            PreferredSequence(epsilon=4, n_people=300, strengths=strengths)


def test_an_answer_costs_the_weakest_epsilon_on_offer_whoever_gives_it():
    protocol = PreferredSequence(epsilon=4, n_people=300, strengths=("1", "4"))
    for choice, epsilon in enumerate((1, 4)):
        budget = protocol.budget(RoundContext(), choice)
        assert budget.pairs == 1
        assert budget.size + budget.count == epsilon
