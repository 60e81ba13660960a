"""Rows of class counts that people send themselves: what an entry and a friendship lose, and predictions from them."""

from itertools import combinations, product

import numpy as np
import pytest

from graphveil.errors import ParameterError, ReportRefused
from graphveil.graph.core import Graph
from graphveil.learn.estimator import GraphClassifier
from graphveil.learn.people import LabelledPeople
from graphveil.local.attributes.class_rows import LocalClassRows, exact_cells, parameters_of
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.protocol_check import check_messages
from graphveil.local.simulate import simulate


def rows(protocol: LocalClassRows, graph: Graph) -> np.ndarray:
    return protocol.exact(RoundContext(), Lists.of_graph(graph))["row"]


def dearest(kind: type[LocalClassRows]) -> int:
    """The most that one friendship moves all rows by: four people, all roles, all graphs."""
    pairs, most = list(combinations(range(4), 2)), 0
    for roles in product("012", repeat=4):
        if "0" not in roles or "2" not in roles:
            continue
        labels = " ".join("-" if role == "2" else str(place % 2) for place, role in enumerate(roles))
        protocol = kind(epsilon=1, n_people=4, labels=labels, roles="".join(roles))
        for pair, chosen in product(pairs, range(0, 64, 7)):
            others = [other for place, other in enumerate(pairs) if chosen >> place & 1 and other != pair]
            before, after = (Graph.from_edges(each, n_nodes=4) for each in (others, [*others, pair]))
            most = max(most, int(np.abs(rows(protocol, before) - rows(protocol, after)).sum()))
    return most


class BothEnds(LocalClassRows):
    def counts_entries(self, people, friends):
        labels, _ = self.facts
        return labels[friends] >= 0


def test_a_friendship_moves_one_count_of_one_end_and_two_if_both_counted():
    assert dearest(LocalClassRows) == 1
    assert dearest(BothEnds) == 2
    guarantee = LocalClassRows(epsilon=1, n_people=6).guarantee
    assert guarantee.epsilon == guarantee.relationship_epsilon == 1


def test_the_messages_cost_what_they_say():
    check_messages(LocalClassRows(epsilon=1, n_people=6))


def communities(seed: int = 1) -> tuple[Graph, LabelledPeople, np.ndarray]:
    """Two groups of 100 people, mostly friends within a group; a quarter of the labels are to be predicted."""
    choice = np.random.default_rng(seed)
    group = np.arange(200) % 2
    pairs = np.array(list(combinations(range(200), 2)))
    chance = np.where(group[pairs[:, 0]] == group[pairs[:, 1]], 0.12, 0.02)
    graph = Graph.from_edges(pairs[choice.random(len(pairs)) < chance], n_nodes=200)
    hidden = choice.permutation(200)[:50]
    labels = ["" if person in hidden else "xy"[group[person]] for person in range(200)]
    return graph, LabelledPeople.from_columns({"person": range(200), "group": labels}, label="group"), hidden


def test_rows_of_a_campaign_serve_the_classifier_and_the_stated_accuracy_holds():
    graph, people, hidden = communities()
    built = LocalClassRows(epsilon=2, n_people=200, **parameters_of(people))
    outcome = simulate(built, graph, seed=3)
    classifier = GraphClassifier(outcome.release, people).fit()
    truth = np.array(["xy"[person % 2] for person in hidden])
    assert classifier.score([str(person) for person in hidden], truth) > 0.8
    share, low, high = classifier.accuracy()
    assert low <= classifier.score([str(person) for person in hidden], truth) <= high + 0.05
    assert share > 0.7
    quiet = simulate(LocalClassRows(epsilon=40, n_people=200, **parameters_of(people)), graph, seed=3)
    assert np.abs(quiet.value - exact_cells(graph, built)).max() <= 1


def test_rows_that_no_client_sends_and_parameters_that_do_not_fit_are_refused():
    protocol = LocalClassRows(epsilon=1, n_people=6)
    context, people = RoundContext(), np.array([0])
    (payload,) = protocol.pack(context, people, np.array([[3, -6]]))
    assert protocol.unpack(context, people, [payload]).tolist() == [[3, -6]]
    for bad in (payload[:-1], np.array([7, 0], dtype=">i4").tobytes()):
        with pytest.raises(ReportRefused):
            protocol.unpack(context, people, [bad])
    for labels, roles in (
        ("0 1", "00"),
        ("0 1 2 - - -", "000222"),
        ("0 1 0 - - -", "002222"),
        ("0 - - - - -", "122222"),
    ):
        with pytest.raises(ParameterError):
            LocalClassRows(epsilon=1, n_people=6, labels=labels, roles=roles)
