import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.privacy.convert import (
    concentrated_to_approximate,
    entry_to_relationship,
    group,
    k_edges,
    largest_concentrated,
    largest_pure,
    simple_conversion,
)
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Approximate, Concentrated, Pure
from graphveil.privacy.unit import EDGE, NODE, Trust, Unit

RHO = st.fractions(min_value=Fraction(1, 10**6), max_value=50)
DELTA = st.sampled_from([Fraction(1, 10**k) for k in (1, 3, 6, 12, 30)] + [Fraction(9, 10)])


def _tail(alpha: float, rho: float, epsilon: float) -> float:
    """ln of the delta that order alpha proves at epsilon (Canonne, Kamath and Steinke 2020, proposition 12)."""
    return (alpha - 1) * (alpha * rho - epsilon) + (alpha - 1) * math.log1p(-1 / alpha) - math.log(alpha)


@given(RHO, DELTA)
def test_simple_conversion_is_its_formula_rounded_up(rho: Fraction, delta: Fraction) -> None:
    epsilon = float(simple_conversion(Concentrated(rho), delta).epsilon)
    formula = float(rho) + 2 * math.sqrt(float(rho) * -math.log(delta))
    assert epsilon == pytest.approx(formula, rel=1e-12)


@given(RHO, DELTA)
def test_tighter_conversion_is_proved_and_nearly_the_best_order(rho: Fraction, delta: Fraction) -> None:
    epsilon = float(concentrated_to_approximate(Concentrated(rho), delta).epsilon)
    assert epsilon <= float(simple_conversion(Concentrated(rho), delta).epsilon)
    orders = [1 + math.exp(u / 20) for u in range(-200, 300)]
    best = min(a * float(rho) + (-math.log(delta) - math.log(a)) / (a - 1) + math.log1p(-1 / a) for a in orders)
    assert epsilon <= max(best, 0) * (1 + 1e-9) + 1e-12
    if epsilon > 1e-9:  # some order proves it: the finest of a grid around the best one comes within a hair
        reached = min(_tail(a, float(rho), epsilon * (1 + 1e-3) + 1e-4) for a in orders)
        assert reached <= math.log(delta)


@settings(max_examples=20)
@given(st.sampled_from([0.01, 0.1, 0.5, 2.0]), st.sampled_from([1e-3, 1e-6, 1e-9]))
def test_tighter_conversion_agrees_with_dp_accounting(rho: float, delta: float) -> None:
    from dp_accounting import dp_event
    from dp_accounting.rdp import RdpAccountant

    # continuous orders in ours, 10,000 of a grid in theirs: theirs is a little higher
    accountant = RdpAccountant(orders=[1 + math.exp(u / 1000) for u in range(-3000, 7000)])
    accountant.compose(dp_event.ZCDpEvent(rho))
    theirs = accountant.get_epsilon(delta)
    ours = float(concentrated_to_approximate(Concentrated(Fraction(str(rho))), Fraction(str(delta))).epsilon)
    assert ours == pytest.approx(theirs, rel=1e-5)


@given(st.fractions(min_value=Fraction(1, 1000), max_value=20), DELTA)
def test_the_largest_rho_converts_back_within_its_limit(epsilon: Fraction, delta: Fraction) -> None:
    rho = largest_concentrated(Approximate(epsilon, delta))
    back = concentrated_to_approximate(rho, delta).epsilon
    assert back <= epsilon * (1 + Fraction(1, 10**12))
    more = concentrated_to_approximate(Concentrated(rho.rho * Fraction(1001, 1000)), delta).epsilon
    assert more > epsilon


@given(st.fractions(min_value=Fraction(1, 1000), max_value=20))
def test_the_largest_pure_loss_stays_within_its_rho(epsilon: Fraction) -> None:
    rho = Concentrated(Pure(epsilon).rho)
    back = largest_pure(rho).epsilon
    assert Pure(back).rho <= rho.rho
    assert back == pytest.approx(epsilon, rel=1e-12)


def test_pure_to_zcdp_to_approximate() -> None:
    rho = Concentrated(Pure(Fraction(1, 10)).rho)
    assert rho == Concentrated(Fraction(1, 200))
    hundred = simple_conversion(Concentrated(100 * rho.rho), Fraction(1, 10**6))
    assert round(float(hundred.epsilon), 2) == 5.76


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1)])
def test_zcdp_has_no_epsilon_without_a_delta(delta: Fraction) -> None:
    with pytest.raises(ParameterError, match="delta above 0 and below 1"):
        concentrated_to_approximate(Concentrated(Fraction(1)), delta)


@given(
    st.fractions(min_value=Fraction(1, 1000), max_value=3), st.fractions(min_value=0, max_value=1), st.integers(1, 40)
)
def test_group_privacy_of_an_approximate_loss_is_the_walk(epsilon: Fraction, delta: Fraction, k: int) -> None:
    loss = group(Approximate(epsilon, delta), k)
    assert isinstance(loss, Approximate)
    assert loss.epsilon == k * epsilon
    walk = float(delta) * sum(math.exp(step * float(epsilon)) for step in range(k))
    assert float(loss.delta) == pytest.approx(min(walk, 1.0), rel=1e-9)


def test_group_privacy_at_the_edges() -> None:
    assert group(Pure(Fraction(1, 3)), 6) == Pure(Fraction(2))
    assert group(Concentrated(Fraction(1, 2)), 3) == Concentrated(Fraction(9, 2))
    assert group(Approximate(Fraction(0), Fraction(1, 10)), 3) == Approximate(Fraction(0), Fraction(3, 10))
    nearly_all = group(Approximate(Fraction(1), Fraction(1, 50)), 4)  # one step more would pass 1
    assert isinstance(nearly_all, Approximate)
    assert float(nearly_all.delta) == pytest.approx((math.e**4 - 1) / (math.e - 1) / 50)
    assert group(Approximate(Fraction(5), Fraction(1, 10**6)), 10**9) == Approximate(Fraction(5 * 10**9), Fraction(1))
    with pytest.raises(ParameterError, match="at least 1"):
        group(Pure(Fraction(1)), 0)


def test_a_relationship_costs_two_entries_unless_each_pair_is_reported_once() -> None:
    entry = Approximate(Fraction(1, 2), Fraction(1, 100))
    assert entry_to_relationship(entry, each_pair_once=False) == Approximate(Fraction(1), Fraction(1, 50))
    assert entry_to_relationship(Pure(Fraction(1)), each_pair_once=False) == Pure(Fraction(2))
    assert entry_to_relationship(Concentrated(Fraction(1)), each_pair_once=False) == Concentrated(Fraction(2))
    assert entry_to_relationship(entry, each_pair_once=True) == entry


def test_a_guarantee_for_one_edge_extends_to_k() -> None:
    one = Guarantee(EDGE, Trust.LOCAL, Fraction(1, 2), relationship_epsilon=Fraction(1))
    five = k_edges(one, 5)
    assert (str(five.unit), five.epsilon, five.relationship_epsilon) == ("5-edge", Fraction(5, 2), Fraction(5))
    assert k_edges(five, 3) == five  # covered already
    assert k_edges(five, 6).epsilon == 2 * five.epsilon
    with pytest.raises(UnitMismatch):
        k_edges(Guarantee(NODE, Trust.CENTRAL, Fraction(1)), 2)
    assert k_edges(one, 2).unit == Unit.parse("2-edge")
