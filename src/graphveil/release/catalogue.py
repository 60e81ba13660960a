"""Every algorithm of every job in one list: what it answers, what it promises, whether that holds, what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from graphveil.errors import unknown_name
from graphveil.local.registry import build, protocols
from graphveil.privacy.guarantee import PublishedClaim, Status, Verdict
from graphveil.registry_base import Located, proof_of
from graphveil.release.registry import algorithms
from graphveil.synthetic.registry import methods

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
    package: str | None  # the plug-in that brought it

    def to_json(self) -> dict[str, Any]:
        """The row as `graphveil algorithms` shows it."""
        return asdict(self) | {"options": list(self.options)}


def catalogue() -> Iterator[Listing]:
    """Releases, then collections, then synthesizers."""
    for row in algorithms():
        yield _listing(row, row.name, "release", row.query, row.unit, None, row.options)
    for entry in protocols():
        claim = build(entry.statistic, entry.name, unit=entry.unit, epsilon=1, n_people=PEOPLE).claim
        yield _listing(entry, entry.name, "collect", entry.statistic, entry.unit, claim, entry.parameters)
    for method in methods():
        yield _listing(method, method.name, "synthesize", "graph", "edge", method.page.claim, tuple(method.options))


def find_listings(name: str) -> list[Listing]:
    """All that have this name, answer this query, or do this job."""
    everything = list(catalogue())
    found = [row for row in everything if row.name == name]
    found = found or [row for row in everything if name in (row.query, row.job)]
    if not found:
        known = (each for row in everything for each in (row.name, row.query))
        raise unknown_name("algorithm or query", name, known)
    return found


def _listing(
    row: Located[Any],
    name: str,
    job: str,
    query: str,
    unit: str,
    claim: PublishedClaim | None,
    options: tuple[str, ...],
) -> Listing:
    header = row.header
    refuted = claim is not None and claim.verdict is Verdict.REFUTED
    status = Status.UNREVIEWED if row.package else Status.PROVED
    return Listing(
        name=name,
        job=job,
        query=query,
        unit=unit,
        trust="local" if job == "collect" else "central",
        guarantee=header.get("Guarantee", ""),
        status=(Status.CLAIM_REFUTED if refuted else status).value,
        paper=header.get("Paper", ""),
        estimator=header.get("Estimator", ""),
        cost=header.get("Cost", ""),
        differs=header.get("Differs"),
        claim=None if claim is None else claim.statement,
        verdict=None if claim is None else str(claim.verdict),
        reason=None if claim is None else claim.reason,
        options=options,
        page=proof_of(row.page),
        package=row.package or None,
    )
