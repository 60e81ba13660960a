"""From one kind of loss, or one protected unit, to another. Every result is at least the true loss.

Pure to zCDP: rho = epsilon^2 / 2 (`Pure.rho`). zCDP to approximate holds at every order alpha > 1, so at the
best one: epsilon = alpha rho + ln(1 / delta) / (alpha - 1), whose minimum is rho + 2 sqrt(rho ln(1 / delta)); or the
tighter epsilon = alpha rho + ln(1 / (alpha delta)) / (alpha - 1) + ln(1 - 1 / alpha) (Canonne, Kamath and Steinke
2020). The best order is searched for in floating point and the bound then evaluated at it with directed rounding: a
poor search could only make the bound larger.

Group privacy, by walking from one data set to the other in k steps: k epsilon; k^2 rho; and (k epsilon, delta (1 +
e^epsilon + ... + e^((k - 1) epsilon))), since the delta of a step is carried through the steps before it.

A mechanism that sometimes breaks: wrong code path, hardware fault, a proof that holds only with high probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Approximate, Concentrated, Loss, Number, Pure, exact
from graphveil.privacy.rounding import exp_down, exp_up, log_up, sqrt_down, sqrt_up, tidy_down, tidy_up
from graphveil.privacy.unit import Kind, Unit

_TINY = 1e-300  # keeps the search for an order away from divisions by zero


def concentrated_to_approximate(loss: Concentrated, delta: Fraction) -> Approximate:
    """The tighter conversion (Canonne, Kamath and Steinke 2020).

    >>> tight = concentrated_to_approximate(Concentrated(Fraction(1, 2)), Fraction(1, 10**6))
    >>> simple = simple_conversion(Concentrated(Fraction(1, 2)), Fraction(1, 10**6))
    >>> round(float(tight.epsilon), 3), round(float(simple.epsilon), 3)
    (5.222, 5.757)
    """
    rho = loss.rho
    simple = simple_conversion(loss, delta)
    if not rho:
        return simple
    guess = 1 + math.sqrt(_float_log(1 / delta) / max(float(rho), _TINY))  # the best order of the simple conversion
    order = _lowest(lambda alpha: alpha * float(rho) + _float_overhead(alpha, delta), guess)
    tight = max(tidy_up(order * rho + _overhead(order, delta)), Fraction(0))
    return Approximate(min(tight, simple.epsilon), delta)


def simple_conversion(loss: Concentrated, delta: Fraction) -> Approximate:
    """The simple conversion: epsilon = rho + 2 sqrt(rho ln(1 / delta)) (Bun and Steinke 2016)."""
    _check_delta(delta)
    return Approximate(tidy_up(loss.rho + 2 * sqrt_up(loss.rho * log_up(1 / delta))), delta)


def largest_concentrated(limit: Approximate) -> Concentrated:
    """The largest rho whose tighter conversion stays within (epsilon, delta), rounded down."""
    epsilon, delta = limit.epsilon, limit.delta
    _check_delta(delta)
    if not epsilon:
        return Concentrated(Fraction(0))
    log = _float_log(1 / delta)
    root = math.sqrt(float(epsilon) + log) - math.sqrt(log)
    guess = 1 + math.sqrt(log) / root
    order = _lowest(lambda alpha: (_float_overhead(alpha, delta) - float(epsilon)) / alpha, guess)
    return Concentrated(max(tidy_down((epsilon - _overhead(order, delta)) / order), Fraction(0)))


def largest_pure(limit: Concentrated) -> Pure:
    """The largest epsilon whose zCDP loss stays within rho, rounded down."""
    return Pure(tidy_down(sqrt_down(2 * limit.rho)))


def group(loss: Loss, k: int) -> Loss:
    """What k changes at once cost, when one costs `loss`."""
    if k < 1:
        raise ParameterError(f"a group holds at least 1, not {k}")
    if isinstance(loss, Pure):
        return Pure(k * loss.epsilon)
    if isinstance(loss, Concentrated):
        return Concentrated(k**2 * loss.rho)
    return Approximate(k * loss.epsilon, _walked_delta(loss, k))


def k_edges(guarantee: Guarantee, k: int) -> Guarantee:
    """The guarantee for any k edges at once, from one for fewer."""
    if guarantee.unit.kind is not Kind.EDGE:
        raise UnitMismatch(f"only a guarantee for edges extends to k edges, not one for the unit {guarantee.unit}")
    steps = -(-k // guarantee.unit.edges)
    loss = group(Approximate(guarantee.epsilon, guarantee.delta), steps)
    assert isinstance(loss, Approximate)
    assert guarantee.relationship_epsilon is not None
    return replace(
        guarantee,
        unit=Unit(Kind.EDGE, max(k, guarantee.unit.edges)),
        epsilon=loss.epsilon,
        delta=loss.delta,
        relationship_epsilon=steps * guarantee.relationship_epsilon,
    )


def entry_to_relationship(loss: Loss, *, each_pair_once: bool) -> Loss:
    """What one relationship costs when one entry of a friend list costs `loss`.

    A relationship stands in two lists, reported by independent mechanisms, so the two losses add up; it costs one
    entry where each pair is reported by one of its ends only.
    """
    if each_pair_once:
        return loss
    if isinstance(loss, Pure):
        return Pure(2 * loss.epsilon)
    if isinstance(loss, Concentrated):
        return Concentrated(2 * loss.rho)
    return Approximate(2 * loss.epsilon, min(2 * loss.delta, Fraction(1)))


def _check_delta(delta: Fraction) -> None:
    if not 0 < delta < 1:
        raise ParameterError(f"zCDP becomes an epsilon only at a delta above 0 and below 1, not {delta}")


def _overhead(alpha: Fraction, delta: Fraction) -> Fraction:
    """ln(1 / (alpha delta)) / (alpha - 1) + ln(1 - 1 / alpha), rounded up."""
    return log_up(1 / (alpha * delta)) / (alpha - 1) + log_up(1 - 1 / alpha)


def _float_overhead(alpha: float, delta: Fraction) -> float:
    return (_float_log(1 / delta) - math.log(alpha)) / (alpha - 1) + math.log1p(-1 / alpha)


def _float_log(x: Fraction) -> float:
    return max(math.log(x.numerator) - math.log(x.denominator), _TINY)


def _walked_delta(loss: Approximate, k: int) -> Fraction:
    """The delta of k steps: delta (e^(k epsilon) - 1) / (e^epsilon - 1), rounded up and at most 1."""
    epsilon, delta = loss.epsilon, loss.delta
    if not epsilon or not delta:
        return min(k * delta, Fraction(1))
    if (k - 1) * epsilon >= log_up(1 / delta):  # the last step alone fills the whole probability
        return Fraction(1)
    step = max(exp_down(epsilon) - 1, epsilon)
    return min(tidy_up(delta * (exp_up(k * epsilon) - 1) / step), Fraction(1))


def _lowest(f: Callable[[float], float], guess: float) -> Fraction:
    """An order above 1 near which f is lowest: golden-section search in ln(alpha - 1), up to a little above a guess.

    At a fixed epsilon ln(delta) is convex in the order, so both functions searched here fall first and rise then.
    """
    high = math.log(guess - 1) + 3
    low = min(-12.0, high - 7)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if f(1 + math.exp(left)) < f(1 + math.exp(right)):
            high = right
        else:
            low = left
    return 1 + Fraction(math.exp((low + high) / 2))


def with_failure(loss: Pure | Approximate, probability: Number) -> Approximate:
    """The loss of a mechanism that keeps `loss` but with this probability may reveal everything.

    With chance p anything happens, otherwise the event's probabilities differ by at most (epsilon, delta):
    delta' = p + (1 - p) delta.

    >>> with_failure(Approximate(Fraction(1), Fraction(1, 100)), "0.1").delta
    Fraction(109, 1000)
    """
    p = exact(probability, "failure probability")
    if not 0 <= p <= 1:
        raise ParameterError(f"a failure probability lies from 0 to 1, not {probability}")
    delta = loss.delta if isinstance(loss, Approximate) else Fraction(0)
    return Approximate(loss.epsilon, p + (1 - p) * delta)
