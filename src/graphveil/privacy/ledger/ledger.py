"""The ledger: what every dataset may lose, what it has lost, and the releases that were paid for.

Spend, then draw, then settle. `spend` returns when the loss is durably on record; only then may noise be drawn.
`settle` stores the finished release and returns the one on record; only what it returns may leave. A crash in between
loses budget, never privacy: whoever repeats the request under its id pays nothing and draws anew, and of all values
drawn for it exactly one, the first settled, ever leaves.

Several processes may spend at once. In the order of the ledger every loss was chosen in view of answers to earlier
entries only, because an answer exists only after its entry; that is the order the rule in `budget` is proved for.

A ledger protects one set of people. A second dataset is refused unless it is declared to be of other people, and a
graph that was released under another name is refused in any case: somebody who is in two datasets loses the sum of what
both spend.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Self

from graphveil.errors import ParameterError
from graphveil.privacy.ledger import rows
from graphveil.privacy.ledger.budget import Budget, Totals
from graphveil.privacy.ledger.file import LedgerFile, LedgerMemory
from graphveil.privacy.ledger.fingerprint import KEY_BYTES, Fingerprint, keyed, make_key, read_key
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.ledger.rules import (
    SpendRequest,
    check_line,
    check_same_people,
    declare,
    known_budget,
    raise_limit,
    refuse_other_name,
    refuse_other_people,
)
from graphveil.privacy.loss import Loss, Pure
from graphveil.privacy.unit import Trust, Unit


@dataclass(frozen=True, slots=True)
class Charge:
    """A spend on record, the release stored for it if there is one already, and the (epsilon, delta) left after it.

    `other_graph` says that a request id was given whose spend was for another graph than this one, `other_people` that
    the spend before was for other people than this one, who are public both times.
    """

    entry: Entry
    stored: str | None
    left: tuple[Fraction, Fraction]
    other_graph: bool = False
    other_people: bool = False


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
        self._key: bytes | None = None  # of a ledger in memory

    @classmethod
    def open(cls, path: str | Path, *, wait_seconds: float = 30) -> Self:
        """The ledger at a path, made if there is none; an operation waits that long for other processes."""
        return cls(LedgerFile(Path(path), wait_seconds))

    @property
    def path(self) -> Path | None:
        """Where it lies on disk; None in memory."""
        return self._store.path

    def __repr__(self) -> str:
        names = ", ".join(budget.name for budget in self.datasets()) or "none yet"
        return f"Ledger({self.path or 'in memory'}; data sets: {names})"

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
        separate: bool = False,
    ) -> None:
        """Fix the budget of a dataset for good; the same declaration again changes nothing.

        `tail_delta` sets a part of delta aside for many small losses, whose sum then may pass epsilon; see `budget`.
        `separate` declares that nobody in this dataset is in another one of the ledger.
        """
        check_line(dataset, "the name of a dataset")
        wanted = Budget.declared(
            dataset, unit=unit, trust=trust, epsilon=epsilon, delta=delta, tail_delta=tail_delta, separate=separate
        )
        with self._store.transaction(write=True) as connection:
            declare(connection, wanted)

    def raise_limit(self, dataset: str, epsilon: Fraction) -> None:
        """Put a higher limit on record, in the ledger of a person's own list; what was spent stays counted."""
        with self._store.transaction(write=True) as connection:
            raise_limit(connection, dataset, epsilon)

    def spend(self, dataset: str, loss: Loss, *, request_id: str | None, what: str) -> Entry:
        """Put a loss on record, durably, or raise BudgetExceeded; a request id already on record is not paid again."""
        return self._charge(SpendRequest(dataset, (loss,), what, request_id), None).entry

    def spend_together(self, dataset: str, losses: Sequence[Pure], *, request_id: str | None, what: str) -> Entry:
        """Put the losses of several answers on record as one entry, all or none of them.

        The rule counts each by itself, as if they had been spent one after the other: their sum as one loss would have
        a square, and so a rho, up to as many times as large as there are losses.
        """
        return self._charge(SpendRequest(dataset, tuple(losses), what, request_id), None).entry

    def charge(self, budget: Budget, request: SpendRequest) -> Charge:
        """Declare the budget if it is new and spend, in one transaction: if the losses do not fit, nothing is written.

        A request that is on record is not paid again; its stored release comes with the charge.
        """
        return self._charge(request, budget)

    def _charge(self, request: SpendRequest, wanted: Budget | None) -> Charge:
        with self._store.transaction(write=True) as connection:
            if wanted is not None:
                declare(connection, wanted)
            budget = known_budget(connection, request.dataset)
            refuse_other_name(connection, request.dataset, request.fingerprint)
            totals = rows.totals(connection, budget)
            known = request.on_record(connection)
            if known is not None:
                stored = rows.find_release(connection, known.id)
                return Charge(known, stored, budget.left(totals), request.is_of_other_graph(known))
            same_people = check_same_people(connection, budget, request.fingerprint)
            if not same_people and not request.other_people:
                raise refuse_other_people(budget.name)
            after = reduce(Totals.plus, request.losses, totals)
            if not budget.admits(after):
                raise budget.refusal(totals, *request.losses)
            entry = rows.add_entry(
                connection,
                request.dataset,
                request.losses,
                request_id=request.request_id,
                what=request.what,
                fingerprint=request.fingerprint,
            )
            return Charge(entry, None, budget.left(after), other_people=not same_people)

    def repeated(self, request: SpendRequest) -> Charge | None:
        """What `charge` would return for a request whose release is stored already, else None; writes nothing."""
        with self._store.transaction(write=False) as connection:
            budget = rows.find_budget(connection, request.dataset)
            if budget is None:
                return None
            refuse_other_name(connection, request.dataset, request.fingerprint)
            known = request.on_record(connection)
            stored = None if known is None else rows.find_release(connection, known.id)
            if known is None or stored is None:
                return None
            left = budget.left(rows.totals(connection, budget))
            return Charge(known, stored, left, request.is_of_other_graph(known))

    def check_graph(self, dataset: str, fingerprint: Fingerprint | None) -> None:
        """Refuse a graph of another dataset, or without its list of people; for what must be known before `charge`."""
        with self._store.transaction(write=False) as connection:
            refuse_other_name(connection, dataset, fingerprint)
            check_same_people(connection, known_budget(connection, dataset), fingerprint)

    def fingerprint(self, digest: tuple[bytes, bytes, bytes | None, bytes | None] | None) -> Fingerprint | None:
        """The fingerprint of a graph from its digests, under the ledger's key; None if either is missing."""
        key = None if digest is None else self._read_key()
        return None if digest is None or key is None else keyed(key, *digest)

    def new_fingerprint(self, digest: tuple[bytes, bytes, bytes | None, bytes | None] | None) -> Fingerprint | None:
        """The same, under a new key if there is none yet: for a graph that is about to be put on record."""
        return None if digest is None else keyed(self._read_key() or self._make_key(), *digest)

    def _read_key(self) -> bytes | None:
        return self._key if self._store.path is None else read_key(self._store.path)

    def _make_key(self) -> bytes:
        if self._store.path is None:
            self._key = os.urandom(KEY_BYTES)
            return self._key
        with self._store.transaction(write=False) as connection:
            was_used = rows.any_fingerprint(connection)
        return make_key(self._store.path, was_used=was_used)

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

    def release_of(self, entry_id: int) -> tuple[Entry, str | None] | None:
        """The spend of that number and its stored release, if there is one."""
        with self._store.transaction(write=False) as connection:
            entry = rows.find_entry(connection, entry_id)
            return None if entry is None else (entry, rows.find_release(connection, entry.id))

    def part_of(self, number: int) -> int | None:
        """The number of the spend whose part has this number, if it is a part of one paid together."""
        with self._store.transaction(write=False) as connection:
            return rows.part_of(connection, number)

    def left(self, dataset: str) -> tuple[Fraction, Fraction]:
        """The largest (epsilon, delta) that one more loss may have."""
        with self._store.transaction(write=False) as connection:
            budget = known_budget(connection, dataset)
            return budget.left(rows.totals(connection, budget))

    def spent(self, dataset: str) -> tuple[Fraction, Fraction]:
        """What the rule in force has charged so far: (epsilon, delta)."""
        with self._store.transaction(write=False) as connection:
            budget = known_budget(connection, dataset)
            return budget.spent(rows.totals(connection, budget))

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
