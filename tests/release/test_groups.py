from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.subgraph import split_people
from graphveil.release.session import Session

#  a - b   c - d - e,  b - c between the groups
NAMES = np.array(["a", "b", "c", "d", "e"], dtype=np.dtypes.StringDType())
GRAPH = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)], n_nodes=5, labels=NAMES)
GROUPS = {"a": "north", "b": "north", "c": "south", "d": "south", "e": "south"}


def test_every_edge_is_in_one_part_at_most():
    parts = split_people(GRAPH, GROUPS)
    assert {name: (part.n_nodes, part.n_edges) for name, part in parts.items()} == {"north": (2, 1), "south": (3, 2)}
    assert list(parts["south"].labels) == ["c", "d", "e"]


def test_all_groups_together_cost_what_one_costs():
    session = Session(GRAPH, unit="edge", budget=20)
    releases = session.release_by_group("edges", groups=GROUPS, epsilon=20)
    assert {name: release.value for name, release in releases.items()} == {"north": 1, "south": 2}
    assert session.left[0] == 0
    assert releases["north"].guarantee.epsilon == 20
    assert any("groups are public" in text for text in releases["north"].guarantee.assumes)
    with pytest.raises(BudgetExceeded):
        session.edges(epsilon=Fraction(1, 100))


def test_a_repeated_request_is_answered_from_the_ledger():
    session = Session(GRAPH, unit="edge", budget=1)
    first = session.release_by_group("edges", groups=GROUPS, epsilon=0.01, request_id="g")
    again = session.release_by_group("edges", groups=GROUPS, epsilon=0.01, request_id="g")
    assert first == again
    with pytest.raises(ParameterError, match="another request"):
        session.release_by_group("edges", groups={"a": "north"}, epsilon=0.01, request_id="g")


def test_groups_are_refused_where_membership_is_private_or_unknown():
    with pytest.raises(ParameterError, match="node privacy"):
        Session(GRAPH, unit="node", budget=1).release_by_group("edges", groups=GROUPS, epsilon=1)
    session = Session(GRAPH, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="zoe"):
        session.release_by_group("edges", groups={"zoe": "north"}, epsilon=1)
    assert session.left[0] == 1


def test_groups_that_the_candidates_do_not_list_spend_nothing():
    session = Session(GRAPH, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="partitions list 5 people; the graph has 2"):
        session.release_by_group("best-partition", groups=GROUPS, epsilon=1, partitions=((0, 0, 1, 1, 1),))
    assert session.left[0] == 1
