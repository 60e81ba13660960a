from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.privacy import rounding
from graphveil.privacy.loss import exact, exact_epsilon
from graphveil.privacy.rounding import round_down

POSITIVE = st.fractions(min_value=Fraction(1, 10**12), max_value=10**4)


def _precise(name: str, x: Fraction) -> Fraction:
    """The function to 80 digits, twice what the code under test works with."""
    with localcontext() as context:
        context.prec = 80
        return Fraction(getattr(Decimal(x.numerator) / Decimal(x.denominator), name)())


@given(POSITIVE)
def test_bounds_enclose_the_true_value_closely(x: Fraction) -> None:
    assert 0 <= rounding.log_up(x) - _precise("ln", x) <= max(abs(_precise("ln", x)), x) / 10**30
    for low, name, high in (
        (rounding.exp_down, "exp", rounding.exp_up),
        (rounding.sqrt_down, "sqrt", rounding.sqrt_up),
    ):
        truth = _precise(name, x)
        assert low(x) <= truth <= high(x)
        assert high(x) - low(x) <= max(abs(truth), x) / 10**30


def test_exact_zeros_stay_zero() -> None:
    zero = Fraction(0)
    assert rounding.log_up(Fraction(1)) == zero
    assert rounding.sqrt_up(zero) == rounding.sqrt_down(zero) == zero


@given(POSITIVE)
def test_shortened_numbers_err_in_the_stated_direction(x: Fraction) -> None:
    assert rounding.tidy_down(x) <= x <= rounding.tidy_up(x)
    assert Fraction(rounding.text_down(x)) <= x <= Fraction(rounding.text_up(x))


def test_the_global_decimal_context_plays_no_part() -> None:
    before = rounding.log_up(Fraction(7, 3))
    with localcontext() as context:
        context.prec = 3
        assert rounding.log_up(Fraction(7, 3)) == before
    assert getcontext().prec == 28


@pytest.mark.parametrize("number", [np.int8(3), np.int64(3), np.float32(3), np.float64(3), 3.0, Decimal(3), "3"])
def test_numbers_of_every_kind_become_python_integers(number) -> None:
    epsilon = exact_epsilon(number)
    assert epsilon == 3
    assert type(epsilon.numerator) is type(epsilon.denominator) is int  # numpy's would overflow


def test_a_decimal_is_what_its_writer_meant_and_never_written_out() -> None:
    assert exact(np.float32("0.1"), "x") == exact(0.1, "x") == Fraction(1, 10)
    with pytest.raises(ParameterError, match="finite number"):
        exact(Decimal("1e999999999"), "x")


def test_nothing_left_is_printed_as_a_plain_zero() -> None:
    assert str(round_down(Fraction(0))) == "0.0"
