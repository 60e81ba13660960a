"""The document a campaign ends with: estimate, error bars, guarantee, participation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphveil.local.outcome import Outcome


def result_document(outcome: Outcome) -> dict[str, Any]:
    """What the estimator says, with a 95 % interval for each entry where its standard deviation is known."""
    document, ends = _finite(outcome.to_json()), outcome.interval95
    return {**document, "interval95": None if ends is None else _finite([end.tolist() for end in ends])}


def _finite(value: Any) -> Any:
    """JSON has no infinities: what is not a number becomes null; numpy's numbers become plain."""
    if isinstance(value, dict):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_finite(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
