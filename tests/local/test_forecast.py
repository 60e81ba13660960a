from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.degrees.frequency import OptimalUnaryDegrees
from graphveil.local.degrees.veil import VeilDegrees
from graphveil.local.forecast import forecast_degrees, forecast_network, invented_degrees
from graphveil.registry import build_protocol


def test_the_invented_people_have_the_guessed_mean() -> None:
    for mean in (3, 20, 80):
        assert invented_degrees(20_000, mean).mean() == pytest.approx(mean, rel=0.05)


def test_a_budget_too_small_to_beat_a_guess_is_called_so() -> None:
    weak = forecast_degrees(VeilDegrees(epsilon="1/20", n_people=300), mean_degree=10, runs=3)
    strong = forecast_degrees(VeilDegrees(epsilon=3, n_people=3000), mean_degree=10, runs=2)
    useless = forecast_degrees(OptimalUnaryDegrees(epsilon=1, n_people=3000), mean_degree=10, runs=2)
    assert strong.advice.startswith("worth asking")
    assert strong.metrics["wasserstein"] < strong.guess["wasserstein"] / 2
    assert useless.advice.startswith("do not ask 3,000 people at epsilon 1")
    assert weak.metrics["wasserstein"] > strong.metrics["wasserstein"]
    assert np.isfinite(list(weak.metrics.values())).all()


def test_impossible_guesses_are_refused() -> None:
    for mean in (0, 300, -1):
        with pytest.raises(ParameterError):
            forecast_degrees(VeilDegrees(epsilon=1, n_people=300), mean_degree=mean)


def test_a_network_is_rehearsed_and_a_budget_too_small_is_told() -> None:
    good = forecast_network(
        build_protocol("triangle-sequence", "veil", unit="edge", epsilon=4, n_people=600), mean_degree=24
    )
    assert good.advice.startswith("worth asking")
    assert good.metrics["mae"] < good.guess["mae"] / 2
    poor = forecast_network(
        build_protocol("triangle-sequence", "plain", unit="node", epsilon=1, n_people=600), mean_degree=24
    )
    assert poor.advice.startswith("do not ask 600 people at epsilon 1")
    clustering = build_protocol("clustering", "veil", unit="edge", epsilon=6, n_people=600)
    assert forecast_network(clustering, mean_degree=24, clustering=0.3).metrics["mae"] < 0.3
    for options in ({"mean_degree": 400}, {"mean_degree": 24, "clustering": 2}):
        with pytest.raises(ParameterError):
            forecast_network(clustering, **options)


def test_a_number_is_rehearsed_against_a_guess_that_is_half_wrong() -> None:
    advice = {
        epsilon: forecast_network(
            build_protocol("triangles", "veil", unit="edge", epsilon=epsilon, n_people=1000), mean_degree=20
        ).advice
        for epsilon in (3, "1/50")
    }
    assert advice[3].startswith("worth asking: expect to be 0.0")
    assert advice["1/50"].startswith("do not ask 1,000 people at epsilon 0.02")
    with pytest.raises(ParameterError, match="forecast_degrees"):
        forecast_network(VeilDegrees(epsilon=1, n_people=300), mean_degree=10)


def test_a_forecast_does_not_rest_on_three_lucky_runs() -> None:
    """The mean error is no smaller than the stated deviation gives, whatever the few runs met."""
    parameters = {"strengths": ("1/2", "1", "2")}
    protocol = build_protocol("triangles", "preference", unit="edge", epsilon=2, n_people=300, parameters=parameters)
    for seed in range(1, 9):
        found = forecast_network(protocol, mean_degree=10, clustering=0.5, seed=seed)
        network = power_law_cluster(300, 5, 0.5, seed=seed)
        assert found.metrics["relative_error"] >= 0.79 * found.std / exact_triangles(network)
