"""Which protocols a campaign may use, and which of them people can answer in a browser; needs no server."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphveil.registry import PROTOCOLS

CAMPAIGN = Path(__file__).parent / "browser" / "campaign.js"


@lru_cache(maxsize=1)
def offered_protocols() -> tuple[dict[str, Any], ...]:
    """Whatever may be deployed: statistic, protocol, unit, rounds, browser or not; those for browsers come first."""
    built = [(entry, entry.cls(epsilon=1, n_people=100)) for entry in PROTOCOLS]
    fine = [entry for entry, each in built if not each.refuted]
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


@lru_cache(maxsize=1)
def browser_protocols() -> frozenset[str]:
    """The protocols that the page speaks, each as statistic|protocol|unit: the keys of the table in its script."""
    source = CAMPAIGN.read_text(encoding="utf-8")
    return frozenset(re.findall(r'^  "([\w,-]+\|[\w-]+\|\w+)":', source, flags=re.MULTILINE))
