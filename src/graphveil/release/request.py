"""One question to a session, and the canonical text by which the ledger knows it again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """One question and what it may cost."""

    query: str
    epsilon: Fraction
    method: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The canonical form, by which the ledger knows a repeated request."""
        options = {name: str(value) for name, value in sorted(self.options.items())}
        return {"query": self.query, "epsilon": str(self.epsilon), "method": self.method, "options": options}


def canonical(requests: Sequence[Request], **further: str) -> str:
    """Requests as the ledger remembers them."""
    return json.dumps([request.to_json() | further for request in requests], sort_keys=True)
