"""The budget of a dataset, and the rule by which a ledger admits or refuses a loss.

Rule. Of delta a part `tail_delta` may be set aside when the budget is declared; rho is then the largest zCDP loss that
converts to (epsilon, tail_delta). A loss is admitted if afterwards, over all admitted losses,

    (F)  the sum of deltas is at most delta - tail_delta, and
    (B)  there is no zCDP loss and the sum of epsilons is at most epsilon, or
    (Z)  the sum of rhos is at most rho, where a pure or approximate loss counts epsilon^2 / 2.

With tail_delta = 0, the default, only (F) and (B) are left: exact sums.

Theorem. However the losses are chosen, each in view of all earlier answers, all releases are (epsilon, delta)-DP.

Proof. Fix two neighbours; P and Q are the laws of the transcript. Given the past, an (e, d)-DP step equals one that
fails with probability d and otherwise answers e-DP (Kairouz, Oh and Viswanath 2015). By (F) the chance of any failure
under P, at most the expected sum of deltas, is at most delta - tail_delta. On transcripts without failure let L be the
log-ratio of P to Q; their part of P(S) - e^epsilon Q(S) is at most E[(1 - e^(epsilon - L))+]. Where the transcript
ended within (B), L is at most the sum of epsilons, hence at most epsilon, and adds 0. Where it ended within (Z), L is
that of the process stopped before (Z) would break. For every alpha > 1, exp((alpha - 1) (L - alpha R)), R the sum of
rhos so far, is a supermartingale; so the stopped process has E[exp((alpha - 1) L)] <= exp((alpha - 1) alpha rho), as
one rho-zCDP release has (the filter of Feldman and Zrnic 2021 and of Whitehouse et al. 2023), and the conversion of
rho, which uses nothing else, bounds this part by tail_delta. Together: delta. Every threshold was fixed beforehand.

Losses that are paid together are admitted if the rule holds after all of them. Sums only grow, so each of them would
have been admitted in its turn, and the proof need not know of batches.

A person may raise the limit of their own list later (`Ledger.raise_limit`), where delta is 0. Only (B) is used then: on
every transcript the sum of epsilons is at most the limit in force at its end, so the promise is that of the highest
limit the person ever sets.

Why delta must be divided in advance: if (B) could use all of delta for failures and (Z) all of it for its tail,
somebody could go on under (Z) just where the loss is already high and take the failures everywhere else, and the two
parts would add up to nearly twice delta.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Self

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.privacy.convert import concentrated_to_approximate, largest_concentrated, largest_pure
from graphveil.privacy.loss import Approximate, Concentrated, Loss, Pure, exact_delta, exact_epsilon
from graphveil.privacy.rounding import sqrt_down, text_down, text_up
from graphveil.privacy.unit import Trust, Unit

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of what was spent; `rho` counts every loss, `zcdp` only those that came as zCDP."""

    epsilon: Fraction = ZERO
    delta: Fraction = ZERO
    rho: Fraction = ZERO
    zcdp: Fraction = ZERO

    def plus(self, loss: Loss, times: int = 1) -> Totals:
        """The sums with one more loss, or with several equal ones."""
        if isinstance(loss, Concentrated):
            rho = times * loss.rho
            return Totals(self.epsilon, self.delta, self.rho + rho, self.zcdp + rho)
        delta = loss.delta if isinstance(loss, Approximate) else ZERO
        rho = times * Pure(loss.epsilon).rho
        return Totals(self.epsilon + times * loss.epsilon, self.delta + times * delta, self.rho + rho, self.zcdp)


