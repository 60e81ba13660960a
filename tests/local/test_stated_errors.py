"""Every protocol says how sure its answer is, or why it cannot."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.evaluation.reports.results import section_warning
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.degrees.channels import WaveChannel
from graphveil.local.estimation import penalised
from graphveil.local.estimation.bins import degree_bins
from graphveil.local.estimation.cap_loss import CountedLists, excess, lost_to_caps
from graphveil.local.estimation.noisy_total import products_variance
from graphveil.local.estimation.shape import Shape
from graphveil.local.experiment import run_experiment, share_held
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import EVERY_PAIR, count_in_bits
from graphveil.local.pairs.response import PairResponse
from graphveil.local.result import result_document
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.local.triangles.counts import CLIQUE_LIMITS, Budget
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import PROTOCOLS, build_protocol

ALPHA = 1e-6
NETWORK = oriented(power_law_cluster(80, 6, 0.6, seed=3))


@pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_there_is_an_interval_or_a_reason(entry) -> None:
    document = result_document(simulate(entry.cls(epsilon=4, n_people=80), NETWORK, seed=2))
    for section in document.get("results", {entry.query: document}).values():
        reason = section["why_no_interval"]
        assert (section["interval95"] is None) == (section["std"] is None) == bool(reason)
        assert reason is None or len(reason.splitlines()) == 1


def test_the_variance_of_all_products_of_three_answers_is_exact() -> None:
    """On four people, over every way the six answers can come out."""
    pairs = list(combinations(range(4), 2))
    response = PairResponse(Fraction(1))
    q, gain = response.flip_probability, response.gain
    for edges in (pairs, pairs[:5], pairs[:3], []):
        mean = square = Fraction(0)
        for answers in product((False, True), repeat=6):
            z = {pair: (int(yes) - q) / gain for pair, yes in zip(pairs, answers, strict=True)}
            chance = Fraction(1)
            for pair, yes in zip(pairs, answers, strict=True):
                friendly = response.friend_probability if pair in edges else q
                chance *= friendly if yes else 1 - friendly
            total = sum(z[i, j] * z[i, k] * z[j, k] for i, j, k in combinations(range(4), 3))
            mean, square = mean + chance * total, square + chance * total**2
        graph = Graph.from_edges(edges, n_nodes=4)
        shared = [len(set(graph.neighbors(i)) & set(graph.neighbors(j))) for i, j in pairs]
        v = float(q * (1 - q) / gain**2)
        expected = v * sum(c**2 for c in shared) + products_variance(4, len(edges), v)
        assert float(square - mean**2) == pytest.approx(expected, rel=1e-9)


def test_what_passes_a_cap_is_the_binomial_mean_beyond_it() -> None:
    for n, p, cap in product((0, 1, 7, 60), (0.02, 0.4, 0.73), (1, 3, 25)):
        values = np.arange(n + 1)
        direct = (np.maximum(values - cap, 0) * binom.pmf(values, n, p)).sum()
        assert excess(np.array([float(n)]), p, np.array([float(cap)]))[0] == pytest.approx(direct, abs=1e-12)


@pytest.mark.parametrize("one_in", [1, 8])
def test_caps_hide_no_more_than_is_said_and_not_much_less(one_in: int) -> None:
    """On a list of 60 friends who all know each other."""
    size, cap, draws = 60, (48 if one_in == 1 else 7), 400
    response, rng = PairResponse(Fraction(1)), np.random.default_rng(4)
    lists = Lists.of_person(size + 1, size, np.arange(size))
    lost = []
    for _ in range(draws):
        joined = np.triu(rng.random((size, size)) < float(response.friend_probability) / one_in, 1)
        matrix = np.packbits(np.pad(joined, ((0, 1), (0, 1))), axis=1, bitorder="little")
        found = count_in_bits(lists, matrix, np.array([cap]), EVERY_PAIR)[0]
        lost.append(one_in * (joined.sum() - found) / float(response.gain))
    said, wide = (
        lost_to_caps(
            CountedLists(np.array([size]), np.array([90]), lambda _, most=most: np.array([most])),
            Fraction(40),
            1.0,
            response,
            one_in,
        )
        for most in (cap, size)
    )
    assert 1 < said / np.mean(lost) < 1.4
    assert wide == 0


def test_what_sizes_that_came_out_too_low_hide_is_said() -> None:
    """At a large epsilon nothing else hides triangles of 20 friends who all know each other."""
    size, draws, rng = 20, 20_000, np.random.default_rng(5)
    epsilon, response = Fraction(14, 25), PairResponse(Fraction(4))
    one, other = rng.geometric(1 - np.exp(-float(epsilon)), (2, draws))
    released, most = size + one - other, np.full(draws, 60)

    def caps(sizes: np.ndarray) -> np.ndarray:
        bounds = CLIQUE_LIMITS.bounds({"size": sizes}, np.full(len(sizes), 60), Budget(size=epsilon), 0)
        return CLIQUE_LIMITS.caps(bounds, response, 1)

    lists, lost = Lists.of_person(size + 1, size, np.arange(size)), 0.0
    for cap in caps(released)[caps(released) < size - 1]:
        joined = np.triu(rng.random((size, size)) < float(response.friend_probability), 1)
        matrix = np.packbits(np.pad(joined, ((0, 1), (0, 1))), axis=1, bitorder="little")
        lost += (joined.sum() - count_in_bits(lists, matrix, np.array([cap]), EVERY_PAIR)[0]) / float(response.gain)
    said = lost_to_caps(CountedLists(released, most, caps), epsilon, 1.0, response, 1)
    assert lost > 0.1 * draws
    assert 1 < said / lost < 2


def test_a_size_that_noise_made_hides_nothing_that_cannot_be_there() -> None:
    """Three people, of whom one can count two friends: released as 90, it still holds one pair."""
    protocol = build_protocol("triangles", "veil-two-rounds", unit="edge", epsilon="1/10", n_people=3)
    triangle = Graph.from_edges([(0, 1), (1, 2), (0, 2)])
    assert max(simulate(protocol, triangle, seed=seed).estimate.facts["hidden_by_caps"] for seed in range(20)) < 40


@pytest.mark.parametrize(
    ("protocol", "unit"), [("two-stage", "node"), ("local2rounds", "edge"), ("local2rounds", "node")]
)
def test_entries_are_no_farther_off_than_stated(protocol: str, unit: str) -> None:
    statistic = "degree-distribution" if protocol == "two-stage" else "triangle-sequence"
    protocol = build_protocol(statistic, protocol, unit=unit, epsilon=2, n_people=80)
    truth = find_statistic(statistic).exact(NETWORK)
    outcomes = [simulate(protocol, NETWORK, seed=seed) for seed in range(20)]
    assert np.mean([share_held(outcome, truth) for outcome in outcomes]) > 0.93
    if protocol == "local2rounds":  # as wide as they have to be: a third less would not do
        errors = np.array([outcome.value - truth for outcome in outcomes]) / np.array(
            [o.estimate.std for o in outcomes]
        )
        assert 0.6 < np.mean(errors**2) < 1.5


def test_deviations_of_a_fit_are_those_of_a_looser_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wider than the curvature at the fit says, wherever the penalty has a say: by less than half on the whole."""
    bins = degree_bins(999, 8, Fraction(13, 10))
    degrees = np.minimum(np.random.default_rng(1).geometric(0.05, 4000), 999)

    def deviations(epsilon: int, looser: float) -> np.ndarray:
        monkeypatch.setattr(penalised, "LOOSER", looser)
        channel = WaveChannel(Fraction(epsilon), bins, 64)
        reports = channel.draw(degrees, degrees, SeededNoise(3))
        return penalised.averaged_fit(
            Shape(bins, 1000), [channel.evidence(reports[::2])], [channel.evidence(reports[1::2])]
        ).std

    assert (deviations(1, 30.0) > deviations(1, 1.0)).mean() > 0.9
    assert 1.2 < np.median(deviations(1, 30.0) / deviations(1, 1.0)) < 1.6


def test_where_no_entry_has_an_interval_the_document_says_so() -> None:
    four = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    document = run_experiment(four, statistic="clustering", protocol="veil", unit="edge", epsilon=1, runs=2, seed=1)
    assert document["coverage95"] is None
    assert document["why_no_interval"] == "nothing is known about any entry"


def test_intervals_of_shares_end_where_shares_do_and_say_when_they_say_nothing() -> None:
    graph = power_law_cluster(10, 2, 0.5, seed=1)
    protocol = build_protocol("degree-distribution", "veil", unit="node", epsilon="1/10", n_people=10, parameters={})
    result = simulate(protocol, graph, seed=1)
    low, high = result.interval95
    assert (np.nanmin(low), np.nanmax(high)) == (0, 1)
    nothing = {"value": [0.4, 0.6], "interval95": [[0.0, 0.0], [1.0, 1.0]]}
    assert "says nothing" in section_warning("degree-distribution", nothing)
    assert not section_warning("triangles", {"value": 30.0, "interval95": [28.0, 32.0]})
