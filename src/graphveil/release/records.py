"""How an answer becomes a release that a ledger keeps: as its guarantee holds in the session, and as exact text.

The text is what a repeated request gets back. Its fields are only ever added, never removed or given another meaning; a
document of a newer format is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from graphveil.central.query import Answer, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.release import Provenance, Release, frozen
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.ledger.ledger import Charge
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.odds import weak_warning
from graphveil.privacy.unit import Kind, Trust, Unit
from graphveil.release.job import PreparedQuery
from graphveil.release.policy import says_nothing

FORMAT = 1
PAIRS = "directions ignored"  # what a query without directions sees of a directed graph: pairs of people


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The public facts of a session; `recorded` says whether a ledger outlives it, `directed` whether edges point."""

    unit: Unit
    dataset: str
    noise: str
    roster_declared: bool
    recorded: bool = False
    directed: bool = False

    @classmethod
    def of(cls, graph: Graph, unit: Unit, dataset: str, noise: str, *, recorded: bool) -> SessionFacts:
        """Those of a session with this graph."""
        directed = isinstance(graph, DirectedGraph)
        return cls(unit, dataset, noise, graph.roster_declared, recorded, directed)

    def release(self, prepared: PreparedQuery, answer: Answer, entry: Entry, group: str | None = None) -> Release:
        """An answer, paid for by this entry of the ledger; of one group among several, where a group is given."""
        query, row = prepared.query, prepared.row
        guarantee = self.guarantee(query.guarantee)
        parameters = {"epsilon": str(query.epsilon)} | {
            name: value for name in row.options if (value := getattr(query, name)) is not None
        }
        shown = {name: _shown(value) for name, value in parameters.items()}
        if self.directed and query.reads == "edges":
            shown["counted"] = PAIRS
        if query.reads == "weights":
            heaviest = shown.get("max_weight")
            shown["counted"] = "weights rounded down" + ("" if heaviest is None else f" and cut at {heaviest}")
        release = Release(
            query=prepared.request.query,
            value=answer.value,
            guarantee=guarantee,
            accuracy=answer.accuracy,
            provenance=self.provenance(row.name, shown, entry, answer.derived),
            stages=answer.stages,
            warnings=tuple(
                filter(None, (prepared.warning, weak_warning(guarantee.epsilon), says_nothing(answer.accuracy)))
            ),
        )
        return release if group is None else of_group(release, group)

    def provenance(
        self, algorithm: str, parameters: Mapping[str, Any], entry: Entry, derived: Mapping[str, Any] | None = None
    ) -> Provenance:
        """How something came about, as of now."""
        number = entry.id if self.recorded else None
        return Provenance.now(algorithm, parameters, self.dataset, noise=self.noise, entry=number, derived=derived)

    def guarantee(self, stated: Guarantee) -> Guarantee:
        """An algorithm's guarantee in this session: k edges at once, the roster it assumes, and what noise was used."""
        edges = self.unit.edges  # group privacy: k edges at epsilon each cost k epsilon
        scaled = replace(
            stated,
            unit=self.unit,
            epsilon=stated.epsilon * edges,
            assumes=(*stated.assumes, *self._roster_assumptions()),
        )
        return scaled if self.noise == "system" else scaled.seeded()

    def _roster_assumptions(self) -> tuple[str, ...]:
        if self.unit.kind is Kind.NODE:
            return ("people keep their names: nobody's joining or leaving renames anybody else",)
        if self.roster_declared:
            return ("the set of people is public",)
        return ("the set of people is public and equals the people named in the edge list",)


@dataclass(frozen=True, slots=True)
class Released:
    """What a job gave: the releases, whether they were stored before, and the (epsilon, delta) left after it.

    `other_graph` says that they were stored under the request id for another graph than this one; `other_people` that
    the release before was about other people.
    """

    releases: list[Release]
    repeated: bool
    left: tuple[Fraction, Fraction]
    other_graph: bool = False
    other_people: bool = False

    @classmethod
    def stored(cls, charge: Charge) -> Released:
        """The releases that a charge found on record, which cost nothing again."""
        return cls(load_releases(charge.stored or ""), repeated=True, left=charge.left, other_graph=charge.other_graph)


