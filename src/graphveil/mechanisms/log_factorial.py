"""Logarithms of factorials between bounds, for numbers of any size.

Stirling's series ln k! = (k + 1/2) ln k - k + ln(2 pi) / 2 + sum of B_2j / (2j (2j - 1) k^(2j - 1)) does not converge,
but its terms alternate and each partial sum errs by less than the next term. With T = bits / 8 terms and k >= bits that
is under (1 / 60)^(bits / 4) < 2^-bits; a smaller k is first raised with (k + s)! = k! (k + 1) ... (k + s).
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import comb, prod


@lru_cache(maxsize=1024)
def log_factorial(k: int, bits: int) -> Decimal:
    """The logarithm of k! / sqrt(2 pi) within 2^-bits; the root cancels where as many factorials divide as multiply.

    >>> round(log_factorial(20, 64) - log_factorial(18, 64), 12) == round(Decimal(19 * 20).ln(), 12)
    True
    """
    raised = max(k, bits)
    with localcontext(working_context(raised, bits)):
        x = Decimal(raised)
        series = Decimal(0)
        for top, bottom in reversed(_stirling_coefficients(bits // 8)):
            series = series / (x * x) + Decimal(top) / bottom
        logarithm = (x + Decimal("0.5")) * x.ln() - x + series / x
        return logarithm - Decimal(prod(range(k + 1, raised + 1))).ln()


def working_context(size: int, bits: int) -> Context:
    """Enough digits that sums of a few hundred terms, each below size^2, are right within 2^-bits."""
    return Context(prec=bits * 302 // 1000 + 2 * len(str(size)) + 6, Emin=MIN_EMIN, Emax=MAX_EMAX)


@lru_cache(maxsize=16)
def _stirling_coefficients(count: int) -> tuple[tuple[int, int], ...]:
    """B_2j / (2j (2j - 1)) for j = 1, 2, ..., count."""
    bernoulli = [Fraction(1)]
    for n in range(1, 2 * count + 1):
        bernoulli.append(-sum((comb(n + 1, i) * b for i, b in enumerate(bernoulli)), Fraction(0)) / (n + 1))
    return tuple((bernoulli[2 * j] / (2 * j * (2 * j - 1))).as_integer_ratio() for j in range(1, count + 1))
