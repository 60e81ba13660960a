"""How a command opens a session: with a durable ledger, or for one release that nothing remembers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.privacy.ledger import Ledger
from graphveil.privacy.loss import Number
from graphveil.release.session import Session


def open_session(
    graph: Graph,
    *,
    unit: str,
    epsilon: Fraction,
    delta: Number,
    ledger: Path | None,
    budget: Number | None,
    dataset: str,
) -> Session:
    """A session on the ledger's dataset; without a ledger, one whose whole budget is this epsilon."""
    if ledger is None:
        if budget is not None:
            raise ParameterError("--budget needs --ledger: a budget that nothing records limits nothing")
        return Session(graph, unit=unit, budget=epsilon, delta=delta, dataset=dataset)
    if budget is None:
        budget = _declared_budget(ledger, dataset)
    return Session(graph, unit=unit, budget=budget, delta=delta, ledger=ledger, dataset=dataset)


def _declared_budget(path: Path, dataset: str) -> Fraction:
    declared = {} if not path.exists() else {d.name: d.epsilon for d in Ledger.open(path).datasets()}
    if dataset not in declared:
        known = f"; it knows {', '.join(sorted(declared))}" if declared else ""
        raise ParameterError(f"{path} has no budget for {dataset} yet: declare it once with --budget{known}")
    return declared[dataset]
