"""The document a campaign ends with: estimate, error bars, guarantee, participation."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from graphveil.local.outcome import Outcome
from graphveil.service.campaigns import found
from graphveil.service.problems import Problem
from graphveil.service.service import Service


def result_document(outcome: Outcome) -> dict[str, Any]:
    """What the estimator says, with a 95 % interval for each entry where its standard deviation is known."""
    document, ends = _finite(outcome.to_json()), outcome.interval95
    return {**document, "interval95": None if ends is None else _finite([end.tolist() for end in ends])}


def result(service: Service, campaign_id: str) -> dict[str, Any]:
    """The result of a campaign that is done."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
    if row.result is None:
        raise Problem("not-now", f"the campaign is {row.state} and has no result")
    document: dict[str, Any] = json.loads(row.result)
    return {"campaign": row.id} | document


def _finite(value: Any) -> Any:
    """JSON has no infinities: what is not a number becomes null; numpy's numbers become plain."""
    if isinstance(value, dict):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_finite(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
