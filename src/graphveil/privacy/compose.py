"""Several releases together.

Sequential composition adds losses up. `tightest` takes the smallest of the bounds that hold for given losses and says
which one won; the losses must be fixed in advance (the budget of a ledger, spent adaptively, has its own rule).
Parallel composition charges the largest instead of the sum, where one protected change can touch one part only.

Bounds on the joint loss of many releases, tighter than the sum of their epsilons.

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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from enum import StrEnum
from fractions import Fraction
from functools import reduce

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.privacy.convert import concentrated_to_approximate, group
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.loss import Approximate, Concentrated, Loss
from graphveil.privacy.rounding import exp_up, log_up, sqrt_up, tidy_up
from graphveil.privacy.unit import Adjacency, Kind


class Rule(StrEnum):
    """Which bound a joint loss comes from, the simplest first."""

    BASIC = "basic"
    ZCDP = "zcdp"
    KOV = "kov"
    OPTIMAL = "optimal"
    PLD = "pld"


@dataclass(frozen=True, slots=True)
class Bound:
    """The joint loss of several releases, and the rule that proves it."""

    epsilon: Fraction
    delta: Fraction
    rule: Rule


class Split(StrEnum):
    """How the parts of a parallel composition were cut out of the graph."""

    PAIRS = "pairs"  # a fixed split of all pairs of people; each part sees the edges among its own pairs
    PEOPLE = "people"  # a fixed split of the people; each part sees the edges inside its own group
    FROM_DATA = "from-data"  # a split computed from the graph


def tightest(losses: Sequence[Loss], delta: Fraction) -> Bound:
    """The smallest epsilon that is proved for all losses together at this delta.

    >>> from graphveil.privacy.loss import Pure
    >>> bound = tightest([Pure(Fraction(1, 10))] * 100, Fraction(1, 10**6))
    >>> bound.rule.value, round(float(bound.epsilon), 2)
    ('optimal', 4.77)
    """
    return min(bounds(losses, delta), key=lambda bound: bound.epsilon)


def bounds(losses: Sequence[Loss], delta: Fraction) -> tuple[Bound, ...]:
    """Every bound that holds for these losses at this delta, the simplest rule first."""
    epsilons = [loss.epsilon for loss in losses if not isinstance(loss, Concentrated)]
    rho = sum((loss.rho for loss in losses if isinstance(loss, Concentrated)), Fraction(0))
    tail = delta - sum((loss.delta for loss in losses if isinstance(loss, Approximate)), Fraction(0))
    if not 0 <= tail < 1 or (rho and not tail):
        raise ParameterError(f"delta must be below 1 and cover the losses' own failures, not {delta}: {tail} remains")
    found = {Rule.BASIC: sum(epsilons, Fraction(0)) + (_converted(rho, tail) if rho else 0)}
    if tail and losses:
        found[Rule.ZCDP] = _converted(rho + sum((e**2 for e in epsilons), Fraction(0)) / 2, tail)
        if not rho and any(epsilons):
            found |= {rule: bound([e for e in epsilons if e], tail) for rule, bound in _advanced_rules(epsilons, tail)}
    return tuple(Bound(epsilon, delta, rule) for rule, epsilon in found.items())


def _converted(rho: Fraction, tail: Fraction) -> Fraction:
    return concentrated_to_approximate(Concentrated(rho), tail).epsilon


def _advanced_rules(
    epsilons: Sequence[Fraction], tail: Fraction
) -> Iterable[tuple[Rule, Callable[[Sequence[Fraction], Fraction], Fraction]]]:
    yield Rule.KOV, kov_epsilon
    kinds = len(set(epsilons) - {0})
    if kinds == 1 and len(epsilons) <= MAX_OPTIMAL_RELEASES:
        yield Rule.OPTIMAL, lambda equal, tail: optimal_epsilon(equal[0], len(equal), tail)
    elif 1 < kinds <= MAX_PLD_KINDS and tail >= MIN_PLD_TAIL:
        yield Rule.PLD, pld_epsilon


def sequential(guarantees: Sequence[Guarantee], *, delta: Fraction | None = None) -> Guarantee:
    """The guarantee of all of them together: the exact sums, or the tightest bound at a given delta."""
    first = _same_kind(guarantees)

    def total(epsilons: Sequence[Fraction]) -> Approximate:
        losses = [Approximate(e, g.delta) for e, g in zip(epsilons, guarantees, strict=True)]
        if delta is None:
            return Approximate(sum(epsilons, Fraction(0)), sum((loss.delta for loss in losses), Fraction(0)))
        return Approximate(tightest(losses, delta).epsilon, delta)

    return _joined(guarantees, first, total)


def parallel(
    guarantees: Sequence[Guarantee], *, split: Split, adjacency: Adjacency = Adjacency.ADD_REMOVE
) -> Guarantee:
    """The guarantee of one release per part of a split that does not depend on the graph.

    An edge lies in one part of either split, a person with all edges only in one group of people; so one change touches
    one part and costs the largest loss, and k edges touch at most k parts and cost the k largest. Where neighbours
    replace one edge or person, a removal and an addition may touch two parts, or one part twice: twice the largest
    (the group privacy of two).
    """
    first = _same_kind(guarantees)
    if split is Split.FROM_DATA:
        raise ParameterError("parallel composition needs a split fixed without the graph; compose sequentially instead")
    if first.unit.kind is Kind.NODE and split is Split.PAIRS:
        raise ParameterError("a person has edges in many pairs: under the node unit split the people, not the pairs")

    def total(epsilons: Sequence[Fraction]) -> Approximate:
        touched = sorted(epsilons, reverse=True)[: first.unit.edges]
        deltas = sorted((g.delta for g in guarantees), reverse=True)[: first.unit.edges]
        loss = Approximate(sum(touched, Fraction(0)), min(sum(deltas, Fraction(0)), Fraction(1)))
        twice = group(loss, 2)
        assert isinstance(twice, Approximate)
        return twice if adjacency is Adjacency.REPLACE_ONE else loss

    return _joined(guarantees, first, total)


def _same_kind(guarantees: Sequence[Guarantee]) -> Guarantee:
    if not guarantees:
        raise ParameterError("there is nothing to compose: give at least one guarantee")
    kinds = sorted({f"{g.unit} ({g.trust})" for g in guarantees})
    if len(kinds) > 1:
        raise UnitMismatch(f"guarantees for {' and '.join(kinds)} do not compose; convert them to one unit first")
    return guarantees[0]


def _joined(
    guarantees: Sequence[Guarantee], first: Guarantee, total: Callable[[Sequence[Fraction]], Approximate]
) -> Guarantee:
    loss = total([g.epsilon for g in guarantees])
    relationship = total([g.relationship_epsilon or g.epsilon for g in guarantees])
    return Guarantee(
        unit=first.unit,
        trust=first.trust,
        epsilon=loss.epsilon,
        delta=loss.delta,
        relationship_epsilon=relationship.epsilon,
        assumes=tuple(dict.fromkeys(fact for g in guarantees for fact in g.assumes)),
        proof=" + ".join(dict.fromkeys(g.proof for g in guarantees if g.proof)),
        status=max((g.status for g in guarantees), key=list(Status).index),
        package=", ".join(dict.fromkeys(g.package for g in guarantees if g.package)),
    )


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
