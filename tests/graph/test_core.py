import copy
import pickle

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_a_copy_is_the_same_graph_and_as_immutable(again):
    graph = Graph.from_edges([(0, 1), (1, 2)], labels=np.array([3, 5, 8]))
    other = again(graph)
    assert other == graph
    for array in (other.indptr, other.indices, other.labels, other.degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_people_read_off_the_edges_are_not_declared():
    """One person leaving could take others along: without 9, there would be two people and not ten."""
    pairs = [(0, 1), (1, 9)]
    assert not Graph.from_edges(pairs).roster_declared
    assert Graph.from_edges(pairs, n_nodes=10).roster_declared
    named = {"labels": np.array(["ann", "bob"])}
    assert not Graph.from_edges([(0, 1)], **named).roster_declared
    assert Graph.from_edges([(0, 1)], n_nodes=2, **named).roster_declared
    assert Graph.from_edges([(0, 1)], roster_declared=True, **named).roster_declared


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 1, 2], [1, 5]), ([0, 1, 2], [1, -1]), ([0, 2, 1], [1]), ([0, 1, 1], [1, 0]), ([1, 1, 2], [0])],
)
def test_rows_that_point_outside_are_refused(indptr, indices):
    with pytest.raises(ParameterError):
        Graph(2, np.array(indptr), np.array(indices))


def test_labels_are_distinct_and_the_graphs_own():
    names = np.array([7, 8])
    Graph.from_edges([(0, 1)], labels=names)
    names[0] = 9  # the caller's array stays the caller's
    with pytest.raises(ParameterError, match="distinct"):
        Graph.from_edges([(0, 1)], labels=np.array([7, 7]))
