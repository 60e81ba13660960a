"""Campaigns with two servers as a user tries them: real shares or none, the same numbers; and what is refused."""

from itertools import combinations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.local.experiment import run_experiment
from graphveil.two_servers.experiment import OPTIONS, run_two_servers


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(3)
    chances = np.triu(rng.random((60, 60)) < 0.2, 1)
    hub = np.array([[0, j] for j in range(1, 60)])
    return Graph.from_edges(np.concatenate((np.argwhere(chances), hub)), n_nodes=60)


@pytest.mark.parametrize("statistic", [each for each in OPTIONS if each != "attribute-shares"])
def test_shares_change_nothing(graph, statistic):
    documents = [
        run_two_servers(graph, statistic=statistic, unit="edge", epsilon=2, runs=2, seed=5, shares=shares)
        for shares in (True, False)
    ]
    for document in documents:
        del document["seconds"], document["shares_made"]
    assert documents[0] == documents[1]


def test_a_campaign_says_against_whom_it_protects(graph):
    document = run_two_servers(graph, statistic="triangles", unit="edge", epsilon=1)
    guarantee = document["guarantee"]
    assert (guarantee["trust"], guarantee["status"]) == ("two-servers", "proved")
    assert (guarantee["epsilon"], guarantee["relationship_epsilon"]) == (1, 2)
    assert "one of the parties" in guarantee["against"]
    assert any("no two of them share" in text for text in guarantee["assumes"])
    assert {"leader", "helper", "dealer"} <= set(document["cost"])


@pytest.mark.parametrize("statistic", ["triangles", "degree-distribution"])
def test_the_document_has_what_that_of_a_local_campaign_has(graph, statistic):
    local = run_experiment(graph, statistic=statistic, protocol="veil", unit="edge", epsilon=1, runs=1)
    two_servers = run_two_servers(graph, statistic=statistic, unit="edge", epsilon=1)
    assert local.keys() <= two_servers.keys()
    assert two_servers["memory_bytes"] > 0


def test_k_entries_at_once_cost_epsilon_together(graph):
    one, three = (
        run_two_servers(graph, statistic="edges", unit=unit, epsilon=epsilon, seed=1)
        for unit, epsilon in (("edge", 1), ("3-edge", 3))
    )
    assert one["estimate"] == three["estimate"]
    assert three["guarantee"]["relationship_epsilon"] == 6


def test_errors_shrink_with_epsilon_and_intervals_hold(graph):
    """Coverage of 60 runs: fewer than 50 held has probability 2e-4 at 95 %."""
    for statistic in ("triangles", "edges", "k-stars"):
        weak, strong = (
            run_two_servers(graph, statistic=statistic, unit="edge", epsilon=epsilon, runs=60, seed=2, shares=False)
            for epsilon in (0.5, 4)
        )
        assert strong["metrics"]["mae"] < weak["metrics"]["mae"] / 3
        assert min(weak["coverage95"], strong["coverage95"]) >= 50 / 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "node"}, "entries of a list"),
        ({"statistic": "clustering"}, "two servers answer"),
        ({"hubs": "many"}, "hubs must be auto"),
        ({"hubs": 2.5}, "not 2.5"),
        ({"max_degree": "x"}, "a whole number, not 'x'"),
        ({"statistic": "k-stars", "k": "2"}, "a whole number, not '2'"),
        ({"shares": "maybe"}, "0 or 1, not 'maybe'"),
        ({"hubs": 201}, "a number from 0 to 200"),
        ({"hubs": -1}, "a number from 0 to 200"),
        ({"max_degree": 0}, "at least 1, not 0"),
        ({"hubs": 3, "max_degree": 9}, "leave hubs at 0"),
        ({"runs": 0}, "at least one run"),
        ({"k": 3}, "unknown option k"),
        ({"statistic": "k-stars", "k": 1}, "leaves from 2 to 10"),
        ({"statistic": "edges", "max_degree": 9}, "unknown option max_degree"),
        ({"statistic": "attribute-shares"}, "--unit node"),
    ],
)
def test_what_two_servers_do_not_do_is_refused(graph, options, message):
    with pytest.raises(ParameterError, match=message):
        run_two_servers(graph, **{"statistic": "triangles", "unit": "edge", "epsilon": 1, **options})


@pytest.mark.parametrize("statistic", ["triangles", "edges", "degree-distribution", "transitivity", "k-stars"])
@pytest.mark.parametrize("epsilon", ["0.001", 1, 9999])
def test_tiny_graphs_and_extreme_epsilons_are_answered(statistic, epsilon):
    for n, edges in ((2, []), (2, [(0, 1)]), (3, [(0, 1), (0, 2), (1, 2)]), (5, list(combinations(range(5), 2)))):
        tiny = Graph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), n_nodes=n)
        document = run_two_servers(tiny, statistic=statistic, unit="edge", epsilon=epsilon, seed=1)
        assert epsilon != 9999 or document["metrics"]["relative_error"] < 0.01


def test_more_people_than_a_server_has_memory_for_are_refused():
    many = Graph.from_edges([(0, 1)], n_nodes=10_001)
    with pytest.raises(ParameterError, match="at most 10,000 people, not 10,001"):
        run_two_servers(many, statistic="triangles", unit="edge", epsilon=1, shares=True)
    assert not run_two_servers(many, statistic="triangles", unit="edge", epsilon=1)["shares_made"]


def test_answers_to_a_question_are_counted_with_and_without_shares(graph):
    answers = np.arange(60) % 3
    documents = [
        run_two_servers(
            graph,
            statistic="attribute-shares",
            unit="node",
            epsilon=4,
            seed=1,
            values="a,b,c",
            answers=answers,
            shares=shares,
        )
        for shares in (True, False)
    ]
    assert documents[0]["metrics"] == documents[1]["metrics"]
    assert documents[0]["metrics"]["relative_error"] < 0.1
    assert documents[0]["guarantee"]["unit"] == "node"


def test_paths_of_hubs_are_not_cut_where_transitivity_is_asked():
    """A star of 300 with some triangles: nearly all paths are the hub's, so cutting it would multiply the ratio."""
    pairs = [(0, leaf) for leaf in range(1, 300)] + [(leaf, leaf + 1) for leaf in range(1, 150)]
    star = Graph.from_edges(pairs, n_nodes=300)
    document = run_two_servers(star, statistic="transitivity", unit="edge", epsilon=20, runs=20, seed=1)
    assert document["metrics"]["relative_error"] < 0.1
    assert document["coverage95"] >= 0.8  # below 16 of 20 has probability 3e-4 at 95 %
