from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import least_successes, skewed_graph

from graphveil.central.edge.degree_distribution import DegreeDistribution
from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.central.node.degree_distribution import NodeDegreeDistribution
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run

QUERIES = [(DegreeDistribution, DegreeHistogram), (NodeDegreeDistribution, NodeDegreeHistogram)]


@pytest.mark.parametrize(("distribution", "histogram"), QUERIES)
def test_a_distribution_is_the_histogram_over_its_sum(distribution, histogram) -> None:
    graph = skewed_graph(400, 1500, seed=1)
    shares = np.array(run(distribution(epsilon=Fraction(1)), graph, SeededNoise(1)).value)
    counts = np.array(run(histogram(epsilon=Fraction(1)), graph, SeededNoise(1)).value)
    assert np.allclose(shares, counts / counts.sum())


@pytest.mark.parametrize(("distribution", "histogram"), QUERIES)
def test_the_band_covers_all_shares_as_often_as_it_says(distribution, histogram) -> None:
    graph, noise, runs = skewed_graph(300, 1500, seed=2), SeededNoise(2), 40
    hits = 0
    for _ in range(runs):
        low, high = run(distribution(epsilon=Fraction(1)), graph, noise).accuracy.interval(0.8)
        truth = np.bincount(graph.degrees, minlength=len(low))[: len(low)] / graph.n_nodes
        hits += bool(np.all(np.array(low) <= truth + 1e-9) and np.all(truth <= np.array(high) + 1e-9))
    assert hits >= least_successes(runs, 0.8)


@pytest.mark.parametrize(("distribution", "histogram"), QUERIES)
def test_guarantee_forecast_and_system_noise(distribution, histogram) -> None:
    query = distribution(epsilon=Fraction(1, 2))
    assert query.guarantee.epsilon == Fraction(1, 2)
    assert query.guarantee.unit == histogram(epsilon=Fraction(1, 2)).guarantee.unit
    facts = PublicFacts(n_nodes=1000)
    assert query.forecast(facts).std == pytest.approx(histogram(epsilon=Fraction(1, 2)).forecast(facts).std / 1000)
    answer = run(query, skewed_graph(100, 300, seed=3), SystemNoise())
    assert sum(answer.value) == pytest.approx(1)
    assert sum(stage.epsilon for stage in answer.stages) == Fraction(1, 2)
    with pytest.raises(ParameterError, match="epsilon"):
        distribution(epsilon=Fraction(0))
