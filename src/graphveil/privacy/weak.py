"""Epsilons that promise little: above 5 an answer says so, above 20 it is given only to those who accept it.

At epsilon 5 an attacker who thought a connection as likely as not may end up 99.3 % sure of it; at 20 all but certain.
The two numbers are conventions: no proof singles them out.
"""

from __future__ import annotations

from fractions import Fraction

from graphveil.errors import WeakGuarantee
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import text_up

WARN_ABOVE = 5
REFUSE_ABOVE = 20


def weak_warning(epsilon: Fraction) -> str:
    """What to warn of at this epsilon, else an empty text.

    >>> weak_warning(Fraction(5))
    ''
    >>> print(weak_warning(Fraction(6)))
    epsilon 6 is weak: an attacker who knows everything else and was 50 % sure ends up between 0.2 % and 99.8 % sure
    """
    return f"epsilon {text_up(epsilon)} is weak: {odds_sentence(epsilon)}" if epsilon > WARN_ABOVE else ""


def refuse_weak(epsilon: Fraction, *, accepted: bool) -> None:
    """Refuse an epsilon above 20 that was not accepted in so many words."""
    if epsilon > REFUSE_ABOVE and not accepted:
        raise WeakGuarantee(
            f"epsilon {text_up(epsilon)} promises next to nothing ({odds_sentence(epsilon)}); ask for {WARN_ABOVE} or "
            "less, or accept it with accept_weak=True (--accept-weak); nothing was spent"
        )
