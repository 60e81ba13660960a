"""The edges of what a loss, a unit and a guarantee may be: allowed on the line, refused beyond it."""

import math
from fractions import Fraction

import pytest

from graphveil.errors import ParameterError
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import (
    Approximate,
    Concentrated,
    Pure,
    exact,
    exact_delta,
    exact_epsilon,
)
from graphveil.privacy.rounding import round_down, round_up
from graphveil.privacy.unit import EDGE, NODE, Kind, Trust, Unit


def test_epsilon_lies_from_a_trillionth_to_ten_thousand() -> None:
    for allowed in ("1e-12", "1/1000000000000", 10_000, "10000"):
        assert exact_epsilon(allowed) == Fraction(allowed)
    for refused in ("9.99e-13", 0, -1, "10000.0001", 10_001):
        with pytest.raises(ParameterError, match=r"budget must be above 0 \(at least 1e-12\) and at most 10,000"):
            exact_epsilon(refused, "budget")


def test_delta_lies_from_zero_to_below_one() -> None:
    assert exact_delta(0) == 0
    assert exact_delta("0.999999") == Fraction("0.999999")
    for refused in (1, "1.5", -1e-9):
        with pytest.raises(ParameterError, match="delta must be at least 0 and below 1"):
            exact_delta(refused)


@pytest.mark.parametrize(
    "rubbish", [True, False, None, "", "1/0", "one", float("nan"), float("inf"), [1], "1e61", "1e-61"]
)
def test_what_is_no_number_is_refused(rubbish) -> None:
    with pytest.raises(ParameterError, match="x must be a finite number"):
        exact(rubbish, "x")


def test_long_texts_are_refused_before_they_are_computed_with() -> None:
    assert exact("1e60", "x") == 10**60
    assert exact("1e-60", "x") == Fraction(1, 10**60)
    assert exact("0" * 59 + "1", "x") == 1
    with pytest.raises(ParameterError):
        exact("0" * 60 + "1", "x")
    with pytest.raises(ParameterError):
        exact("1/" + "0" * 58 + "1", "x")


def test_shown_losses_are_the_next_float_and_no_further() -> None:
    for value in (Fraction(1, 3), Fraction(2, 3), Fraction(10**17 + 1), Fraction(1, 10**300)):
        up, down = round_up(value), round_down(value)
        assert Fraction(repr(down)) <= value <= Fraction(repr(up))
        assert up <= math.nextafter(float(value), math.inf)
        assert down >= math.nextafter(float(value), -math.inf)
    assert round_up(Fraction(1, 10)) == round_down(Fraction(1, 10)) == 0.1


def test_losses_are_never_negative() -> None:
    assert Pure(Fraction(0)).epsilon == Concentrated(Fraction(0)).rho == 0
    assert Approximate(Fraction(0), Fraction(1)).delta == 1
    tiny = Fraction(1, 10**9)
    for wrong in (
        lambda: Pure(-tiny),
        lambda: Concentrated(-tiny),
        lambda: Approximate(-tiny, tiny),
        lambda: Approximate(tiny, -tiny),
        lambda: Approximate(tiny, 1 + tiny),
    ):
        with pytest.raises(ParameterError):
            wrong()


def test_units_are_an_edge_several_edges_or_a_person() -> None:
    assert Unit.parse("edge") == Unit.parse("1-edge") == EDGE
    assert Unit.parse("999999999-edge").edges == 999_999_999
    assert Unit.parse("node") == NODE
    for wrong in ("0-edge", "-1-edge", "1000000000-edge", "01-edge", "2-node", "edges", "Edge", " edge", ""):
        with pytest.raises(ParameterError, match="unknown unit"):
            Unit.parse(wrong)
    for kind, edges in ((Kind.EDGE, 0), (Kind.NODE, 2), (Kind.NODE, 0)):
        with pytest.raises(ParameterError, match="does not exist"):
            Unit(kind, edges)


def test_a_curator_s_relationship_costs_epsilon_and_a_local_one_must_be_stated() -> None:
    assert Guarantee(EDGE, Trust.CENTRAL, Fraction(2)).relationship_epsilon == 2
    assert Guarantee(EDGE, Trust.LOCAL, Fraction(2), relationship_epsilon=Fraction(3)).relationship_epsilon == 3
    with pytest.raises(ParameterError, match="what one relationship costs"):
        Guarantee(EDGE, Trust.LOCAL, Fraction(2))
    with pytest.raises(ParameterError, match="epsilon"):
        Guarantee(EDGE, Trust.CENTRAL, Fraction(0))
    with pytest.raises(ParameterError, match="delta"):
        Guarantee(EDGE, Trust.CENTRAL, Fraction(1), Fraction(1))
    assert str(Guarantee(EDGE, Trust.CENTRAL, Fraction(1), Fraction(1, 10**6))).startswith("(1, 1e-06)-differential")
