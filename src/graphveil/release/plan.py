"""What an answer will be worth before anything is spent, and the smallest epsilon that makes it good enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from graphveil.central.query import PublicFacts, Query
from graphveil.display.html import card
from graphveil.errors import ParameterError, UnitMismatch
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.privacy.compose import Bound, tightest
from graphveil.privacy.convert import group as changed_together
from graphveil.privacy.loss import MAX_EPSILON, Loss, Number, exact_delta, exact_epsilon
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import nearest, text_up
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import Row
from graphveil.release.job import choose_query


@dataclass(frozen=True, slots=True)
class Plan:
    """A forecast for one query."""

    query: str
    unit: Unit
    epsilon: Fraction
    algorithm: str
    accuracy: Accuracy
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def std(self) -> float | None:
        """The standard deviation to expect, of the noisiest entry for vectors."""
        return _largest(self.accuracy.std)

    def error(self, confidence: float) -> float:
        """The distance the error stays below with this probability: the widest finite side of the band.

        Infinite where no side is finite, so that nothing is known; 0 where there is nothing to be wrong about.
        """
        return _error(self.accuracy, confidence)

    def __repr__(self) -> str:
        return f"Plan({self.query} under {self.unit} privacy at epsilon {text_up(self.epsilon)}: {self._error_text()})"

    def _repr_html_(self) -> str:
        facts = [
            ("unit", str(self.unit)),
            ("epsilon", text_up(self.epsilon)),
            ("expected", self._error_text()),
            ("algorithm", self.algorithm),
            ("meaning", odds_sentence(self.epsilon)),
        ]
        return card(f"Forecast of {self.query}", facts, notes=[self.accuracy.scope] if self.accuracy.scope else [])

    def _error_text(self) -> str:
        return f"error below {nearest(self.error(0.95))} with 95 % confidence"


def forecast(
    query: str,
    *,
    unit: str | Unit,
    epsilon: Number,
    facts: PublicFacts,
    method: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan:
    """What to expect from a query at this epsilon."""
    parsed = Unit.parse(unit)
    chosen = choose_query(query, parsed, options or {}, method)
    exact = exact_epsilon(epsilon)
    accuracy = _accuracy(chosen, exact, parsed, facts, options or {})
    return Plan(query, parsed, exact, chosen.name, accuracy, options or {})


def smallest_epsilon(
    query: str,
    *,
    unit: str | Unit,
    error: float,
    confidence: float | None,
    facts: PublicFacts,
    method: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan:
    """The smallest epsilon, to three digits, whose error stays below `error`.

    With a confidence the error is the half-width of the band at that level; without, the standard deviation.
    """
    if not error > 0:
        raise ParameterError(f"the wanted error must be above 0, not {error}")
    parsed = Unit.parse(unit)
    chosen = choose_query(query, parsed, options or {}, method)

    def good(step: int) -> bool:
        try:
            accuracy = _accuracy(chosen, _grid(step), parsed, facts, options or {})
        except ParameterError:  # no noise can be drawn at so small an epsilon
            return False
        reached = _largest(accuracy.std) if confidence is None else _error(accuracy, confidence)
        return reached is not None and reached <= error

    low, high = 0, _LAST_STEP
    if confidence is None and _accuracy(chosen, _grid(high), parsed, facts, options or {}).std is None:
        raise ParameterError(f"no standard deviation is known of {query}: ask for an error and a confidence (--error)")
    if not good(high):
        raise ParameterError(f"no epsilon up to {MAX_EPSILON} brings the error of {query} down to {error:g}")
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle + 1, high)
    accuracy = _accuracy(chosen, _grid(low), parsed, facts, options or {})
    return Plan(query, parsed, _grid(low), chosen.name, accuracy, options or {})


def joint_cost(plans: Sequence[Plan], delta: Number) -> Bound:
    """What all planned queries cost together at this delta, by the tightest bound that holds for them.

    The queries are fixed in advance, so every rule of `privacy.compose` may be used. A ledger, whose later queries may
    depend on earlier answers, goes by the sum or by zCDP; a few queries cost their sum by any rule.

    >>> facts = PublicFacts(n_nodes=50)
    >>> many = [forecast("edges", unit="edge", epsilon="0.1", facts=facts)] * 100
    >>> bound = joint_cost(many, "1e-6")
    >>> bound.rule.value, round(float(bound.epsilon), 2)
    ('optimal', 4.77)
    """
    if len({plan.unit for plan in plans}) > 1:
        raise UnitMismatch("plans under different units have no joint cost; plan them under one")
    return tightest([_loss(plan) for plan in plans], exact_delta(delta))


def _loss(plan: Plan) -> Loss:
    """What a ledger would be charged for the planned answer."""
    chosen = choose_query(plan.query, plan.unit, plan.options, plan.algorithm)
    query: Query = chosen.build(plan.epsilon / plan.unit.edges, plan.options)
    return changed_together(query.loss, plan.unit.edges)


_LAST_STEP = 7 * 900


def _grid(step: int) -> Fraction:
    """All epsilons of three digits from 0.001 to 10,000 in rising order."""
    decade, position = divmod(step, 900)
    return Fraction(100 + position) * Fraction(10) ** (decade - 5)


def _accuracy(
    algorithm: Row, epsilon: Fraction, unit: Unit, facts: PublicFacts, options: Mapping[str, Any]
) -> Accuracy:
    built = algorithm.build(epsilon / unit.edges, options)
    if unit.kind is Kind.EDGE and not algorithm.needs:  # candidates may be of others than those who are forecast for
        built.check_people(facts.n_nodes)
    forecast: Accuracy = built.forecast(facts)
    return forecast


def _error(accuracy: Accuracy, confidence: float) -> float:
    low, high = accuracy.interval(confidence)
    widths = [abs(entry) for end in (low, high) for entry in (end if isinstance(end, tuple) else (end,))]
    finite = [width for width in widths if width != float("inf")]
    return max(finite, default=float("inf") if widths else 0.0)


def _largest(spread: Any) -> float | None:
    return max(spread, default=0.0) if isinstance(spread, tuple) else spread
