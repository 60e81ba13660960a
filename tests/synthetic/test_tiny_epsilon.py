"""However small epsilon is: a graph of as many people, or a refusal that costs nothing."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import SYNTHESIZERS
from graphveil.release.session import Session
from graphveil.synthetic.dk2.from_tuples import graph_from_tuples

STAR = Graph.from_edges([(0, i) for i in range(1, 12)], n_nodes=20)
CROWD = Graph.from_edges(np.random.default_rng(1).integers(0, 3000, (9000, 2)), n_nodes=3000)
names = pytest.mark.parametrize("name", [method.name for method in SYNTHESIZERS if not method.refuted])


@names
def test_what_is_paid_for_gives_a_graph(name: str) -> None:
    session = Session(STAR, unit="edge", budget=1, noise=SeededNoise(1))
    release = session.synthesize(name, epsilon="0.001")
    assert {release.sample(seed).n_nodes for seed in (1, 2)} == {20}


@names
@pytest.mark.parametrize("graph", [STAR, CROWD], ids=["few", "many"])
@pytest.mark.parametrize(("unit", "epsilon"), [("edge", "0.0009"), ("edge", "0.000000001"), ("5-edge", "0.004")])
def test_what_would_be_noise_is_refused_for_nothing(name: str, graph: Graph, unit: str, epsilon: str) -> None:
    session = Session(graph, unit=unit, budget=1)
    with pytest.raises(ParameterError, match=r"a synthetic graph needs an epsilon of 0\.001 or more"):
        session.synthesize(name, epsilon=epsilon)
    assert session.spent == (0, 0)


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
