"""Edges between groups of people, and homophily: sensitivity by brute force, exact values, intervals, refusals."""

from fractions import Fraction
from itertools import product

import igraph
import networkx
import numpy as np
import pytest
from every_small_graph import edge_neighbours, least_successes, skewed_graph

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.homophily import Homophily
from graphveil.central.attributes.mixing import Mixing
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.release.session import Session
from graphveil.statistics.mixing import homophily, homophily_ends, mixing_counts, sum_width

TABLE = {"person": [3, 5, 8, 9], "team": ["red", "blue", "red", ""], "age": [30, None, 31.0, 2]}
SQUARE = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 2)], labels=np.array([3, 5, 8, 9]))


def teams(**given) -> PeopleColumn:
    return PeopleColumn.from_columns(TABLE, attribute="team", public=True, **given)


def test_one_edge_changes_one_cell_by_one_whatever_the_groups():
    for of in map(np.array, product(range(3), repeat=4)):
        counts = {id(graph): mixing_counts(graph, of, 3) for pair in edge_neighbours(4) for graph in pair}
        for less, more in edge_neighbours(4):
            change = counts[id(more)] - counts[id(less)]
            assert sorted(change.tolist()) == [0] * 5 + [1]


def test_the_measurement_is_drawn_for_that_sensitivity():
    (measurement,) = Mixing(epsilon=Fraction(2), column=teams()).measure(SQUARE)
    assert (measurement.sensitivity, measurement.loss.epsilon) == (1, 2)
    assert measurement.exact.tolist() == [0, 2, 0, 1, 1, 0]  # blue, red, none: row by row


def test_cells_are_labelled_and_cut_to_what_is_possible():
    answer = run(Mixing(epsilon=Fraction(1, 50), column=teams()), SQUARE, SeededNoise(1))
    assert answer.derived["labels"][:2] == ("blue - blue", "blue - red")
    assert answer.derived["groups"] == ("blue", "red", "(none)")
    assert all(0 <= value <= most for value, most in zip(answer.value, (0, 2, 1, 1, 2, 0), strict=True))


def test_values_that_are_named_make_the_groups_and_others_are_none():
    column = teams(values=["red"])
    assert column.groups == ("red", "(none)")
    assert column.groups_of([3, 5, 8, 9, 77]).tolist() == [0, 1, 0, 1, 1]
    ages = PeopleColumn.from_columns(TABLE, attribute="age", public=True)
    assert ages.values == ("2", "30", "31")


def test_homophily_agrees_with_networkx():
    networkx = pytest.importorskip("networkx")
    graph = skewed_graph(80, 300, seed=4)
    of = np.arange(80) % 3
    known = networkx.Graph(list(map(tuple, graph.edges().tolist())))
    networkx.set_node_attributes(known, {node: int(of[node]) for node in known}, "group")
    expected = networkx.attribute_assortativity_coefficient(known, "group")
    assert homophily(mixing_counts(graph, of, 3), 3) == pytest.approx(expected, abs=1e-12)


def test_homophily_leaves_out_people_without_a_value():
    answer = run(Homophily(epsilon=Fraction(200), column=teams()), SQUARE, SeededNoise(1))
    assert answer.value == pytest.approx(homophily(np.array([0, 2, 1]), 2))


def test_sums_of_noise_stay_within_their_width():
    """A right bound holds too rarely with probability 1e-6; noise that is 3 times louder is seen."""
    rng = np.random.default_rng(1)
    rates, weights = np.array([0.2, 0.5, 1.0]), np.array([1.0, 2.0, 1.0])

    def draw(scale):
        law = rng.geometric(-np.expm1(-rates), (4000, 3)) - rng.geometric(-np.expm1(-rates), (4000, 3))
        return np.abs(scale * law @ weights)

    width = sum_width(rates, weights, 0.05)
    assert (draw(1) <= width).sum() >= least_successes(4000, 0.95)
    assert (draw(3) <= width).sum() < least_successes(4000, 0.95)


def test_ends_of_homophily_close_in_on_it_as_noise_falls():
    cells = np.array([400.0, 100.0, 300.0])
    truth = homophily(cells, 2)
    ends = [homophily_ends(cells, np.full(3, rate), 2, 0.05) for rate in (0.001, 0.1, 10)]
    assert ends[0] == (-1, 1)
    assert all(low <= truth <= high for low, high in ends)
    assert ends[2][1] - ends[2][0] < 0.02 < ends[1][1] - ends[1][0]