@dataclass(frozen=True, slots=True)
class Budget:
    """What the people of one dataset may lose altogether, declared once.

    `rho` is None where nothing is set aside for (Z). `separate` says that nobody in this dataset is in another one of
    the ledger, as was declared.
    """

    name: str
    unit: Unit
    trust: Trust
    epsilon: Fraction
    delta: Fraction
    tail_delta: Fraction
    rho: Fraction | None
    separate: bool = False

    @classmethod
    def declared(
        cls,
        name: str,
        *,
        unit: Unit,
        trust: Trust,
        epsilon: Fraction,
        delta: Fraction,
        tail_delta: Fraction,
        separate: bool = False,
    ) -> Self:
        """A new budget; works out its rho."""
        exact_epsilon(epsilon)
        exact_delta(delta)
        if not 0 <= tail_delta <= delta:
            raise ParameterError(f"tail_delta must lie from 0 to delta ({delta}), not {tail_delta}")
        rho = largest_concentrated(Approximate(epsilon, tail_delta)).rho if tail_delta else None
        return cls(name, unit, trust, epsilon, delta, tail_delta, rho, separate)

    def admits(self, totals: Totals) -> bool:
        """Whether these sums keep the rule."""
        failures = totals.delta <= self.delta - self.tail_delta
        return failures and (self._within_sums(totals) or self._within_rho(totals))

    def check_first(self, losses: Sequence[Loss]) -> None:
        """Refuse losses that would not fit even if nothing had been spent before."""
        if not self.admits(reduce(Totals.plus, losses, Totals())):
            raise self.refusal(Totals(), *losses)

    def left(self, totals: Totals) -> tuple[Fraction, Fraction]:
        """The largest epsilon and delta that one more loss may have."""
        by_sums = self.epsilon - totals.epsilon if self._within_sums(totals) else ZERO
        by_rho = ZERO if self.rho is None else largest_pure(Concentrated(self._rho_left(totals))).epsilon
        return max(by_sums, by_rho), self.delta - self.tail_delta - totals.delta

    def spent(self, totals: Totals) -> tuple[Fraction, Fraction]:
        """What the rule in force charges so far: the sums, or the conversion of the rhos."""
        if self._within_sums(totals):
            return totals.epsilon, totals.delta
        charged = concentrated_to_approximate(Concentrated(totals.rho), self.tail_delta).epsilon
        return min(charged, self.epsilon), totals.delta + self.tail_delta

    def refusal(self, totals: Totals, loss: Loss, *others: Loss) -> BudgetExceeded:
        """What was asked, what is left, what would fit; `others` were to be paid together with it."""
        epsilon, delta = left = self.left(totals)
        if others:
            asked, fits = self._batch_fits(totals, (loss, *others))
        elif isinstance(loss, Concentrated):
            asked, fits = f"rho {text_up(loss.rho)}", self._rho_fits(totals)
        else:
            asked, fits = f"epsilon {text_up(loss.epsilon)}", f"epsilon {text_down(epsilon)} or less would fit"
            if isinstance(loss, Approximate) and loss.delta:
                asked += f" and delta {text_up(loss.delta)}"
                fits = f"epsilon {text_down(epsilon)} or less with delta {text_down(delta)} or less would fit"
            if not epsilon:
                fits = "nothing more would fit"
        remaining = f"epsilon {text_down(epsilon)} of {text_up(self.epsilon)}"
        if self.delta:
            remaining += f" and delta {text_down(delta)} of {text_up(self.delta)}"
            if self.tail_delta:
                remaining += f" (another {text_up(self.tail_delta)} is set aside)"
        message = f"the budget of {self.name!r} is exceeded: asked {asked}, left {remaining}; {fits}; nothing was spent"
        return BudgetExceeded(message, asked=(loss, *others) if others else loss, left=left)

    def _batch_fits(self, totals: Totals, losses: tuple[Loss, ...]) -> tuple[str, str]:
        """What pure losses ask for together, and how much of it would fit if all of them shrank alike."""
        batch = reduce(Totals.plus, losses, Totals())
        by_sums = self.epsilon - totals.epsilon if self._within_sums(totals) else ZERO
        fitting = max(by_sums, batch.epsilon * sqrt_down(self._rho_left(totals) / batch.rho))
        fits = f"epsilon {text_down(fitting)} or less, shared in the same way, would fit"
        asked = f"epsilon {text_up(batch.epsilon)} for {len(losses)} answers"
        return asked, fits if fitting else "nothing more would fit"

    def _within_sums(self, totals: Totals) -> bool:
        return not totals.zcdp and totals.epsilon <= self.epsilon

    def _within_rho(self, totals: Totals) -> bool:
        return self.rho is not None and totals.rho <= self.rho

    def _rho_left(self, totals: Totals) -> Fraction:
        return max((self.rho or ZERO) - totals.rho, ZERO)

    def _rho_fits(self, totals: Totals) -> str:
        if self.rho is None:
            return "Gaussian noise needs a budget that was declared with a delta (delta=, --delta)"
        return f"rho {text_down(self._rho_left(totals))} or less would fit"

    def __str__(self) -> str:
        text = (
            f"unit {self.unit}, {self.trust} model, epsilon {float(self.epsilon):.12g}, delta {float(self.delta):.12g}"
        )
        return f"{text}, tail_delta {self.tail_delta}" if self.tail_delta else text
