import itertools
from fractions import Fraction

import pytest
from graphveil_popular.query import PopularPeople

from graphveil.graph.core import Graph
from graphveil.testing import conformance_checks


@pytest.mark.parametrize("check", conformance_checks("graphveil_popular"), ids=str)
def test_the_algorithm_conforms(check):
    check()


def test_no_edge_changes_the_count_by_more_than_the_sensitivity():
    query = PopularPeople(epsilon=Fraction(1), threshold=2)
    pairs = list(itertools.combinations(range(4), 2))
    reached = set()
    for edges in itertools.chain.from_iterable(itertools.combinations(pairs, size) for size in range(7)):
        for edge in edges:
            fewer = [other for other in edges if other != edge]
            counts = [query.exact(Graph.from_edges(some, n_nodes=4)) for some in (edges, fewer)]
            reached.add(abs(counts[0] - counts[1]))
    assert max(reached) == query.sensitivity
