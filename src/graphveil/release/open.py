"""How a command opens a session: with a durable ledger, or for one release that nothing remembers.

A command that fails leaves nothing behind. A new budget is therefore declared only after a rehearsal on a ledger in
memory, which refuses whatever the real one would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.privacy.ledger.budget import Budget
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Number, Pure
from graphveil.privacy.unit import Unit
from graphveil.release.request import PreparedGroups, PreparedQuery, Request
from graphveil.release.session import Session


def check_requests(requests: Sequence[Request], unit: str, graph: Graph | None = None) -> None:
    """Refuse what no algorithm answers, before a large file is read for it; with the graph, what its engine cannot."""
    for request in requests:
        PreparedQuery.prepare(request, Unit.parse(unit), graph)


def check_groups(request: Request, unit: str, graph: Graph, groups: Mapping[Any, str]) -> None:
    """Refuse what cannot be answered for each of these groups."""
    PreparedGroups.prepare(request, Unit.parse(unit), graph, groups)


def open_session(
    graph: Graph,
    *,
    unit: str,
    epsilons: Sequence[Fraction],
    delta: Number | None,
    ledger: Path | None,
    budget: Number | None,
    dataset: str,
    request_id: str | None = None,
) -> Session:
    """A session on the ledger's dataset; without a ledger, one whose whole budget are these epsilons, paid together.

    Budget and delta are given once, when the ledger first hears of the dataset; later they may be left out.
    """
    if ledger is None:
        if budget is not None:
            raise ParameterError("--budget needs --ledger: a budget that nothing records limits nothing")
        return Session(graph, unit=unit, budget=sum(epsilons, Fraction(0)), delta=delta or 0, dataset=dataset)
    declared = _declared_budgets(ledger)
    if dataset in declared:
        budget = declared[dataset].epsilon if budget is None else budget
        delta = declared[dataset].delta if delta is None else delta
    elif budget is None:
        known = f"; it knows {', '.join(sorted(declared))}" if declared else ""
        raise ParameterError(f"{ledger} has no budget for {dataset} yet: declare it once with --budget{known}")
    else:
        rehearsal = Session(graph, unit=unit, budget=budget, delta=delta or 0, dataset=dataset)
        losses = [Pure(epsilon) for epsilon in epsilons]
        rehearsal.ledger.spend_together(dataset, losses, request_id=request_id, what="rehearsal")
    return Session(graph, unit=unit, budget=budget, delta=delta or 0, ledger=ledger, dataset=dataset)


def _declared_budgets(path: Path) -> dict[str, Budget]:
    return {budget.name: budget for budget in Ledger.open(path).datasets()} if path.exists() else {}
