from fractions import Fraction

import pytest

from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError, UnitMismatch
from graphveil.release.plan import _LAST_STEP, _grid, forecast, joint_cost, smallest_epsilon

FACTS = PublicFacts(n_nodes=4000)


def test_the_forecast_is_the_accuracy_of_the_release():
    plan = forecast("edges", unit="edge", epsilon=1, facts=FACTS)
    assert plan.error(0.95) == 3
    assert plan.std == pytest.approx(1.357, abs=1e-3)


def test_the_smallest_epsilon_is_enough_and_the_one_below_is_not():
    plan = smallest_epsilon("edges", unit="edge", error=10, confidence=0.99, facts=FACTS)
    assert plan.error(0.99) <= 10
    below = plan.epsilon * Fraction(995, 1000)
    assert forecast("edges", unit="edge", epsilon=below, facts=FACTS).error(0.99) > 10


def test_k_edges_need_k_times_as_much():
    one = smallest_epsilon("edges", unit="edge", error=10, confidence=0.99, facts=FACTS)
    ten = smallest_epsilon("edges", unit="10-edge", error=10, confidence=0.99, facts=FACTS)
    assert ten.epsilon == 10 * one.epsilon


def test_a_standard_deviation_can_be_asked_for():
    plan = smallest_epsilon("edges", unit="edge", error=5, confidence=None, facts=FACTS)
    assert 4.9 < plan.std <= 5


def test_the_impossible_is_refused():
    with pytest.raises(ParameterError, match="above 0"):
        smallest_epsilon("edges", unit="edge", error=0, confidence=0.9, facts=FACTS)
    with pytest.raises(ParameterError, match="confidence"):
        smallest_epsilon("edges", unit="edge", error=1, confidence=1.5, facts=FACTS)


def test_the_grid_rises_over_the_allowed_range():
    assert _grid(0) == Fraction(1, 1000)
    assert _grid(_LAST_STEP) == 10_000
    assert all(_grid(step) < _grid(step + 1) for step in range(_LAST_STEP))


def test_an_epsilon_below_what_a_query_takes_is_not_planned():
    plan = smallest_epsilon("transitivity", unit="100-edge", error=2, confidence=0.95, facts=FACTS)
    assert plan.epsilon == Fraction(3, 100)  # ladders take 3/10,000 or more for one edge


def test_many_small_queries_cost_less_than_their_sum_where_delta_is_allowed():
    small = [forecast(query, unit="edge", epsilon="0.01", facts=FACTS) for query in ("edges", "max-degree")] * 100
    assert joint_cost(small, 0).epsilon == 2
    assert joint_cost(small, "1e-6").epsilon < Fraction(7, 10)
    with pytest.raises(UnitMismatch):
        joint_cost([*small, forecast("nodes", unit="node", epsilon=1, facts=FACTS)], 0)


@pytest.mark.parametrize(
    ("query", "unit"), [("triangles", "edge"), ("triangles", "node"), ("2-stars", "edge"), ("assortativity", "edge")]
)
def test_more_epsilon_never_makes_a_ladder_less_accurate(query: str, unit: str) -> None:
    """The middle step is narrow at a large epsilon, but it must not vanish."""
    errors = [
        forecast(query, unit=unit, epsilon=epsilon, facts=PublicFacts(4000)).error(0.95)
        for epsilon in (1, 3, 5, 8, 9, 10, 12, 20, 40, 80, 100, 200)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[5] < errors[3]
