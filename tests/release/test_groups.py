"""Releases about groups of people: what is counted, what it costs, what is refused."""

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
        session.edges(epsilon=Fraction(1, 100), accept_noise=True)


def test_a_repeated_request_is_answered_from_the_ledger():
    session = Session(GRAPH, unit="edge", budget=1)
    first = session.release_by_group("edges", groups=GROUPS, epsilon=0.01, accept_noise=True, request_id="g")
    again = session.release_by_group("edges", groups=GROUPS, epsilon=0.01, accept_noise=True, request_id="g")
    assert first == again
    with pytest.raises(ParameterError, match="another request"):
        session.release_by_group("edges", groups={"a": "north"}, epsilon=0.01, accept_noise=True, request_id="g")


def test_groups_are_refused_where_membership_is_private_or_unknown():
    with pytest.raises(ParameterError, match="node privacy"):
        Session(GRAPH, unit="node", budget=1).release_by_group("edges", groups=GROUPS, epsilon=1)
    session = Session(GRAPH, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="zoe"):
        session.release_by_group("edges", groups={"zoe": "north"}, epsilon=1)
    assert session.left[0] == 1


def test_candidates_and_groups_do_not_go_together():
    session = Session(GRAPH, unit="edge", budget=1)
    with pytest.raises(ParameterError, match=r"best-partition and groups \(--groups\) do not go together"):
        session.release_by_group("best-partition", groups=GROUPS, epsilon=1, options={"partitions": ((0, 0, 1, 1, 1),)})
    assert session.left[0] == 1


@pytest.mark.parametrize(
    ("groups", "complaint"),
    [
        ({}, "nobody in a group"),
        (
            {"a": "north", "d": None},
            "group of 'd' must be a name in one line or a whole number, not None; leave out who",
        ),
        ({"a": ""}, "group of 'a' must be a name"),
        ({"a": " "}, "group of 'a' must be a name"),
        ({"a": 1.0}, "group of 'a' must be a name"),
        ({"a": 1, "b": "1"}, "two groups are both called 1"),
    ],
)
def test_groups_without_a_name_of_their_own_spend_nothing(groups, complaint):
    session = Session(GRAPH, unit="edge", budget=1)
    with pytest.raises(ParameterError, match=complaint):
        session.release_by_group("edges", groups=groups, epsilon=1)
    assert session.left[0] == 1


def test_who_is_not_listed_is_in_no_group():
    session = Session(GRAPH, unit="edge", budget=50, accept_weak=True)
    groups = {"a": np.int64(1), "b": np.int64(1), "c": 2, "e": 2}
    releases = session.release_by_group("edges", groups=groups, epsilon=50)
    assert {name: release.value for name, release in releases.items()} == {"1": 1, "2": 0}  # c - d - e has lost d


def test_an_explained_group_says_who_it_is_and_what_it_leaves_out():
    releases = Session(GRAPH, unit="edge", budget=1).release_by_group("edges", groups=GROUPS, epsilon=1)
    texts = {name: release.explain() for name, release in releases.items()}
    for name, text in texts.items():
        assert text.startswith(f"edges, {name}: how this answer was made")
        assert f"kept the people of group {name} and the edges among them: edges to anybody else are left out" in text
        assert str(releases[name]).startswith(f"edges, {name}: ")
