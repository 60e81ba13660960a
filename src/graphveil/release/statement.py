"""A ledger as a document that people and programs read."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Concentrated, Pure
from graphveil.privacy.rounding import round_down, round_up


def ledger_statement(path: Path) -> dict[str, Any]:
    """Every dataset with its budget, what was spent on what, and what is left."""
    if not path.exists():
        raise ParameterError(f"there is no ledger at {path}")
    ledger = Ledger.open(path)
    datasets = []
    for dataset in ledger.datasets():
        left_epsilon, left_delta = ledger.left(dataset.name)
        spent_epsilon, spent_delta = ledger.spent(dataset.name)
        datasets.append(
            {
                "dataset": dataset.name,
                "unit": str(dataset.unit),
                "trust": dataset.trust.value,
                "budget": {"epsilon": float(dataset.epsilon), "delta": float(dataset.delta)},
                "spent": {"epsilon": round_up(spent_epsilon), "delta": round_up(spent_delta)},
                "left": {"epsilon": round_down(left_epsilon), "delta": round_down(left_delta)},
                "entries": [_entry_document(entry) for entry in ledger.entries(dataset.name)],
            }
        )
    return {"ledger": str(path), "datasets": datasets}


def _entry_document(entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry.id,
        "time": entry.time,
        "what": _readable(entry.what),
        **_loss_document(entry),
        "request_id": entry.request_id,
        "released": entry.settled,
    }


def _loss_document(entry: Entry) -> dict[str, Any]:
    """One loss, or the sum of several that were paid together and, as `parts`, each of them."""
    loss, *others = entry.losses
    if isinstance(loss, Concentrated):
        return {"epsilon": None, "delta": None, "rho": round_up(loss.rho), "parts": []}
    delta = 0.0 if isinstance(loss, Pure) else round_up(loss.delta)
    epsilons = [each.epsilon for each in entry.losses if not isinstance(each, Concentrated)]
    parts = [round_up(epsilon) for epsilon in epsilons] if others else []
    return {"epsilon": round_up(sum(epsilons, Fraction(0))), "delta": delta, "rho": None, "parts": parts}


def _readable(what: str) -> str:
    """The queries of a session's entry; other entries speak for themselves."""
    try:
        return ", ".join(request["query"] for request in json.loads(what))
    except (ValueError, TypeError, KeyError):
        return what
