"""Several releases together.

Sequential composition adds losses up. `tightest` takes the smallest of the bounds that hold for given losses and says
which one won; the losses must be fixed in advance (the budget of a ledger, spent adaptively, has its own rule).
Parallel composition charges the largest instead of the sum, where one protected change can touch one part only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.privacy import advanced
from graphveil.privacy.convert import concentrated_to_approximate, group
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.loss import Approximate, Concentrated, Loss
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
    yield Rule.KOV, advanced.kov_epsilon
    kinds = len(set(epsilons) - {0})
    if kinds == 1 and len(epsilons) <= advanced.MAX_OPTIMAL_RELEASES:
        yield Rule.OPTIMAL, lambda equal, tail: advanced.optimal_epsilon(equal[0], len(equal), tail)
    elif 1 < kinds <= advanced.MAX_PLD_KINDS and tail >= advanced.MIN_PLD_TAIL:
        yield Rule.PLD, advanced.pld_epsilon


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
