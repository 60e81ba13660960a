"""The guarantee of a release as it holds in its session, and where the release came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from graphveil.central.query import Answer, Stage
from graphveil.mechanisms.accuracy import Value
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.unit import Kind, Unit
from graphveil.release.job import PreparedQuery
from graphveil.release.release import Provenance, Release


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The public facts of a session."""

    unit: Unit
    dataset: str
    noise: str
    roster_declared: bool

    def release(self, prepared: PreparedQuery, answer: Answer, entry: Entry, group: str | None = None) -> Release:
        """An answer, paid for by this entry of the ledger; of one group among several, where a group is given."""
        query, row = prepared.query, prepared.row
        parameters = {"epsilon": str(query.epsilon)} | {
            name: value for name in row.options if (value := getattr(query, name)) is not None
        }
        shown = {name: str(v) if isinstance(v, Fraction) else v for name, v in parameters.items()}
        provenance = self.provenance(row.name, shown, entry, answer.derived)
        guarantee = self.guarantee(query.guarantee)
        warned = () if prepared.warning is None else (Stage(f"warning: {prepared.warning}"),)
        stages = (*answer.stages, *warned)
        release = Release(prepared.request.query, answer.value, guarantee, answer.accuracy, provenance, stages)
        return release if group is None else of_group(release, group)

    def provenance(
        self, algorithm: str, parameters: Mapping[str, Any], entry: Entry, derived: Mapping[str, Value] | None = None
    ) -> Provenance:
        """How something came about, as of now."""
        return Provenance(
            algorithm=algorithm,
            version=version("graphveil"),
            parameters=parameters,
            dataset=self.dataset,
            entry=entry.id,
            noise=self.noise,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            derived=derived or {},
        )

    def guarantee(self, stated: Guarantee) -> Guarantee:
        """An algorithm's guarantee in this session: k edges at once, the roster it assumes, and what noise was used."""
        edges = self.unit.edges  # group privacy: k edges at epsilon each cost k epsilon
        scaled = replace(
            stated,
            unit=self.unit,
            epsilon=stated.epsilon * edges,
            relationship_epsilon=stated.relationship_epsilon,
            assumes=(*stated.assumes, *self._roster_assumptions()),
        )
        return scaled if self.noise == "system" else scaled.seeded()

    def _roster_assumptions(self) -> tuple[str, ...]:
        if self.unit.kind is Kind.NODE:
            return ()
        if self.roster_declared:
            return ("the set of people is public",)
        return ("the set of people is public and equals the people named in the edge list",)


def of_group(release: Release, name: str) -> Release:
    """The release of one group among several, which says so and what it leaves out."""
    stage = Stage(f"kept the people of group {name} and the edges among them: edges to anybody else are left out")
    provenance = replace(release.provenance, parameters={**release.provenance.parameters, "group": name})
    assumes = (*release.guarantee.assumes, "the groups are public and were made without looking at the edges")
    guarantee = replace(release.guarantee, assumes=assumes)
    return replace(release, provenance=provenance, guarantee=guarantee, stages=(stage, *release.stages))
