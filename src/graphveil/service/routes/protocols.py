"""The address that lists what a campaign may use."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from graphveil.service.pages.offered import offered_protocols

router = APIRouter(prefix="/api/v1", tags=["campaigns"])


@router.get("/protocols")
def protocols() -> list[dict[str, Any]]:
    """Every protocol that a campaign may use, and whether people can answer it in a browser."""
    return [dict(each) for each in offered_protocols()]
