"""The ledger: what every dataset may lose, what it has lost, and the releases that were paid for.

Spend, then draw, then settle. `spend` returns when the loss is durably on record; only then may noise be drawn.
`settle` stores the finished release and returns the one on record; only what it returns may leave. A crash in between
loses budget, never privacy: whoever repeats the request under its id pays nothing and draws anew, and of all values
drawn for it exactly one, the first settled, ever leaves.

Several processes may spend at once. In the order of the ledger every loss was chosen in view of answers to earlier
entries only, because an answer exists only after its entry; that is the order the rule in `budget` is proved for.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Self

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.privacy.ledger import rows
from graphveil.privacy.ledger.budget import Budget, Totals
from graphveil.privacy.ledger.file import LedgerFile, LedgerMemory
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Loss, Pure
from graphveil.privacy.unit import Trust, Unit

_UNSTORABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Charge:
    """A spend on record, the release stored for it if there is one already, and the (epsilon, delta) left after it."""

    entry: Entry
    stored: str | None
    left: tuple[Fraction, Fraction]


class Ledger:
    """Budgets and spends, append-only, safe between threads and processes.

    >>> from graphveil.privacy.loss import Pure
    >>> from graphveil.privacy.unit import EDGE
    >>> ledger = Ledger.in_memory()
    >>> ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    >>> entry = ledger.spend("friends", Pure(Fraction(7, 10)), request_id="r1", what="edges")
    >>> ledger.settle(entry, '{"value": 12}'), ledger.left("friends")
    ('{"value": 12}', (Fraction(3, 10), Fraction(0, 1)))
    >>> ledger.spend("friends", Pure(Fraction(1, 2)), request_id="r2", what="triangles")
    Traceback (most recent call last):
    ...
    graphveil.errors.BudgetExceeded: the budget of 'friends' is exceeded: asked epsilon 0.5, left epsilon 0.3 of 1;
    epsilon 0.3 or less would fit; nothing was spent
    """

    def __init__(self, store: LedgerFile | LedgerMemory) -> None:
        self._store = store

    @classmethod
    def open(cls, path: str | Path, *, wait_seconds: float = 30) -> Self:
        """The ledger at a path, made if there is none; an operation waits that long for other processes."""
        return cls(LedgerFile(Path(path), wait_seconds))

    @classmethod
    def in_memory(cls) -> Self:
        """A ledger that nothing remembers."""
        return cls(LedgerMemory())

    def declare(
        self,
        dataset: str,
        *,
        unit: Unit,
        trust: Trust,
        epsilon: Fraction,
        delta: Fraction = Fraction(0),
        tail_delta: Fraction = Fraction(0),
    ) -> None:
        """Fix the budget of a dataset for good; the same declaration again changes nothing.

        `tail_delta` sets a part of delta aside for many small losses, whose sum then may pass epsilon; see `budget`.
        """
        check_line(dataset, "the name of a dataset")
        wanted = Budget.declared(dataset, unit=unit, trust=trust, epsilon=epsilon, delta=delta, tail_delta=tail_delta)
        with self._store.transaction(write=True) as connection:
            _declare(connection, wanted)

    def spend(self, dataset: str, loss: Loss, *, request_id: str | None, what: str) -> Entry:
        """Put a loss on record, durably, or raise BudgetExceeded; a request id already on record is not paid again."""
        return self._charge(dataset, (loss,), request_id, what, None).entry

    def spend_together(self, dataset: str, losses: Sequence[Pure], *, request_id: str | None, what: str) -> Entry:
        """Put the losses of several answers on record as one entry, all or none of them.

        The rule counts each by itself, as if they had been spent one after the other: their sum as one loss would have
        a square, and so a rho, up to as many times as large as there are losses.
        """
        return self._charge(dataset, losses, request_id, what, None).entry

    def charge(self, budget: Budget, losses: Sequence[Pure], *, request_id: str | None, what: str) -> Charge:
        """Declare the budget if it is new and spend, in one transaction: if the losses do not fit, nothing is written.

        A request id already on record is not paid again; its stored release comes with the charge.
        """
        return self._charge(budget.name, losses, request_id, what, budget)

    def _charge(
        self, dataset: str, losses: Sequence[Loss], request_id: str | None, what: str, wanted: Budget | None
    ) -> Charge:
        if not losses or (len(losses) > 1 and not all(isinstance(loss, Pure) for loss in losses)):
            raise ParameterError("answers that are paid together need at least one loss, and each a pure one")
        check_line(what, "what a loss is spent on")
        if request_id is not None:
            check_line(request_id, "a request id")
        with self._store.transaction(write=True) as connection:
            if wanted is not None:
                _declare(connection, wanted)
            budget = _known_budget(connection, dataset)
            known = rows.find_request(connection, request_id) if request_id is not None else None
            totals = rows.totals(connection, dataset)
            if known is not None:
                if (known.dataset, known.what, known.losses) != (dataset, what, tuple(losses)):
                    raise ParameterError(f"request id {request_id!r} is on record for another request; give a new id")
                return Charge(known, rows.find_release(connection, known.id), budget.left(totals))
            after = reduce(Totals.plus, losses, totals)
            if not budget.admits(after):
                raise budget.refusal(totals, *losses)
            entry = rows.add_entry(connection, dataset, tuple(losses), request_id=request_id, what=what)
            return Charge(entry, None, budget.left(after))

    def settle(self, entry: Entry, release_json: str) -> str:
        """Store the release of a spend, and return the one on record: the first one stored."""
        with self._store.transaction(write=True) as connection:
            if rows.find_entry(connection, entry.id) != entry:
                raise ParameterError(f"entry {entry.id} is not of this ledger")
            stored = rows.find_release(connection, entry.id)
            if stored is None:
                rows.add_release(connection, entry.id, release_json)
            return release_json if stored is None else stored

    def stored(self, request_id: str) -> str | None:
        """The release under a request id, if there is one yet."""
        with self._store.transaction(write=False) as connection:
            entry = rows.find_request(connection, request_id)
            return None if entry is None else rows.find_release(connection, entry.id)

    def left(self, dataset: str) -> tuple[Fraction, Fraction]:
        """The largest (epsilon, delta) that one more loss may have."""
        with self._store.transaction(write=False) as connection:
            return _known_budget(connection, dataset).left(rows.totals(connection, dataset))

    def spent(self, dataset: str) -> tuple[Fraction, Fraction]:
        """What the rule in force has charged so far: (epsilon, delta)."""
        with self._store.transaction(write=False) as connection:
            return _known_budget(connection, dataset).spent(rows.totals(connection, dataset))

    def entries(self, dataset: str | None = None) -> list[Entry]:
        """The spends in order, of one dataset or of all."""
        with self._store.transaction(write=False) as connection:
            return list(rows.entries(connection, dataset))

    def budget(self, dataset: str) -> Budget | None:
        """The declared budget of a dataset, if there is one."""
        with self._store.transaction(write=False) as connection:
            return rows.find_budget(connection, dataset)

    def datasets(self) -> list[Budget]:
        """The declared budgets, each with the name of its dataset."""
        with self._store.transaction(write=False) as connection:
            return list(rows.all_budgets(connection))


def _declare(connection: sqlite3.Connection, wanted: Budget) -> None:
    known = rows.find_budget(connection, wanted.name)
    if known is None:
        rows.add_budget(connection, wanted)
    else:
        check_same(known, wanted)


def _known_budget(connection: sqlite3.Connection, dataset: str) -> Budget:
    budget = rows.find_budget(connection, dataset)
    if budget is None:
        declared = ", ".join(repr(known.name) for known in rows.all_budgets(connection)) or "none"
        raise ParameterError(f"no budget is declared for {dataset!r}; declared are: {declared}")
    return budget


def check_same(known: Budget, wanted: Budget) -> None:
    """Refuse to declare a budget anew with other terms."""
    if (known.unit, known.trust) != (wanted.unit, wanted.trust):
        raise UnitMismatch(
            f"{known.name!r} is on file with {known}; it cannot become {wanted}: use another dataset name"
        )
    limits = (known.epsilon, known.delta, known.tail_delta)
    if limits != (wanted.epsilon, wanted.delta, wanted.tail_delta):
        raise ParameterError(f"{known.name!r} is on file with {known}; it cannot become {wanted}: a budget is final")


def check_line(text: str, name: str) -> None:
    """Refuse what cannot be stored as one line of text."""
    if not isinstance(text, str) or not text.strip() or _UNSTORABLE.search(text):
        raise ParameterError(f"{name} must be one line of text, not {text!r}")
