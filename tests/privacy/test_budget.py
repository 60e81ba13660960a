"""The rule of a budget against the strongest adaptive adversary, by exhaustive dynamic programming."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

from graphveil.errors import ParameterError
from graphveil.privacy.convert import concentrated_to_approximate
from graphveil.privacy.ledger.budget import Budget, Totals
from graphveil.privacy.loss import Approximate, Concentrated, Pure
from graphveil.privacy.unit import EDGE, Trust

STEPS = (Fraction(1, 5), Fraction(1, 10))


def _budget(epsilon: str, delta: str = "0", tail_delta: str = "0") -> Budget:
    return Budget.declared(
        "friends",
        unit=EDGE,
        trust=Trust.CENTRAL,
        epsilon=Fraction(epsilon),
        delta=Fraction(delta),
        tail_delta=Fraction(tail_delta),
    )


def _worst_delta(epsilon: Fraction, leak: Fraction, admits: Callable[[Totals], bool]) -> float:
    """The largest delta anybody reaches who chooses each step in view of the loss so far.

    Steps are randomised response at one of two epsilons, or an outright leak with a small probability: the worst
    mechanisms of their kind. Value iteration over how often each was taken and the loss it added up to.
    """

    @cache
    def admitted(counts: tuple[int, int], leaks: int) -> bool:
        totals = Totals().plus(Approximate(Fraction(0), leak), leaks)
        for step, times in zip(STEPS, counts, strict=True):
            totals = totals.plus(Pure(step), times)
        return admits(totals)

    @cache
    def value(counts: tuple[int, int], leaks: int, loss: Fraction) -> float:
        best = max(0.0, -math.expm1(float(epsilon - loss)))
        if admitted(counts, leaks + 1):
            best = max(best, float(leak) + (1 - float(leak)) * value(counts, leaks + 1, loss))
        for further, step in (((counts[0] + 1, counts[1]), STEPS[0]), ((counts[0], counts[1] + 1), STEPS[1])):
            if admitted(further, leaks):
                up = 1 / (1 + math.exp(-float(step)))
                best = max(
                    best, up * value(further, leaks, loss + step) + (1 - up) * value(further, leaks, loss - step)
                )
        return best

    return value((0, 0), 0, Fraction(0))


@pytest.mark.parametrize("tail_delta", ["0", "0.005", "0.01"])
def test_no_adaptive_strategy_passes_the_declared_loss(tail_delta: str) -> None:
    budget = _budget("1", "0.01", tail_delta)
    assert _worst_delta(budget.epsilon, Fraction("0.005"), budget.admits) <= budget.delta


def test_the_adversary_would_catch_an_undivided_delta() -> None:
    """Why delta is divided: exact sums or the zCDP rule, each with all of delta, is more than delta together."""
    whole = _budget("1", "0.01", "0.01")
    sums = _budget("1", "0.01", "0")
    naive = _worst_delta(whole.epsilon, Fraction("0.005"), lambda totals: whole.admits(totals) or sums.admits(totals))
    assert naive > 1.1 * whole.delta


def test_the_adversary_would_catch_a_rho_that_is_too_large() -> None:
    whole = _budget("1", "0.01", "0.01")
    assert whole.rho is not None
    wrong = 2 * whole.rho
    assert _worst_delta(whole.epsilon, Fraction("0.01"), lambda totals: totals.rho <= wrong and not totals.delta) > 0.01


def test_many_small_losses_pass_the_sum_of_epsilons() -> None:
    budget = _budget("6", "1e-6", "1e-6")
    small = Pure(Fraction(1, 10))
    most = max(times for times in range(200) if budget.admits(Totals().plus(small, times)))
    assert most > 110  # basic composition would stop at 60
    totals = Totals().plus(small, most)
    epsilon, delta = budget.spent(totals)
    assert epsilon <= budget.epsilon
    assert delta == budget.delta
    assert not budget.admits(totals.plus(small))
    left = budget.left(totals)[0]
    assert budget.admits(totals.plus(Pure(left)))
    assert not budget.admits(totals.plus(Pure(left * Fraction(1001, 1000))))


def test_exact_sums_need_no_rounding() -> None:
    budget = _budget("0.3")
    three = Totals().plus(Pure(Fraction("0.1")), 3)
    assert budget.admits(three)
    assert budget.left(three) == (0, 0)
    assert budget.spent(three) == (Fraction("0.3"), 0)
    assert not budget.admits(three.plus(Pure(Fraction(1, 10**12))))


def test_failures_are_limited_to_what_is_not_set_aside() -> None:
    budget = _budget("1", "1e-6", "4e-7")
    assert budget.admits(Totals().plus(Approximate(Fraction(1), Fraction("6e-7"))))
    assert not budget.admits(Totals().plus(Approximate(Fraction(1), Fraction("7e-7"))))
    assert budget.left(Totals()) == (1, Fraction("6e-7"))
    some = Totals().plus(Approximate(Fraction(1, 4), Fraction("2e-7")))
    assert budget.left(some) == (Fraction(3, 4), Fraction("4e-7"))
    assert budget.spent(some) == (Fraction(1, 4), Fraction("2e-7"))
    everything = _budget("1", "1e-6")
    assert everything.admits(Totals().plus(Approximate(Fraction(1), Fraction("1e-6"))))


def test_zcdp_losses_need_a_tail() -> None:
    loss = Concentrated(Fraction(1, 100))
    assert not _budget("1", "1e-6").admits(Totals().plus(loss))
    budget = _budget("1", "1e-6", "1e-6")
    totals = Totals().plus(loss)
    assert budget.admits(totals)
    assert budget.spent(totals) == (concentrated_to_approximate(loss, budget.delta).epsilon, budget.delta)
    assert not budget.admits(totals.plus(Pure(Fraction(99, 100))))  # a sum of epsilons means nothing beside a rho


@pytest.mark.parametrize(
    ("epsilon", "delta", "tail_delta"), [("0", "0", "0"), ("1", "1", "0"), ("1", "0.1", "0.2"), ("1", "0.1", "-0.1")]
)
def test_a_budget_out_of_range_is_refused(epsilon: str, delta: str, tail_delta: str) -> None:
    with pytest.raises(ParameterError):
        _budget(epsilon, delta, tail_delta)


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (
            Pure(Fraction(1, 2)),
            ["asked epsilon 0.5,", "left epsilon 0.333333 of 1", "epsilon 0.333333 or less would fit"],
        ),
        (
            Approximate(Fraction(1, 10), Fraction(1, 10**3)),
            ["asked epsilon 0.1 and delta 0.001,", "delta 6e-07 of 1e-06", "with delta 6e-07 or less would fit"],
        ),
        (Concentrated(Fraction(3)), ["asked rho 3,", "or less would fit"]),
    ],
)
def test_a_refusal_says_what_was_asked_what_is_left_and_what_would_fit(loss, words: list[str]) -> None:
    totals = Totals().plus(Pure(Fraction(2, 3)))
    refusal = _budget("1", "1e-6", "4e-7").refusal(totals, loss)
    assert all(word in str(refusal) for word in words), str(refusal)
    assert "\n" not in str(refusal)
    assert refusal.asked == loss
    assert refusal.left == (Fraction(1, 3), Fraction("6e-7"))


def test_a_refusal_of_an_empty_budget_says_so() -> None:
    spent = Totals().plus(Pure(Fraction(1)))
    assert "nothing more would fit" in str(_budget("1").refusal(spent, Pure(Fraction(1, 10))))
    assert "declared with a delta" in str(_budget("1").refusal(spent, Concentrated(Fraction(1, 10))))
