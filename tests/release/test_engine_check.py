"""What an engine cannot answer is refused before anything is spent; what it answers is the same."""

from fractions import Fraction

import pytest

from graphveil.errors import UnsupportedByEngine
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.hidden_rows import HiddenRows
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.engine_check import answerable_methods, answerable_queries, methods_without_rows
from graphveil.release.job import Request
from graphveil.release.session import Session

GRAPH = power_law_cluster(150, 4, 0.4, seed=2)


def sessions(unit):
    return [Session(graph, unit=unit, budget=99, noise=SeededNoise(8)) for graph in (GRAPH, HiddenRows(GRAPH))]


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_a_table_without_rows_gives_the_very_same_releases(unit):
    asked = answerable_queries(unit)
    requests = [
        Request(query, Fraction(2), method=methods_without_rows(query, unit)[0], accept_noise=True) for query in asked
    ]
    assert {"edges", "degree-histogram", "triangles", "2-stars"} <= {request.query for request in requests}
    ours, theirs = (
        [{**item.to_json(), "provenance": None} for item in session.release_all(requests)] for session in sessions(unit)
    )
    assert ours == theirs


def test_synthesis_measures_the_very_same_numbers():
    assert {"veil", "dk2-soft", "dp-1k", "dp-2k"} <= set(answerable_methods())
    for method in ("veil", "dk2-soft", "dp-2k"):
        ours, theirs = (session.synthesize(method, epsilon=2).fit.targets for session in sessions("edge"))
        assert ours == theirs


def test_what_needs_rows_is_refused_in_one_line_and_costs_nothing():
    _, session = sessions("edge")
    everything = [
        lambda: session.release("4-cycles", epsilon=1),
        lambda: session.release_all([Request("edges", Fraction(1)), Request("4-cycles", Fraction(1))]),
        lambda: session.synthesize("veil", epsilon=5),  # may ask for a noisy bit of every pair
        lambda: session.synthesize("tmf", epsilon=1),
        lambda: session.synthesize("dp-1k", epsilon=1, attributes=dict.fromkeys(range(150), "a")),
        lambda: session.release_by_group("edges", groups=dict.fromkeys(range(150), "a"), epsilon=1),
    ]
    for ask in everything:
        with pytest.raises(UnsupportedByEngine, match="leave out --engine") as refusal:
            ask()
        assert "\n" not in str(refusal.value)
    assert session.spent[0] == 0


def test_the_refusal_lists_what_is_answered():
    _, session = sessions("edge")
    with pytest.raises(UnsupportedByEngine, match=r"hidden-rows engine answers edges, max-degree, degree-histogram"):
        session.release("4-cliques", epsilon=1)


def test_where_the_default_needs_rows_the_refusal_names_the_method_that_does_not():
    _, session = sessions("node")
    with pytest.raises(UnsupportedByEngine, match="ask for method node-edge-count, or leave out --engine"):
        session.edges(epsilon=1)
    assert session.spent[0] == 0
    assert session.edges(epsilon=1, method="node-edge-count").value >= 0
