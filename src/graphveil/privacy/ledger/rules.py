"""What a ledger asks of a spend before it admits one: whose budget it is, and whether it is on record already."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from graphveil.errors import ParameterError, RefusedByLedger
from graphveil.privacy.ledger import rows
from graphveil.privacy.ledger.budget import Budget
from graphveil.privacy.ledger.fingerprint import DECLARED, Fingerprint
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Loss, Pure, exact_epsilon
from graphveil.privacy.rounding import text_up
from graphveil.privacy.unit import Kind, Trust

_UNSTORABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SpendRequest:
    """What is to be spent, on which dataset and what for.

    A request id says which request this is. Without one it is the same request as the latest one without an id that
    has the same text, losses and graph, unless it is to be `fresh`. So no month gets the answer of another.
    """

    dataset: str
    losses: tuple[Loss, ...]
    what: str
    request_id: str | None = None
    fingerprint: Fingerprint | None = None
    fresh: bool = False
    other_people: bool = False  # accepted: the people may be others than those of the spend before

    def __post_init__(self) -> None:
        if not self.losses or (len(self.losses) > 1 and not all(isinstance(loss, Pure) for loss in self.losses)):
            raise ParameterError("answers that are paid together need at least one loss, and each a pure one")
        check_line(self.what, "what a loss is spent on")
        if self.request_id is not None:
            check_line(self.request_id, "a request id")
            if self.fresh:
                raise ParameterError(
                    "a request id asks for its stored answer, and fresh for a new one: give one of them"
                )

    def on_record(self, connection: sqlite3.Connection) -> Entry | None:
        """The spend that this request repeats. Where there is a request id it alone decides: it is public."""
        if self.request_id is None:
            if self.fresh or self.fingerprint is None:
                return None
            return rows.find_same(connection, self.dataset, self.losses, self.what, self.fingerprint)
        known = rows.find_request(connection, self.request_id)
        if known is not None and (known.dataset, known.what, known.losses) != (self.dataset, self.what, self.losses):
            raise ParameterError(f"request id {self.request_id!r} is on record for another request; give a new id")
        return known

    def is_of_other_graph(self, known: Entry) -> bool:
        """Whether the spend on record was for another graph, as far as both are known."""
        return None not in (known.fingerprint, self.fingerprint) and known.fingerprint != self.fingerprint


def declare(connection: sqlite3.Connection, wanted: Budget) -> None:
    """Write a budget that is new, or refuse it; one that is on file must be the same."""
    known = rows.find_budget(connection, wanted.name)
    if known is None:
        check_people(list(rows.all_budgets(connection)), wanted.name, separate=wanted.separate)
        rows.add_budget(connection, wanted)
        return
    check_same(known, wanted)
    if wanted.separate and not known.separate:
        rows.add_separate(connection, known.name)


def raise_limit(connection: sqlite3.Connection, dataset: str, epsilon: Fraction) -> None:
    """Write a higher limit of the person whose own list this is; for a curator's budget there is none."""
    known = known_budget(connection, dataset)
    if known.trust is not Trust.LOCAL or known.delta:
        raise ParameterError(f"the budget of {dataset!r} is final: only people themselves raise theirs")
    if exact_epsilon(epsilon, "budget") <= known.epsilon:
        raise ParameterError(f"the limit is {text_up(known.epsilon)} already, and {text_up(epsilon)} is not above it")
    rows.add_raised(connection, dataset, epsilon)


def known_budget(connection: sqlite3.Connection, dataset: str) -> Budget:
    """The budget of a dataset, which must have been declared."""
    budget = rows.find_budget(connection, dataset)
    if budget is None:
        declared = ", ".join(repr(known.name) for known in rows.all_budgets(connection)) or "none"
        raise ParameterError(f"no budget is declared for {dataset!r}; declared are: {declared}")
    return budget


def refuse_other_name(connection: sqlite3.Connection, dataset: str, mark: Fingerprint | None) -> None:
    """Refuse a graph that was released under another name, whatever was declared about its people."""
    other = None if mark is None else rows.other_dataset_of(connection, dataset, mark)
    if other is not None:
        raise RefusedByLedger(
            f"this is the graph that was released as {other!r}: one set of people has one budget, so it cannot be "
            f"released as {dataset!r} too; give dataset={other!r} (--dataset {other}); nothing was spent"
        )


def check_same_people(connection: sqlite3.Connection, budget: Budget, mark: Fingerprint | None) -> bool:
    """Whether the people are those of the spend before, listed or with an edge, as far as that is on record.

    People with an edge are refused where everybody was listed before: who is missing now has no edge, exactly. Under
    node privacy nobody's being there is taken for public.
    """
    if mark is None or mark.people is None or budget.unit.kind is Kind.NODE:
        return True
    before = rows.people_before(connection, budget.name)
    if mark.people != DECLARED and DECLARED in before:
        raise RefusedByLedger(
            f"{budget.name!r} was released with a list of its people before, and now there is none: its people would "
            "be those with an edge, which tells without noise how many on the list have none; give the list (people=, "
            "--people FILE); nothing was spent"
        )
    return not before or before[-1] in (mark.people, mark.listed)


def refuse_other_people(name: str) -> RefusedByLedger:
    """What to raise where the people are not those of the spend before, and nobody has accepted that."""
    return RefusedByLedger(
        f"the people of {name!r} are not those of the release before: the number of people is published without noise, "
        "so readers learn of those who came or left; give the same list of everybody each time (people=, --people "
        "FILE), or accept it with accept_changed_people=True (--accept-changed-people); nothing was spent"
    )


def check_people(known: Sequence[Budget], name: str, *, separate: bool) -> None:
    """Refuse a second dataset that is not declared to be of other people."""
    if not known or separate:
        return
    names = ", ".join(repr(budget.name) for budget in known)
    raise RefusedByLedger(
        f"this ledger protects the people of {names}, and {name!r} would be a second data set: a later snapshot or "
        f"another file of the same people must share their budget (dataset={known[0].name!r}, --dataset "
        f"{known[0].name}); separate_people=True (--separate-people) is only for people of whom nobody is in the other "
        "data; nothing was spent"
    )


def check_same(known: Budget, wanted: Budget) -> None:
    """Refuse to declare a budget anew with other terms."""
    if (known.unit, known.trust) != (wanted.unit, wanted.trust):
        raise RefusedByLedger(
            f"{known.name!r} is on file with {known}; it cannot become {wanted}: losses for different units, "
            "such as edge and node, cannot be added up, so these people keep the unit of their first release"
        )
    limits = (known.epsilon, known.delta, known.tail_delta)
    if limits != (wanted.epsilon, wanted.delta, wanted.tail_delta):
        raise ParameterError(
            f"{known.name!r} is on file with {known}; it cannot become {wanted}: a budget is final, so leave out "
            "budget= (--budget)"
        )


def check_line(text: str, name: str) -> None:
    """Refuse what cannot be stored as one line of text."""
    if not isinstance(text, str) or not text.strip() or _UNSTORABLE.search(text):
        raise ParameterError(f"{name} must be one line of text, not {text!r}")
