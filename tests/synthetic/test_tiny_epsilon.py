"""However small epsilon is: a graph of as many people, or a refusal that costs nothing."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SeededNoise
from graphveil.release.session import Session
from graphveil.synthetic.from_tuples import graph_from_tuples
from graphveil.synthetic.registry import METHODS

STAR = Graph.from_edges([(0, i) for i in range(1, 12)], n_nodes=20)
LEAST = {"veil": 0.001, "privskg": 0.00002}  # they draw from ladders, which have more rungs the smaller epsilon is


@pytest.mark.parametrize("epsilon", ["0.001", "0.00002", "0.000000001"])
@pytest.mark.parametrize("name", [method.name for method in METHODS if not method.refuted])
def test_what_is_paid_for_gives_a_graph(name: str, epsilon: str) -> None:
    session = Session(STAR, unit="edge", budget=1, noise=SeededNoise(1))
    if float(epsilon) < LEAST.get(name, 0):
        with pytest.raises(ParameterError, match=f"at least {LEAST[name]:g}"):
            session.synthesize(name, epsilon=epsilon)
        assert session.left[0] == 1
        return
    release = session.synthesize(name, epsilon=epsilon)
    assert {release.sample(seed).n_nodes for seed in (1, 2)} == {20}


def test_counts_of_more_edges_than_people_can_have_still_give_a_graph() -> None:
    made = graph_from_tuples(np.array([[2, 3], [4, 4]]), np.array([10**12, 10**11]), 20, seed=1, exactly=True)
    assert made.n_nodes == 20
    assert made.n_edges > 0


def test_people_without_friends_stay_in_a_graph_that_follows_people() -> None:
    """They were read off the edges, yet somebody may have none in a drawn graph, and is there all the same."""
    friends = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    assert not friends.roster_declared
    release = Session(friends, unit="edge", budget=1, noise=SeededNoise(1)).synthesize("tmf", epsilon=1)
    assert release.sample(1).roster_declared
