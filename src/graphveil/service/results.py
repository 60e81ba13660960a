"""The result of a campaign, once it is there."""

from __future__ import annotations

import json
from typing import Any

from graphveil.service.campaigns import found
from graphveil.service.problems import Problem
from graphveil.service.service import Service


def result(service: Service, campaign_id: str) -> dict[str, Any]:
    """The result of a campaign that is done."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
    if row.result is None:
        raise Problem("not-now", f"the campaign is {row.state} and has no result")
    document: dict[str, Any] = json.loads(row.result)
    return {"campaign": row.id} | document
