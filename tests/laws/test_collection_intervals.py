"""The 95 % intervals of collected numbers hold as often as they say, from public and noisy values alone.

Quick: an invented network. At full size: the real graphs on which the figures of the guide were measured. The twin has
counts with noise 30 % louder than the interval believes in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, chi2

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.experiment import share_held
from graphveil.local.randomizers import ScaledStaircase
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.registry import build_protocol

ALPHA = 1e-6
DRAWS, FULL_DRAWS = 300, 300
NETWORK = power_law_cluster(400, 8, 0.6, seed=5)
SPARSE = power_law_cluster(800, 4, 0.6, seed=5)  # where answers about pairs by themselves say little, so counts decide
NUMBERS = (
    ("triangles", "veil", {}),
    ("triangles", "veil-two-rounds", {}),
    ("triangles", "veil-low-download", {"pairs_one_in": 4}),
    ("triangles", "one-end", {}),
    ("triangles", "vc", {}),
    ("triangles", "local2rounds", {}),
    ("triangles", "arr-full", {}),
    ("triangles", "rnl", {}),
    ("transitivity", "veil", {}),
)
QUICK = (("triangles", "veil"),)
over_numbers = pytest.mark.parametrize(
    ("statistic", "protocol", "parameters"),
    [pytest.param(*row, id="-".join(row[:2]), marks=() if row[:2] in QUICK else pytest.mark.laws) for row in NUMBERS],
)
over_graphs = pytest.mark.parametrize("graph", ["ego-Facebook", "ca-AstroPh", "email-Enron"])


def scores(graph: Graph, statistic: str, protocol: str, parameters: dict[str, Any], draws: int, epsilon: int) -> Any:
    """By how many stated deviations each run was off."""
    built = build_protocol(
        statistic, protocol, unit="edge", epsilon=epsilon, n_people=graph.n_nodes, parameters=parameters
    )
    truth = find_statistic(statistic).exact(graph)
    outcomes = [simulate(built, graph, seed=500 + i) for i in range(draws)]
    return np.array([(outcome.value - truth) / outcome.estimate.std for outcome in outcomes])


def holds(errors: Any) -> bool:
    """As often as 95 % allows, and in all no farther off than stated."""
    enough = int((abs(errors) <= 1.96).sum()) >= binom.ppf(ALPHA, len(errors), 0.95)
    return bool(enough and (errors**2).sum() <= chi2.ppf(1 - ALPHA, len(errors)))


def louder(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ScaledStaircase.draw

    def loud(self: Any, people: Any, exact: Any, noise: Any) -> Any:
        drawn = plain(self, people, exact, noise) - exact.values
        return exact.values + drawn + 3 * drawn // 10

    monkeypatch.setattr(ScaledStaircase, "draw", loud)


@over_numbers
def test_intervals_hold_and_are_not_idle(statistic: str, protocol: str, parameters: dict[str, Any]) -> None:
    errors = scores(NETWORK, statistic, protocol, parameters, DRAWS, 2)
    assert holds(errors)
    assert np.mean(errors**2) > 0.5  # no wider than by 40 %


def test_louder_counts_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    louder(monkeypatch)
    assert not holds(scores(SPARSE, "triangles", "veil", {}, DRAWS, 1))


@pytest.mark.laws
@pytest.mark.needs_data
@over_graphs
def test_intervals_hold_on_real_graphs(graph: str) -> None:
    errors = scores(load_dataset(graph), "triangles", "veil", {}, FULL_DRAWS, 1)
    assert holds(errors)
    assert (abs(errors) <= 1.96).mean() >= 0.94
    assert np.mean(errors**2) > 0.5
    assert not holds(1.3 * errors / np.sqrt(np.mean(errors**2)))  # were they 30 % farther off than stated


@pytest.mark.laws
@pytest.mark.needs_data
@pytest.mark.parametrize(
    ("statistic", "unit", "least"),
    [("triangle-sequence", "edge", 0.94), ("clustering", "edge", 0.94), ("degree-distribution", "node", 0.94)],
)
@over_graphs
def test_entries_have_intervals_that_hold(graph: str, statistic: str, unit: str, least: float) -> None:
    network = load_dataset(graph)
    protocol = build_protocol(statistic, "veil", unit=unit, epsilon=1, n_people=network.n_nodes)
    truth = find_statistic(statistic).exact(network)
    shares = [share_held(simulate(protocol, network, seed=40 + i), truth) for i in range(3)]
    assert np.mean(np.array(shares, dtype=np.float64)) >= least


@pytest.mark.laws
@pytest.mark.needs_data
@over_graphs
def test_degree_intervals_hold_for_people_not_only_for_degrees_that_nobody_has(graph: str) -> None:
    network = load_dataset(graph)
    protocol = build_protocol("degree-distribution", "veil", unit="node", epsilon=1, n_people=network.n_nodes)
    truth = find_statistic("degree-distribution").exact(network)
    shares = [share_held(simulate(protocol, network, seed=40 + i), truth, truth) for i in range(40)]
    assert np.mean(np.array(shares, dtype=np.float64)) >= 0.94


@pytest.mark.laws
@pytest.mark.needs_data
@over_graphs
def test_intervals_of_few_pairs_looked_at_hold_on_real_graphs(graph: str) -> None:
    errors = scores(load_dataset(graph), "triangles", "veil-low-download", {}, 150, 1)
    assert holds(errors)
    assert (abs(errors) <= 1.96).mean() >= 0.93
    assert np.mean(errors**2) > 0.5
