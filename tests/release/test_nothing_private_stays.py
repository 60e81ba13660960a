"""After a session is gone, nothing made from its private graph is left in the process."""

import gc

import pytest

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.release.session import Session
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

QUERIES = ["triangles", "2-stars", "3-stars", "average-clustering", "transitivity"]


def private_objects() -> list[object]:
    gc.collect()
    return [each for each in gc.get_objects() if type(each) in (Graph, Ladder, SmoothedLadder)]


@pytest.mark.parametrize("query", QUERIES)
def test_no_graph_and_no_ladder_outlives_a_session(query: str) -> None:
    before = {id(each) for each in private_objects()}
    session = Session(power_law_cluster(70, 3, 0.5, seed=9), unit="edge", budget=5)
    release = session.release(query, epsilon=5)
    del session
    assert not [type(each).__name__ for each in private_objects() if id(each) not in before]
    assert release.query == query
