"""Every algorithm of every job in one list: what it answers, what it promises, whether that holds, what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from graphveil.errors import ParameterError
from graphveil.local.registry import PROTOCOLS, build
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.release.registry import ALGORITHMS, parse_header
from graphveil.synthetic.registry import METHODS

PEOPLE = 1_000  # a page wants numbers before it can say what was claimed of it


@dataclass(frozen=True, slots=True)
class Listing:
    """One algorithm. `query` is what it answers: a release's query, a campaign's statistic, or a graph."""

    name: str
    job: str
    query: str
    unit: str
    trust: str
    guarantee: str
    status: str
    paper: str
    estimator: str
    cost: str
    differs: str | None
    claim: str | None
    verdict: str | None
    reason: str | None
    options: tuple[str, ...]
    page: str

    def to_json(self) -> dict[str, Any]:
        """The row as `graphveil algorithms` shows it."""
        return asdict(self) | {"options": list(self.options)}


def catalogue() -> Iterator[Listing]:
    """Releases, then collections, then synthesizers."""
    for row in ALGORITHMS:
        page = row.location.partition(":")[0]
        yield _listing(row.name, "release", row.query, row.unit, row.header(), None, row.options, page)
    for entry in PROTOCOLS:
        page = "local." + entry.location.partition(":")[0]
        claim = build(entry.statistic, entry.name, unit=entry.unit, epsilon=1, n_people=PEOPLE).claim
        header = parse_header(entry.document)
        yield _listing(
            entry.name, "collect", entry.statistic, entry.unit, header, claim, entry.parameters, page, trust="local"
        )
    for method in METHODS:
        page = "synthetic." + method.location.partition(":")[0]
        header = parse_header(method.document)
        yield _listing(
            method.name, "synthesize", "graph", "edge", header, method.page.claim, tuple(method.options), page
        )


def find_listings(name: str) -> list[Listing]:
    """All that have this name, answer this query, or do this job."""
    everything = list(catalogue())
    found = [row for row in everything if row.name == name]
    found = found or [row for row in everything if name in (row.query, row.job)]
    if not found:
        names = ", ".join(dict.fromkeys(row.name for row in everything))
        raise ParameterError(f"unknown algorithm {name!r}; there are: {names}")
    return found


def _listing(
    name: str,
    job: str,
    query: str,
    unit: str,
    header: dict[str, str],
    claim: PublishedClaim | None,
    options: tuple[str, ...],
    page: str,
    trust: str = "central",
) -> Listing:
    refuted = claim is not None and claim.verdict is Verdict.REFUTED
    return Listing(
        name=name,
        job=job,
        query=query,
        unit=unit,
        trust=trust,
        guarantee=header.get("Guarantee", ""),
        status="claim-refuted" if refuted else "proved",
        paper=header.get("Paper", ""),
        estimator=header.get("Estimator", ""),
        cost=header.get("Cost", ""),
        differs=header.get("Differs"),
        claim=None if claim is None else claim.statement,
        verdict=None if claim is None else str(claim.verdict),
        reason=None if claim is None else claim.reason,
        options=options,
        page=page,
    )