def test_a_table_of_other_people_is_refused_before_anything_is_spent():
    session = Session(SQUARE, unit="edge", budget=1)
    others = {"person": [3, 5, 8, 10], "team": ["red", "blue", "red", ""]}
    with pytest.raises(ParameterError, match="1 are missing and 1 are not in the graph"):
        session.mixing(epsilon=1, people=others, attribute="team")
    assert session.spent == (0, 0)
    assert len(session.mixing(epsilon=1, people=TABLE, attribute="team", accept_noise=True).value) == 6
    assert session.left == (0, 0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"attribute": "tema"}, "unknown attribute 'tema'; did you mean team"),
        ({"attribute": "team", "values": ["red", "red"]}, "each once"),
    ],
)
def test_a_column_that_cannot_be_used_says_why(given, message):
    with pytest.raises(ParameterError, match=message):
        PeopleColumn.from_columns(TABLE, **({"public": True} | given))


def test_a_private_column_is_refused_under_edge_privacy_and_says_nothing_of_its_cells():
    column = PeopleColumn.from_columns(TABLE, attribute="team", public=False, values=["red", "blue"])
    with pytest.raises(ParameterError, match="ask under node privacy"):
        Mixing(epsilon=Fraction(1), column=column)
    other = PeopleColumn.from_columns(
        {"person": [1], "team": ["blue"]}, attribute="team", public=False, values=["red", "blue"]
    )
    assert (str(column), column.to_json(), column.groups) == (str(other), other.to_json(), other.groups)


def test_too_many_groups_are_refused():
    table = {"person": list(range(60)), "name": [f"v{i}" for i in range(60)]}
    with pytest.raises(ParameterError, match="60 groups; 1 to 50 are allowed"):
        Mixing(epsilon=Fraction(1), column=PeopleColumn.from_columns(table, attribute="name", public=True))


def test_the_same_table_again_is_the_same_request_and_another_is_not():
    session = Session(SQUARE, unit="edge", budget=3)
    ask = {"epsilon": 1, "attribute": "team", "accept_noise": True}
    first = session.mixing(people=TABLE, **ask)
    assert session.mixing(people=TABLE, **ask) == first
    session.mixing(people=TABLE | {"team": ["blue", "blue", "red", ""]}, **ask)
    assert session.left == (1, 0)


def test_a_session_with_a_networkx_graph_knows_the_groups_of_its_nodes():
    graph = networkx.path_graph(6)
    group = {node: "ab"[node % 2] for node in graph}
    networkx.set_node_attributes(graph, group, "team")
    session = Session(graph, unit="edge", budget=2)
    ours = session.mixing(attribute="team", epsilon=1, accept_noise=True)
    assert ours.provenance.derived["groups"] == ("a", "b")
    given = session.mixing(attribute="team", people=group, epsilon=1, accept_noise=True)
    assert given.value == ours.value, "the same groups are the same question"
    assert session.left == 1
    pairs = Session([(1, 2), (2, 3)], unit="edge", budget=1)
    with pytest.raises(ParameterError, match=r"the groups of people are missing: give people= .* graph of networkx"):
        pairs.mixing(attribute="team", epsilon=1)


def test_attributes_of_nodes_are_read_whatever_library_holds_them():
    graph = networkx.path_graph(6)
    networkx.set_node_attributes(graph, {node: "ab"[node % 2] for node in graph}, "team")
    theirs = igraph.Graph.from_networkx(graph)
    theirs.vs["name"] = theirs.vs["_nx_name"]
    answers = [
        Session(each, unit="edge", budget=1, noise=SeededNoise(1)).mixing(
            attribute="team", epsilon=1, accept_noise=True
        )
        for each in (graph, theirs)
    ]
    assert answers[0].value == answers[1].value
    private = Session(graph, unit="node", people=range(6), budget=10)
    counted = private.attribute_histogram(attribute="team", values=["a", "b"], epsilon=10, accept_noise=True)
    assert len(counted.value) in (2, 3)
    graph.add_node(6)  # whose team is to be predicted
    assert len(Session(graph, unit="edge", budget=1).learn(label="team", epsilon=1).predict([6])) == 1


def test_a_refusal_does_not_list_everybody():
    attributes = {f"person {i}": {"team": "a"} for i in range(800)}
    with pytest.raises(ParameterError, match="give the networkx graph itself") as refused:
        Session([(1, 2)], unit="edge", budget=1).mixing(attribute="team", people=attributes, epsilon=1)
    assert len(str(refused.value)) < 200
    table = {f"column {i}": ["x"] for i in range(800)}
    with pytest.raises(ParameterError, match="739 more") as refused:
        Session([(1, 2)], unit="edge", budget=1).mixing(attribute="team", people=table, epsilon=1)
    assert len(str(refused.value)) < 1500
