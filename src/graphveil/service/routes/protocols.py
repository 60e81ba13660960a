"""Which protocols a campaign may use, and which of them people can answer in a browser."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter

from graphveil.privacy.guarantee import Verdict
from graphveil.registry import PROTOCOLS
from graphveil.service.pages.join import browser_protocols

router = APIRouter(prefix="/api/v1", tags=["campaigns"])


@router.get("/protocols")
def protocols() -> list[dict[str, Any]]:
    """Every protocol that a campaign may use, and whether people can answer it in a browser."""
    return [dict(each) for each in offered_protocols()]


@lru_cache(maxsize=1)
def offered_protocols() -> tuple[dict[str, Any], ...]:
    """Whatever may be deployed: statistic, protocol, unit, rounds, browser or not; those for browsers come first."""
    built = [(entry, entry.cls(epsilon=1, n_people=100)) for entry in PROTOCOLS]
    fine = [entry for entry, each in built if each.claim is None or each.claim.verdict is not Verdict.REFUTED]
    offered = [
        {
            "statistic": entry.query,
            "protocol": entry.name,
            "unit": entry.unit,
            "rounds": entry.cls.rounds,
            "browser": f"{entry.query}|{entry.name}|{entry.unit}" in browser_protocols(),
        }
        for entry in fine
    ]
    return tuple(sorted(offered, key=lambda each: not each["browser"]))
