import copy
import pickle

import numpy as np
import pytest

from graphveil.graph.core import Graph


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_a_copy_is_the_same_graph_and_as_immutable(again):
    graph = Graph.from_edges([(0, 1), (1, 2)], labels=np.array([3, 5, 8]))
    other = again(graph)
    assert other == graph
    for array in (other.indptr, other.indices, other.labels, other.degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
