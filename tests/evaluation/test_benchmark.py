import pytest

from graphveil.errors import ParameterError
from graphveil.evaluation.benchmark import benchmark
from graphveil.graph.generate.random import power_law_cluster

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


def test_what_cannot_be_compared_is_refused_with_what_can():
    with pytest.raises(ParameterError, match=r"'edge' under edge privacy; did you mean edges\? .*triangle-sequence"):
        benchmark(NETWORK, "edge", unit="edge", epsilon=1)
    with pytest.raises(ParameterError, match="at least one run"):
        benchmark(NETWORK, "edges", unit="edge", epsilon=1, runs=0)
