"""Bounds on the joint loss of many releases, tighter than the sum of their epsilons.

Each takes the epsilons (pure parts) and a `tail`, the probability with which the joint loss may exceed the bound; the
failure probabilities of approximate losses come on top of it. The losses are fixed in advance, the data they are
asked about may depend on earlier answers. Kairouz, Oh and Viswanath (2015) show that a pure release is never worse than
randomised response, whose loss is +epsilon with probability e^epsilon / (1 + e^epsilon) and -epsilon otherwise; so

    KOV      sum epsilon tanh(epsilon / 2) + root    the mean loss of randomised response and Hoeffding's tail
    optimal  the exact tail of T equal randomised responses: no bound on (epsilon, delta) alone is lower
    PLD      the same tail for unequal ones, on a grid, through dp-accounting

with root = sqrt(2 ln(1 / tail) sum epsilon^2). KOV is never above the older bound of Dwork, Rothblum and Vadhan (2010).
All but PLD round upwards digit by digit; PLD, computed in floating point, gives away a margin far above its rounding
errors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import reduce

from graphveil.privacy.rounding import exp_up, log_up, sqrt_up, tidy_up

MAX_OPTIMAL_RELEASES = 100_000  # linear time: a quarter of a second here
MAX_PLD_KINDS = 64  # one convolution per different epsilon
MIN_PLD_TAIL = Fraction(1, 10**9)  # below it the rounding errors of a Fourier transform would matter
_PLD_CELLS = 200_000
_PLD_TAIL_MARGIN = Fraction(999, 1000)
_PLD_EPSILON_MARGIN = Fraction(1_000_001, 1_000_000)


def kov_epsilon(epsilons: Sequence[Fraction], tail: Fraction) -> Fraction:
    """Kairouz, Oh and Viswanath (2015), closed form; tanh(e / 2) = 1 - 2 / (e^e + 1)."""
    mean = sum((times * e * (1 - 2 / (exp_up(e) + 1)) for e, times in Counter(epsilons).items()), Fraction(0))
    return tidy_up(mean + _root(epsilons, tail))


def _root(epsilons: Sequence[Fraction], tail: Fraction) -> Fraction:
    squares = sum((times * e**2 for e, times in Counter(epsilons).items()), Fraction(0))
    return sqrt_up(2 * log_up(1 / tail) * squares)


def optimal_epsilon(epsilon: Fraction, times: int, tail: Fraction) -> Fraction:
    """The smallest epsilon for that many releases at one epsilon (Kairouz, Oh and Viswanath 2015, theorem 3.3).

    Let p_l and q_l be the probabilities, under the two graphs, that l of the randomised responses point to the other
    one. The tail at e is the maximum over i of (p_0 + ... + p_i) - e^e (q_0 + ... + q_i), so the smallest e is the
    maximum over i of ln((p_0 + ... + p_i - tail) / (q_0 + ... + q_i)).
    """
    digits = 50 + len(str(tail.denominator // tail.numerator))
    slack = Decimal(10) ** -40  # far above the rounding errors of a sum of 100,000 positive terms
    with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        x = _decimal(exp_up(epsilon))
        allowed = _decimal(tail)
        p, q = (x / (1 + x)) ** times, 1 / (1 + x) ** times
        sum_p, sum_q, worst = Decimal(0), Decimal(0), Decimal(1)
        for pointing_away in range(times + 1):
            sum_p += p
            sum_q += q
            worst = max(worst, (sum_p * (1 + slack) - allowed) / (sum_q * (1 - slack)))
            ways = Decimal(times - pointing_away) / (pointing_away + 1)
            p, q = p * ways / x, q * ways * x
        log_worst = worst.ln() * (1 + slack)
    return min(tidy_up(Fraction(log_worst)), epsilon * times)


def _decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def pld_epsilon(epsilons: Sequence[Fraction], tail: Fraction) -> Fraction:
    """Unequal epsilons on a common grid, composed by dp-accounting."""
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    step = _grid_step(epsilons)
    cells = Counter(math.ceil(e / step) for e in epsilons)

    def composed(cell: int, times: int) -> PrivacyLossDistribution:
        away = 1 / (1 + math.exp(cell * float(step)))  # randomised response at the epsilon of the cell
        law = {cell: 1 - away, -cell: away}
        one = PrivacyLossDistribution.create_from_rounded_probability(law, 0.0, float(step))
        return one.self_compose(times)

    joint = reduce(lambda a, b: a.compose(b), (composed(cell, times) for cell, times in cells.items()))
    bound = Fraction(float(joint.get_epsilon_for_delta(float(tail * _PLD_TAIL_MARGIN))))
    return tidy_up(bound * _PLD_EPSILON_MARGIN)


def _grid_step(epsilons: Sequence[Fraction]) -> Fraction:
    """The common divisor of the epsilons where that grid is small enough; else one to which they are rounded up."""
    shared = math.lcm(*(e.denominator for e in epsilons))
    divisor = Fraction(math.gcd(*(int(e * shared) for e in epsilons)), shared)
    return max(divisor, sum(epsilons, Fraction(0)) / _PLD_CELLS)
