"""Every algorithm of every job in one list: what it answers, what it promises, whether that holds, what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from graphveil.errors import unknown_name
from graphveil.plugins import leave_out, proof_of
from graphveil.privacy.guarantee import Status
from graphveil.privacy.parameter import plain_defaults
from graphveil.privacy.rounding import text_up
from graphveil.registry import TOY_PEOPLE, Job, Row, rows
from graphveil.registry_theorems import REFUTATIONS, THEOREMS


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
    defaults: dict[str, Any]  # of those options that have one
    page: str
    theorems: tuple[str, ...]  # of proofs/, checked by Coq
    package: str | None  # the plug-in that brought it

    def to_json(self) -> dict[str, Any]:
        """The row as `graphveil algorithms` shows it."""
        return asdict(self) | {"options": list(self.options), "theorems": list(self.theorems)}


def catalogue() -> Iterator[Listing]:
    """Releases, then collections, then synthesizers; without plug-ins that are refused when they are used."""
    for job in Job:
        for row in rows(job):
            try:
                listing = listing_of(row)
            except Exception as error:
                if not row.package:
                    raise
                leave_out(f"{row.name} of package {row.package}", str(error))
            else:
                yield listing


def find_listings(name: str) -> list[Listing]:
    """All that have this name, answer this query, or do this job."""
    everything = list(catalogue())
    found = [row for row in everything if row.name == name]
    found = found or [row for row in everything if name in (row.query, row.job)]
    if not found:
        known = (each for row in everything for each in (row.name, row.query))
        raise unknown_name("algorithm or query", name, known)
    return found


def listing_of(row: Row) -> Listing:
    """The listing of one row of the registry."""
    claim, header, refuted = row.claim, row.header, row.refuted
    status = Status.UNREVIEWED if row.package else Status.PROVED
    return Listing(
        name=row.name,
        job=row.job.value,
        query=row.query,
        unit=row.unit,
        trust="local" if row.job is Job.COLLECT else "central",
        guarantee=_computed_guarantee(row) if row.package else header.get("Guarantee", ""),
        status=(Status.CLAIM_REFUTED if refuted else status).value,
        paper=header.get("Paper", ""),
        estimator=header.get("Estimator", ""),
        cost=header.get("Cost", ""),
        differs=header.get("Differs"),
        claim=None if claim is None else claim.statement,
        verdict=None if claim is None else str(claim.verdict),
        reason=None if claim is None else claim.reason,
        options=tuple(row.options),
        defaults=_defaults(row),
        page=proof_of(row.cls),
        theorems=_theorems(row),
        package=row.package or None,
    )


def _computed_guarantee(row: Row) -> str:
    """What a plug-in costs by its own measurements or messages; its text may say something else."""
    if row.needs:
        return row.header.get("Guarantee", "")
    built = row.build(1, n_people=TOY_PEOPLE) if row.job is Job.COLLECT else row.build(1)
    friendship = text_up(built.guarantee.relationship_epsilon)
    return f"at epsilon 1: {text_up(built.guarantee.epsilon)} for one {row.unit}, {friendship} for a friendship"


def _theorems(row: Row) -> tuple[str, ...]:
    """What Coq checked of the sensitivities of an algorithm, or against the claim of a published one."""
    refutation = REFUTATIONS.get(row.location)
    return THEOREMS.get(row.location, ()) if refutation is None else (refutation,)


def _defaults(row: Row) -> dict[str, Any]:
    """The values that options have unless they are given, as they appear in JSON."""
    options = {row.option_fields.get(option, option): option for option in row.options}
    return {options[field]: value for field, value in plain_defaults(row.cls).items() if field in options}
