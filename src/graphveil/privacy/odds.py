"""What an epsilon means to somebody who fears an attacker: the odds reading.

For two neighbouring graphs every outcome is at most e^epsilon times as likely under one as under the other. By Bayes'
rule an attacker's odds between the two therefore move by at most that factor, whatever the attacker knew before and
whatever else there is to know. A prior p becomes a posterior within
[p / (p + (1 - p) e^epsilon),  p e^epsilon / (p e^epsilon + 1 - p)]. Under delta > 0 the release behaves so except in a
failure of probability at most delta.

An epsilon can promise too little: above 5 an answer says so, above 20 it is given only to those who accept it. At
epsilon 5 an attacker who thought a connection as likely as not may end up 99.3 % sure of it; at 20 all but certain. The
two numbers are conventions: no proof singles them out.
"""

from __future__ import annotations

import math
from fractions import Fraction

from graphveil.errors import ParameterError, WeakGuarantee
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Number, exact, exact_delta, exact_epsilon
from graphveil.privacy.rounding import exp_up, text_up
from graphveil.privacy.unit import Kind

WARN_ABOVE = 5
REFUSE_ABOVE = 20


def odds_factor(epsilon: Number) -> Fraction:
    """At least e^epsilon: the most by which a release multiplies or divides an attacker's odds."""
    return exp_up(exact_epsilon(epsilon))


def posterior_range(prior: Number, epsilon: Number) -> tuple[Fraction, Fraction]:
    """The lowest and highest probability an attacker may hold after the release, rounded outwards.

    >>> low, high = posterior_range(0.5, 1)
    >>> round(float(low), 4), round(float(high), 4)
    (0.2689, 0.7311)
    """
    p = exact(prior, "prior")
    if not 0 <= p <= 1:
        raise ParameterError(f"a prior is a probability from 0 to 1, not {prior}")
    factor = odds_factor(epsilon)
    return p / (p + (1 - p) * factor), p * factor / (p * factor + 1 - p)


def odds_sentence(epsilon: Number, *, delta: Number = 0, prior: Number = Fraction(1, 2)) -> str:
    """The loss as one plain sentence about an attacker.

    >>> odds_sentence(1)
    'an attacker who knows everything else and was 50 % sure ends up between 26.8 % and 73.2 % sure'
    """
    before = _percent(round(1000 * exact(prior, "prior")))
    after = _between(prior, epsilon)
    ends = "ends up" if after.startswith("between") else "can end up"
    sentence = f"an attacker who knows everything else and was {before} sure {ends} {after} sure"
    if delta:
        sentence += f", but for a failure of probability at most {text_up(exact_delta(delta))}"
    return sentence


def central_meaning(guarantee: Guarantee) -> tuple[str, ...]:
    """What a curator's guarantee means; of a stream by event also for a friendship with all its changes."""
    odds = odds_sentence(guarantee.epsilon, delta=guarantee.delta)
    if not guarantee.by_event:
        return (odds,)
    lost = guarantee.relationship_epsilon
    assert lost is not None
    ever = f"whether two given people were ever connected: epsilon {text_up(lost)}, {odds_sentence(lost)}"
    return f"one change: {odds}", ever


def local_meaning(guarantee: Guarantee, whose: str = "your") -> tuple[str, ...]:
    """What a participant's guarantee means, in words that follow from its unit.

    Under the unit edge the promise is about one entry of the list, and several entries add up. Under the unit node it
    is about the whole list, or about the answer to a question. A friendship is an entry of two lists, so both people's
    answers tell of it; whom somebody follows stands in one.

    >>> from graphveil.privacy.unit import EDGE, Trust
    >>> one, several, both = local_meaning(Guarantee(EDGE, Trust.LOCAL, Fraction(1), relationship_epsilon=Fraction(2)))
    >>> both
    'a friendship, from the answers of both ends: epsilon 2, between 11.9 % and 88.1 %'
    """
    epsilon, friendship = guarantee.epsilon, guarantee.relationship_epsilon
    assert friendship is not None
    odds, between = odds_sentence(epsilon, delta=guarantee.delta), _between(Fraction(1, 2), friendship)
    if guarantee.of_answer:
        return (f"any answer against any other: {odds}",)
    told = f"a friendship, from the answers of both ends: epsilon {text_up(friendship)}, {between}"
    both = () if guarantee.directed else (told,)
    if guarantee.unit.kind is Kind.NODE:
        return f"any list against any other: {odds}", *both
    several = f"several people at once: epsilon {text_up(epsilon)} for each of them, which add up"
    return f"whether one particular person is on {whose} list: {odds}", several, *both


def _between(prior: Number, epsilon: Number) -> str:
    """The range of the posterior; no percentage says 0 or all, which it never is."""
    low, high = posterior_range(prior, epsilon)
    least, most = math.floor(1000 * low), math.ceil(1000 * high)
    if 0 < low < high < 1 and (least == 0 or most == 1000):
        return f"below {_percent(max(least, 1))} or above {_percent(min(most, 999))}"
    return f"between {_percent(least)} and {_percent(most)}"


def _percent(thousandths: int) -> str:
    return f"{thousandths / 10:g} %"


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
            f"less (up to {REFUSE_ABOVE} is answered with a warning), or accept it "
            "with accept_weak=True (--accept-weak); nothing was spent"
        )
