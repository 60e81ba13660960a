"""Answers of one batch agree with each other, and precise ones are not moved by noisy ones."""

from fractions import Fraction

import pytest

from graphveil.central.query import Answer
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.job import Request
from graphveil.release.reconcile import reconcile
from graphveil.release.session import Session


def answer(value, below=1.0, above=1.0):
    return Answer(value, Accuracy(value, 1.0, (Band(0.95, below, above),), support=(0, float("inf"))), ())


def test_triangles_are_cut_to_a_third_of_the_two_stars_there_can_be():
    agreed = reconcile({"triangles": answer(50, 30.0, 30.0), "2-stars": answer(98, 5.0, 2.0)})
    assert agreed["triangles"].value == 33
    assert agreed["triangles"].accuracy.interval(0.95) == (20, 80)  # what is known of the truth has not changed
    assert agreed["2-stars"].value == 98


def test_a_band_is_stretched_to_hold_the_value():
    agreed = reconcile({"triangles": answer(50, 1.0, 1.0), "2-stars": answer(29)})
    low, high = agreed["triangles"].accuracy.interval(0.95)
    assert low <= agreed["triangles"].value == 10 <= high == 51


@pytest.mark.parametrize(
    ("query", "value", "most"),
    [
        ("degree-sequence", (3, 1, 1, 1), 3),  # one with 4 neighbours, three with 2: nine 2-stars, three triangles
        ("degree-histogram", (0.0, 3.0, 0.0, 1.0), 2),  # two with 3, one with 2: seven 2-stars
        ("degree-distribution", (0.0, 0.75, 0.0, 0.25), 2),
    ],
)
def test_degrees_limit_triangles(query, value, most):
    more = {"degree-distribution": 0.25}.get(query, 1.0)
    agreed = reconcile({"triangles": answer(5), query: answer(value, (more,) * 4, (more,) * 4)}, people=4)
    assert agreed["triangles"].value == most


def test_cut_degrees_limit_nothing():
    for query, value in (("degree-histogram", (0.0, 3.0, 0.0, 1.0)), ("2-stars", 4)):
        told = answer(value, float("inf"), 1.0) if query == "degree-histogram" else answer(value, 1.0, float("inf"))
        assert reconcile({"triangles": answer(50), query: told})["triangles"].value == 50


@pytest.mark.parametrize("query", ["degree-histogram", "degree-sequence", "degree-distribution", "2-stars"])
def test_a_precise_count_is_not_moved_by_the_noise_of_degrees(query):
    """In cliques all 2-stars are closed: the limit is the number itself, and noise would lower it half of the time."""
    cliques = [(20 * c + i, 20 * c + j) for c in range(10) for i in range(20) for j in range(i)]
    graph = Graph.from_edges(cliques)
    cut = 0
    for seed in range(20):
        session = Session(graph, unit="edge", budget=10, noise=SeededNoise(seed))
        triangles, _ = session.release_all([Request("triangles", Fraction(1)), Request(query, Fraction(1))])
        cut += any("cut to a third" in stage.text for stage in triangles.stages)
    assert cut <= 5  # a 95 % end is passed in one draw of twenty at most; more than five of twenty once in 3,000


def test_what_agrees_already_is_left_alone():
    answers = {"triangles": answer(5), "2-stars": answer(100), "nodes": answer(7)}
    assert reconcile(answers) == answers


def test_a_histogram_is_scaled_to_the_people_released_with_it():
    histogram = answer((2.0, 6.0), (1.0, 1.0), (1.0, 1.0))
    agreed = reconcile({"degree-histogram": histogram, "nodes": answer(4)})
    assert agreed["degree-histogram"].value == (1.0, 3.0)
    assert agreed["degree-histogram"].accuracy.interval(0.95) == ((1.0, 3.0), (3.0, 7.0))


def test_a_batch_of_a_session_agrees():
    graph = power_law_cluster(300, 3, 0.9, seed=2)
    session = Session(graph, unit="node", budget=10)
    people, histogram = session.release_all([Request("nodes", Fraction(5)), Request("degree-histogram", Fraction(5))])
    assert sum(histogram.value) == pytest.approx(people.value)


def test_a_query_stands_in_a_batch_once():
    session = Session(power_law_cluster(30, 3, 0.9, seed=2), unit="edge", budget=10)
    with pytest.raises(ParameterError, match="once"):
        session.release_all([Request("edges", Fraction(1)), Request("edges", Fraction(1))])


def test_an_answer_without_a_band_limits_nothing_and_fails_nothing():
    bare = Answer((3, 1, 1, 1), Accuracy((3, 1, 1, 1), None, ()), ())
    assert reconcile({"degree-sequence": bare})["degree-sequence"] is bare
    assert reconcile({"degree-sequence": bare, "triangles": answer(5)})["triangles"].value == 5
