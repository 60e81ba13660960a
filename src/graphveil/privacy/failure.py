"""A mechanism that sometimes breaks: wrong code path, hardware fault, a proof that holds only with high probability."""

from __future__ import annotations

from fractions import Fraction

from graphveil.errors import ParameterError
from graphveil.privacy.loss import Approximate, Number, Pure, exact


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
