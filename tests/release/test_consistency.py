from fractions import Fraction

import pytest

from graphveil.central.page import Answer
from graphveil.errors import ParameterError
from graphveil.graph.generate import power_law_cluster
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.release.consistency import reconcile
from graphveil.release.request import Request
from graphveil.release.session import Session


def answer(value, below=1.0, above=1.0):
    return Answer(value, Accuracy(value, 1.0, (Band(0.95, below, above),), support=(0, float("inf"))), ())


def test_triangles_are_cut_to_a_third_of_the_two_stars():
    agreed = reconcile({"triangles": answer(50, 30.0, 30.0), "2-stars": answer(100)})
    assert agreed["triangles"].value == 33
    assert agreed["triangles"].accuracy.interval(0.95) == (20, 80)  # what is known of the truth has not changed
    assert agreed["2-stars"].value == 100


def test_a_band_is_stretched_to_hold_the_value():
    agreed = reconcile({"triangles": answer(50, 1.0, 1.0), "2-stars": answer(30)})
    low, high = agreed["triangles"].accuracy.interval(0.95)
    assert low <= agreed["triangles"].value == 10 <= high == 51


@pytest.mark.parametrize(
    ("query", "value"), [("degree-sequence", (3, 1, 1, 1)), ("degree-histogram", (0.0, 3.0, 0.0, 1.0))]
)
def test_degrees_limit_triangles(query, value):
    agreed = reconcile({"triangles": answer(5), query: answer(value, (1.0,) * 4, (1.0,) * 4)})
    assert agreed["triangles"].value == 1


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
