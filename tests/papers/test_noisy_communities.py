"""Communities and modularity from noisy answers: LF-GDPR's second metric."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.communities import exact_modularity
from graphveil.local.simulate import simulate
from graphveil.registry import build_protocol

N, GROUPS = 200, 4


def planted() -> Graph:
    rng = np.random.default_rng(1)
    chance = np.where(np.subtract.outer(np.arange(N) % GROUPS, np.arange(N) % GROUPS) == 0, 0.6, 0.02)
    return Graph.from_edges(np.argwhere(np.triu(rng.random((N, N)) < chance, 1)), n_nodes=N)


def facts(epsilon: int, graph: Graph):
    protocol = build_protocol(
        "clustering", "lf-gdpr", unit="edge", epsilon=epsilon, n_people=N, parameters={"communities": 1}
    )
    return simulate(protocol, graph, seed=2).estimate.facts


def test_planted_communities_are_found_and_their_modularity_is_told() -> None:
    """Within five deviations, and the little that the estimate leans low by; blurred answers show nothing."""
    graph, found = planted(), facts(4, planted())
    assert found["communities"] == [50, 50, 50, 50]
    assert len(set(zip(found["community_of"], np.arange(N) % GROUPS, strict=True))) == GROUPS
    truth = exact_modularity(graph, np.array(found["community_of"]))
    assert abs(found["modularity"] - truth) < 5 * found["modularity_std"] < 0.2
    low, high = found["modularity_interval95"]
    assert low <= truth <= high < low + 0.2
    nothing = Graph.from_edges([(0, 1)], n_nodes=N)
    blurred = facts(1, nothing)
    assert blurred["communities"] == [N]
    assert -0.5 <= blurred["modularity_interval95"][0] <= blurred["modularity_interval95"][1] <= 1


def test_a_modularity_that_cannot_be_is_not_stated() -> None:
    """Noise takes the estimate of three people who know each other to 27."""
    protocol = build_protocol(
        "clustering", "lf-gdpr", unit="edge", epsilon=2, n_people=3, parameters={"communities": 1}
    )
    found = simulate(protocol, Graph.from_edges([(0, 1), (1, 2), (0, 2)], n_nodes=3), seed=1).estimate.facts
    low, high = found["modularity_interval95"]
    assert found["modularity_std"] > 10
    assert -0.5 <= low <= found["modularity"] <= high <= 1


def test_too_many_people_are_refused() -> None:
    with pytest.raises(ParameterError, match="at most 10,000"):
        build_protocol("clustering", "lf-gdpr", unit="edge", epsilon=1, n_people=20_000, parameters={"communities": 1})
