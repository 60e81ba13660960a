"""Published graphs: what they look like, how many edges are true; `laws` has their law and loss."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphveil.central.choices.noisy_adjacency import NoisyAdjacency, count_likely_edges, estimate_edges
from graphveil.central.choices.top_m_filter import TopMFilter
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.release.plan import forecast, smallest_epsilon
from graphveil.release.session import Session
from graphveil.statistics.publication.invented_edges import PublishedPairs, expected_ones
from graphveil.statistics.publication.noisy_pairs import NoisyPairs

ONE = Fraction(1)
NETWORK = power_law_cluster(400, 5, 0.5, seed=3)
COMPLETE = Graph.from_edges(list(combinations(range(9), 2)))
EMPTY = Graph.from_edges([], n_nodes=9)
METHODS = [TopMFilter, NoisyAdjacency, lambda epsilon: NoisyAdjacency(epsilon, projection="most-likely")]
every_method = pytest.mark.parametrize("method", METHODS, ids=["filter", "threshold", "most-likely"])


def publish(query, graph, noise):
    """The published graph itself."""
    (outcome,) = draw(query.measure(graph), noise)
    return outcome[0] if isinstance(outcome[0], Graph) else outcome[1][0]


def expected_true_share(edges, pairs, rate):
    """Of as many published edges as there are edges."""
    rate = Fraction(rate)
    return PublishedPairs(pairs, expected_ones(edges, pairs, rate), edges, rate).true_edges(edges) / edges


@every_method
@pytest.mark.parametrize("graph", [NETWORK, COMPLETE, EMPTY], ids=["network", "complete", "empty"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(3), Fraction(60)])
def test_what_is_published_is_a_simple_graph(method, graph, epsilon):
    answer = run(method(epsilon=epsilon), graph, SeededNoise(5))
    assert all(0 <= u < v < graph.n_nodes for u, v in answer.value)
    assert len(set(answer.value)) == len(answer.value)
    assert list(answer.value) == sorted(answer.value)  # the order must not tell true edges from invented ones
    published = publish(method(epsilon=epsilon), graph, SeededNoise(5))
    assert published.edges().tolist() == [list(pair) for pair in answer.value]
    assert published.n_nodes == graph.n_nodes


@every_method
@pytest.mark.parametrize("graph", [NETWORK, COMPLETE, EMPTY], ids=["network", "complete", "empty"])
def test_without_noise_the_graph_itself_is_published(method, graph):
    assert publish(method(epsilon=Fraction(1000)), graph, SeededNoise(1)) == graph


@every_method
def test_names_are_published_and_fit_into_json(method):
    names = np.array(["ann", "bob", "cem", "dan"])
    graph = Graph.from_edges([(0, 1), (2, 3)], n_nodes=4, labels=names)
    value = run(method(epsilon=Fraction(1000)), graph, SeededNoise(1)).value
    assert json.loads(json.dumps(value)) == [["ann", "bob"], ["cem", "dan"]]
    numbered = Graph.from_edges([(0, 1)], n_nodes=2, labels=np.array([17, 4]))
    assert json.dumps(run(method(epsilon=Fraction(1000)), numbered, SeededNoise(1)).value) == "[[17, 4]]"


@pytest.mark.parametrize(
    ("method", "rate"), [(TopMFilter, 0.98), (lambda epsilon: NoisyAdjacency(epsilon, projection="most-likely"), 1)]
)
@pytest.mark.parametrize("epsilon", [1, 4, 6])
def test_the_share_of_true_edges_is_the_forecast_one(method, rate, epsilon):
    true = set(map(tuple, NETWORK.edges().tolist()))
    pairs = math.comb(NETWORK.n_nodes, 2)
    expected = expected_true_share(NETWORK.n_edges, pairs, rate * epsilon)
    odds = math.exp(rate * epsilon) * NETWORK.n_edges
    assert expected == pytest.approx(odds / (odds + pairs - NETWORK.n_edges), abs=2 / NETWORK.n_edges)
    shares = []
    for seed in range(30):
        value = run(method(epsilon=Fraction(epsilon)), NETWORK, SeededNoise(seed)).value
        shares.append(len(true.intersection(value)) / len(value))
    error = np.std(shares, ddof=1) / math.sqrt(len(shares))
    assert np.mean(shares) == pytest.approx(expected, abs=max(5.5 * error, 0.004))  # ALPHA = 1e-6 at 29 degrees


def test_in_dense_graphs_the_share_counts_what_is_filled_up():
    """Two thirds of all pairs are edges: the noisy ones do not suffice, and even draws fill up."""
    rng = np.random.default_rng(1)
    everybody = np.array(list(combinations(range(60), 2)))
    graph = Graph.from_edges(everybody[rng.permutation(len(everybody))[:1180]], n_nodes=60)
    true = set(map(tuple, graph.edges().tolist()))
    method = TopMFilter(epsilon=ONE)
    shares = [
        len(true.intersection(value)) / len(value)
        for value in (run(method, graph, SeededNoise(seed)).value for seed in range(40))
    ]
    expected = expected_true_share(1180, len(everybody), float(method.matrix_rate))
    assert expected > 2 / 3
    assert np.mean(shares) == pytest.approx(expected, abs=6 * np.std(shares) / math.sqrt(40))


def test_the_threshold_publishes_nothing_until_edges_are_likely():
    needed = math.log(math.comb(400, 2) / NETWORK.n_edges)
    below, above = (Fraction(round(100 * needed * factor), 100) for factor in (0.8, 1.2))
    nothing = run(NoisyAdjacency(epsilon=below), NETWORK, SeededNoise(2))
    assert nothing.value == ()
    assert "no pair is more likely an edge than not" in nothing.accuracy.scope
    assert len(run(NoisyAdjacency(epsilon=above), NETWORK, SeededNoise(2)).value) > NETWORK.n_edges / 2


def test_the_number_of_edges_is_estimated_without_bias():
    pairs, edges, epsilon = 10**6, 10**5, 2.0
    flip = 1 / (1 + math.exp(epsilon))
    ones = round(edges * (1 - flip) + (pairs - edges) * flip)
    assert estimate_edges(ones, pairs, epsilon) == pytest.approx(edges, abs=2)
    assert estimate_edges(0, pairs, epsilon) == 0
    assert estimate_edges(pairs, pairs, epsilon) == pairs
    assert count_likely_edges(ones, edges, pairs, epsilon) == 0
    assert count_likely_edges(ones, edges, pairs, 2.2) == ones


def test_filling_up_takes_all_noisy_pairs_first():
    noisy = NoisyPairs(edges=5, others=5, edges_in=4, others_in=0)
    assert {noisy.nearest_graph(4, SeededNoise(seed)) for seed in range(20)} == {4}
    assert {noisy.nearest_graph(5, SeededNoise(seed)) for seed in range(40)} == {4, 5}
    assert noisy.nearest_graph(10, SeededNoise(1)) == 5


def test_forecasts_warn_before_anything_is_spent():
    facts = PublicFacts(n_nodes=4039, guesses={"edges": 88234})
    poor = TopMFilter(epsilon=ONE).forecast(facts)
    assert "about 97 %" in poor.scope
    assert "half of them true would need 4.6 times this epsilon" in poor.scope
    assert poor.interval(0.95)[1] == pytest.approx(0.972 * 88234, rel=0.01)
    good = TopMFilter(epsilon=Fraction(8)).forecast(facts)
    assert "about 3.5 %" in good.scope
    assert "half" not in good.scope
    assert forecast("adjacency", unit="edge", epsilon=1, facts=facts).algorithm == "top-m-filter"


def test_the_forecast_of_the_threshold_is_what_it_publishes():
    """Nothing, so that all edges are missing, as long as no pair is likely one; then all pairs with a bit of one."""
    facts = PublicFacts(n_nodes=4039, guesses={"edges": 88234})
    nothing = NoisyAdjacency(epsilon=ONE).forecast(facts)
    assert 88234 <= nothing.interval(0.95)[1] < 1.2 * 88234
    assert "none is published; no pair is more likely" in nothing.scope
    some = NoisyAdjacency(epsilon=Fraction(6)).forecast(facts)
    flip = 1 / (1 + math.exp(6))
    assert f"{round(88234 + (math.comb(4039, 2) - 2 * 88234) * flip):,} published edges" in some.scope


def test_no_standard_deviation_is_promised_of_choices_and_published_edges():
    for query in ("adjacency", "most-connected", "top-people"):
        with pytest.raises(ParameterError, match=f"no standard deviation is known of {query}"):
            smallest_epsilon(query, unit="edge", error=5, confidence=None, facts=PublicFacts(n_nodes=4039))
        assert smallest_epsilon(query, unit="edge", error=200, confidence=0.95, facts=PublicFacts(n_nodes=4039))


def test_a_session_publishes_a_graph_and_charges_for_it():
    session = Session(NETWORK, unit="edge", budget=2)
    release = session.adjacency(epsilon=1)
    assert session.spent == (1, 0)
    assert release.provenance.derived["edges"] == len(release.value)
    assert session.adjacency(epsilon=1, method="noisy-adjacency", projection="most-likely").value


def test_unsuitable_parameters_are_refused():
    for share in (Fraction(0), ONE):
        with pytest.raises(ParameterError, match="count_share"):
            TopMFilter(epsilon=ONE, count_share=share)
    with pytest.raises(ParameterError, match="threshold or most-likely"):
        NoisyAdjacency(epsilon=ONE, projection="best")


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(7)])
def test_a_large_graph_needs_no_matrix(epsilon):
    """Two million people have 2 * 10^12 pairs."""
    graph = Graph.from_edges([(0, 1), (5, 1_999_999), (77, 1_000_077)], n_nodes=2_000_000)
    published = publish(TopMFilter(epsilon=epsilon), graph, SeededNoise(4))
    assert published.n_edges < 200


def test_a_released_graph_is_described_in_few_words():
    def describe(graph):
        return str(Session(graph, unit="edge", budget=500, accept_weak=True).adjacency(epsilon=500)).splitlines()[0]

    assert describe(Graph.from_edges([(0, 1)], n_nodes=3)).startswith("adjacency: (0, 1) (95 %: 0 to 0 invented ones")
    assert describe(EMPTY) == "adjacency: none (95 %: 0 to 0 missing edges, as none is published)"
    assert describe(NETWORK).startswith(f"adjacency: {NETWORK.n_edges:,} rows (95 %: 0 to 0 invented ones among")