def of_group(release: Release, name: str) -> Release:
    """The release of one group among several, which says so and what it leaves out."""
    stage = Stage(f"kept the people of group {name} and the edges among them: edges to anybody else are left out")
    provenance = replace(release.provenance, parameters={**release.provenance.parameters, "group": name})
    assumes = (*release.guarantee.assumes, "the groups are public and were made without looking at the edges")
    guarantee = replace(release.guarantee, assumes=assumes)
    return replace(release, provenance=provenance, guarantee=guarantee, stages=(stage, *release.stages))


def _shown(value: Any) -> Any:
    """A public parameter as JSON has it; a large one says what it is called by."""
    if isinstance(value, Fraction):
        return str(value)
    return value.to_json() if hasattr(value, "to_json") else value


def dump_releases(releases: list[Release], **further: Any) -> str:
    """One JSON document that `load_releases` turns back into equal releases, and what else is to be kept."""
    return json.dumps({"format": FORMAT, "releases": [_release_document(release) for release in releases], **further})


def load_releases(text: str) -> list[Release]:
    """The releases of a stored document."""
    document = json.loads(text)
    if document["format"] != FORMAT:
        raise ParameterError(f"the stored release has format {document['format']}; this version reads {FORMAT}")
    return [_release(entry) for entry in document["releases"]]


def _release_document(release: Release) -> dict[str, Any]:
    g, a, p = release.guarantee, release.accuracy, release.provenance
    return {
        "query": release.query,
        "value": release.value,
        "guarantee": {
            "unit": str(g.unit),
            "trust": g.trust,
            "epsilon": str(g.epsilon),
            "delta": str(g.delta),
            "relationship_epsilon": str(g.relationship_epsilon),
            "assumes": g.assumes,
            "proof": g.proof,
            "status": g.status,
            "package": g.package,
            "by_event": g.by_event,
        },
        "accuracy": {
            "std": a.std,
            "bands": [[b.confidence, b.below, b.above] for b in a.bands],
            "bias": a.bias,
            "support": a.support,
            "scope": a.scope,
            "center": a.center,
            "faultless": a.faultless,
            "simultaneous": a.simultaneous,
        },
        "provenance": {
            "algorithm": p.algorithm,
            "version": p.version,
            "parameters": dict(p.parameters),
            "dataset": p.dataset,
            "entry": p.entry,
            "noise": p.noise,
            "created": p.created,
            "derived": dict(p.derived),
        },
        "stages": [[stage.text, str(stage.epsilon)] for stage in release.stages],
        "warnings": release.warnings,
    }


def _release(document: dict[str, Any]) -> Release:
    g, a, p = document["guarantee"], document["accuracy"], document["provenance"]
    value = frozen(document["value"])
    low, high = a["support"]
    return Release(
        query=document["query"],
        value=value,
        guarantee=Guarantee(
            unit=Unit.parse(g["unit"]),
            trust=Trust(g["trust"]),
            epsilon=Fraction(g["epsilon"]),
            delta=Fraction(g["delta"]),
            relationship_epsilon=Fraction(g["relationship_epsilon"]),
            assumes=tuple(g["assumes"]),
            proof=g["proof"],
            status=Status(g["status"]),
            package=g.get("package", ""),
            by_event=g.get("by_event", False),
        ),
        accuracy=Accuracy(
            value=value,
            std=frozen(a["std"]),
            bands=tuple(Band(level, frozen(below), frozen(above)) for level, below, above in a["bands"]),
            bias=a["bias"],
            support=(low, high),
            scope=a["scope"],
            center=a.get("center"),
            faultless=a.get("faultless", ""),
            simultaneous=a.get("simultaneous", True),
        ),
        provenance=Provenance(**{**p, "derived": {name: frozen(v) for name, v in p["derived"].items()}}),
        stages=tuple(Stage(text, Fraction(epsilon)) for text, epsilon in document["stages"]),
        warnings=tuple(document.get("warnings", ())),
    )
