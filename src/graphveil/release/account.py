"""The account of a session: the ledger, the dataset and its budget there, and how a request is paid or found again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path

from graphveil.display.svg import budget_bar
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.digest import GraphDigest, graph_digest
from graphveil.graph.files.fold import ReadReport
from graphveil.privacy.amount import Amount
from graphveil.privacy.ledger.budget import Budget
from graphveil.privacy.ledger.ledger import Charge, Ledger
from graphveil.privacy.ledger.rules import SpendRequest, check_line, check_people, check_same
from graphveil.privacy.loss import Number, exact_delta, exact_epsilon
from graphveil.privacy.rounding import text_up
from graphveil.privacy.unit import Kind, Trust, Unit

MOST_NAMED = 5  # ledgers in a message


class Account:
    """What one graph may spend. The ledger is made with the first spend: what is refused leaves no file behind."""

    def __init__(
        self,
        graph: Graph,
        unit: Unit,
        *,
        ledger: Ledger | str | Path | None,
        dataset: str | None,
        budget: Number | None,
        delta: Number | None,
        separate_people: bool,
        accept_changed_people: bool,
    ) -> None:
        self._accept_changed_people = accept_changed_people
        self.recorded = ledger is not None
        self._graph = graph
        self._digest: GraphDigest | None = None
        self._ledger: Ledger | None = None
        self._path: Path | None = None
        if ledger is None:
            self._ledger = Ledger.in_memory()
        elif isinstance(ledger, Ledger):
            self._ledger = ledger
        else:
            self._path = Path(ledger)
        self.dataset = self._name_of(graph) if dataset is None else dataset
        check_line(self.dataset, "the name of a dataset")
        self.budget = self._declared(unit, budget, delta, separate=separate_people)

    @property
    def ledger(self) -> Ledger:
        """The ledger, made when it is first needed; the budget is written with the first spend."""
        if self._ledger is None:
            assert self._path is not None
            self._ledger = Ledger.open(self._path)
        return self._ledger

    @property
    def place(self) -> Path | None:
        """Where the ledger lies on disk; None for one in memory."""
        return self._path if self._ledger is None else self._ledger.path

    @property
    def left(self) -> tuple[Fraction, Fraction]:
        """What may still be spent: (epsilon, delta)."""
        if self._known_budget() is None:
            return self.budget.epsilon, self.budget.delta - self.budget.tail_delta
        return self.ledger.left(self.dataset)

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """What has been spent: (epsilon, delta)."""
        return (Fraction(0), Fraction(0)) if self._known_budget() is None else self.ledger.spent(self.dataset)

    def facts(self) -> list[tuple[str, str]]:
        """What there is to know of it at a glance, for representations."""
        spent, budget = self.spent[0], self.budget.epsilon
        left = f"{Amount(*self.left)} of {text_up(budget)}"
        recorded = "in a ledger" if self.recorded else "nowhere; nothing is recorded without ledger="
        return [
            ("dataset", self.dataset),
            ("unit", str(self.budget.unit)),
            ("budget left", left),
            ("spent", text_up(spent)),
            ("recorded", recorded),
        ]

    def notes(self) -> list[str]:
        """What was read and left out, without counts: a session stands beside what is published."""
        reading = self._graph.reading
        return [reading.without_counts()] if isinstance(reading, ReadReport) else []

    def bar(self) -> str:
        """The budget as a bar, SVG text."""
        budget = float(self.budget.epsilon)
        return budget_bar([("spent", float(self.spent[0]))], budget, title="what is spent and what is left")

    def repeated(self, request: SpendRequest, beside: bytes = b"") -> Charge | None:
        """What is stored for this request, if anything is; nothing is written.

        `beside` is the digest of private tables that the request reads beside the graph: they are part of the data.
        """
        if request.fresh or not self._has_ledger():
            return None
        return self.ledger.repeated(replace(request, fingerprint=self.ledger.fingerprint(self._digest_with(beside))))

    def pay(self, request: SpendRequest, beside: bytes = b"") -> Charge:
        """Put the spend on record, durably, or find it there."""
        if not self._has_ledger():
            self.budget.check_first(request.losses)
        fingerprint = self.ledger.new_fingerprint(self._digest_with(beside))
        asked = replace(request, fingerprint=fingerprint, other_people=self._accept_changed_people)
        return self.ledger.charge(self.budget, asked)

    def _digest_with(self, beside: bytes) -> GraphDigest:
        digest = self._digest_of_graph()
        if not beside:
            return digest
        return digest._replace(graph=blake2b(digest.graph + beside, digest_size=32).digest())

    def _digest_of_graph(self) -> GraphDigest:
        if self._digest is None:
            self._digest = graph_digest(self._graph)
        return self._digest

    def _name_of(self, graph: Graph) -> str:
        """The dataset that is meant where none is named: that of the graph's file, else the only one on record."""
        if graph.source is not None:
            return graph.source
        names = [budget.name for budget in self.ledger.datasets()] if self._has_ledger() else []
        if len(names) > 1:
            raise ParameterError(f"the ledger has several data sets ({', '.join(names)}): say which with dataset=")
        return names[0] if names else "graph"

    def _declared(self, unit: Unit, budget: Number | None, delta: Number | None, *, separate: bool) -> Budget:
        """The budget as it is on file, or a new one with these terms."""
        known = self._known_budget()
        if known is None and self._has_ledger():
            check_people(self.ledger.datasets(), self.dataset, separate=separate)
        if budget is None and known is None:
            where = f"{self._path} has" if self._path else "there is"
            if self._path is not None and not self._path.exists():
                where = f"{self._path} does not exist{other_ledgers(self._path)}; a new ledger has"
            raise ParameterError(f"{where} no budget for {self.dataset} yet: declare it once with budget= (--budget)")
        epsilon = known.epsilon if budget is None and known else exact_epsilon(budget or 0, "budget")
        tail = known.delta if delta is None and known else exact_delta(delta or 0)
        # queries are pure, so all of delta serves the composition of many small losses; only learning spends delta
        set_aside = Fraction(0) if unit.kind is Kind.RECORD else tail
        wanted = Budget.declared(
            self.dataset,
            unit=unit,
            trust=Trust.CENTRAL,
            epsilon=epsilon,
            delta=tail,
            tail_delta=set_aside,
            separate=separate,
        )
        if known is not None:
            check_same(known, wanted)
        return wanted

    def _has_ledger(self) -> bool:
        """Whether there is a ledger to read: one that is open, also in memory, or a file of that name."""
        return self._ledger is not None or (self._path is not None and self._path.exists())

    def _known_budget(self) -> Budget | None:
        return self.ledger.budget(self.dataset) if self._has_ledger() else None


def other_ledgers(path: Path) -> str:
    """The ledgers in the folder of one that does not exist: perhaps its name was mistyped."""
    found = sorted(each.name for each in path.absolute().parent.glob(f"*{path.suffix}") if path.suffix)[:MOST_NAMED]
    return f" ({', '.join(found)} {'is' if len(found) == 1 else 'are'} here)" if found else ""
