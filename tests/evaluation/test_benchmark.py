import json
from dataclasses import dataclass

import pytest

from graphveil.central.query import IntegerStatistic
from graphveil.errors import ParameterError
from graphveil.evaluation.benchmark import benchmark
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.degrees.frequency import KaryDegrees
from graphveil.registry import find_protocol

NETWORK = power_law_cluster(60, 3, 0.5, seed=2)


def test_all_algorithms_for_a_question_are_compared_under_the_same_seeds():
    scores = benchmark(NETWORK, "degree-sequence", unit="edge", epsilon=20, runs=2)
    assert [score.listing.name for score in scores] == ["young-degree-sequence", "isotonic-degree-sequence"]
    for score in scores:
        assert 0 <= score.metrics["mae"] < 1  # hardly any noise is left at this epsilon
        assert 0 <= score.metrics["interval95_holds"] <= 1
        assert score.to_json()["status"] == "proved"
    again = benchmark(NETWORK, "degree-sequence", unit="edge", epsilon=20, runs=2)
    assert [score.metrics for score in again] == [score.metrics for score in scores]


def test_more_epsilon_means_less_error():
    small, large = (
        benchmark(NETWORK, "edges", unit="edge", epsilon=epsilon, runs=20)[0].metrics["mae"] for epsilon in (0.1, 10)
    )
    assert small > 1 > large


def test_an_error_is_measured_only_where_the_answer_is_a_number():
    (score,) = benchmark(NETWORK, "most-connected", unit="edge", epsilon=1, runs=1)
    assert score.metrics == {}
    assert benchmark(NETWORK, "best-partition", unit="edge", epsilon=1, runs=1) == []  # it wants candidates


def test_there_is_no_relative_error_where_the_truth_is_0():
    star = Graph.from_edges([(0, i) for i in range(1, 20)])
    assert set(benchmark(star, "triangles", unit="edge", epsilon=1, runs=1)[0].metrics) == {"mae", "interval95_holds"}
    assert "relative_error" in benchmark(star, "edges", unit="edge", epsilon=1, runs=1)[0].metrics


def test_a_friendship_loses_the_same_to_everybody():
    """Protocols are named by the loss of one entry; both ends of a friendship report, so what it loses differs."""
    scores = benchmark(NETWORK, "triangles", unit="edge", epsilon=1, runs=1)
    assert {score.listing.job for score in scores} == {"release", "collect"}
    assert all(1 - 1e-9 < score.friendship_epsilon <= 1 for score in scores)
    assert len({score.entry_epsilon for score in scores}) > 1
    by_entry = benchmark(NETWORK, "triangles", unit="edge", epsilon=1, runs=1, equal="entry")
    assert {score.entry_epsilon for score in by_entry} == {1}
    assert {2, 1} < {score.friendship_epsilon for score in by_entry}


def test_a_row_says_what_it_costs_and_how_sure_its_errors_are():
    scores = {s.listing.name: s for s in benchmark(NETWORK, "degree-distribution", unit="node", epsilon=2, runs=3)}
    release, collection = scores["node-degree-distribution"], scores["grr"]
    assert (release.cost, release.rounds) == (None, None)
    built = find_protocol("degree-distribution", "grr", "node").build(1, n_people=60)
    assert (collection.cost, collection.rounds) == (built.cost(), 1)
    assert (collection.entry_epsilon, collection.friendship_epsilon) == (1, 2)
    each = [
        benchmark(NETWORK, "degree-distribution", unit="node", epsilon=2, runs=1, seed=seed)[0].metrics["mae"]
        for seed in range(3)
    ]
    spread = sum((one - sum(each) / 3) ** 2 for one in each) / 2
    assert release.standard_errors["mae"] == pytest.approx((spread / 3) ** 0.5)
    assert scores["rj"].to_json()["refuted"] is True
    assert collection.to_json()["refuted"] is False
    (alone, *_) = benchmark(NETWORK, "edges", unit="edge", epsilon=1, runs=1)
    assert alone.standard_errors["mae"] is None
    json.dumps([score.to_json() for score in scores.values()], allow_nan=False)


@dataclass(frozen=True, slots=True)
class TwiceTheEdges(IntegerStatistic):
    """A query of one's own, which answers what another one does."""

    query = "edges"
    unit = "edge"
    what = "number of edges, with noise for two"
    sensitivity = 2
    why_one_unit = ("it is a test", "edges")

    def exact(self, graph: Graph) -> int:
        return graph.n_edges

    def support(self, facts):
        return 0, facts.n_nodes**2


class MyDegrees(KaryDegrees):
    """A protocol of one's own."""

    name = "mine"


def test_a_class_of_ones_own_takes_part_without_a_package():
    *_, mine = benchmark(NETWORK, "degree-distribution", unit="node", epsilon=1, runs=1, also=[MyDegrees])
    assert (mine.listing.name, mine.listing.package, mine.friendship_epsilon) == ("MyDegrees", "test_benchmark", 1)


def test_a_query_of_ones_own_takes_part_and_must_answer_the_question():
    ours, mine = benchmark(NETWORK, "edges", unit="edge", epsilon=1, runs=40, also=[TwiceTheEdges])
    assert mine.listing.name == "TwiceTheEdges"
    assert mine.listing.status == "unreviewed"
    assert mine.metrics["mae"] > ours.metrics["mae"]
    with pytest.raises(ParameterError, match="TwiceTheEdges does not answer triangles"):
        benchmark(NETWORK, "triangles", unit="edge", epsilon=1, also=[TwiceTheEdges])
    with pytest.raises(ParameterError, match="give classes of queries, protocols or synthesizers"):
        benchmark(NETWORK, "edges", unit="edge", epsilon=1, also=["mine"])


def test_what_cannot_be_compared_is_refused_with_what_can():
    with pytest.raises(ParameterError, match=r"'edge' under edge privacy; did you mean edges\? .*triangle-sequence"):
        benchmark(NETWORK, "edge", unit="edge", epsilon=1)
    with pytest.raises(ParameterError, match="at least one run"):
        benchmark(NETWORK, "edges", unit="edge", epsilon=1, runs=0)
    with pytest.raises(ParameterError, match="unknown loss 'list' to make equal"):
        benchmark(NETWORK, "edges", unit="edge", epsilon=1, equal="list")


def test_an_option_goes_to_the_algorithms_that_have_it():
    def errors(**options: str) -> dict[str, dict[str, float]]:
        scores = benchmark(NETWORK, "clustering", unit="edge", epsilon=2, runs=1, options=options)
        return {score.listing.name: dict(score.metrics) for score in scores}

    counted, unbiased = errors(), errors(estimate="unbiased")
    assert {name for name in counted if counted[name] != unbiased[name]} == {"rnl"}
    with pytest.raises(ParameterError, match="estimate"):
        errors(estimat="unbiased")
