"""Releases as text, exactly: what the ledger keeps so that a repeated request gets the same answer.

Fields are only ever added, never removed or given another meaning; a document of a newer format is refused.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from graphveil.central.query import Stage
from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.unit import Trust, Unit
from graphveil.release.release import Provenance, Release

FORMAT = 1


def dump_releases(releases: list[Release]) -> str:
    """One JSON document that `load_releases` turns back into equal releases."""
    return json.dumps({"format": FORMAT, "releases": [_release_document(release) for release in releases]})


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
        },
        "accuracy": {
            "std": a.std,
            "bands": [[b.confidence, b.below, b.above] for b in a.bands],
            "bias": a.bias,
            "support": a.support,
            "scope": a.scope,
            "center": a.center,
            "faultless": a.faultless,
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
    }


def _release(document: dict[str, Any]) -> Release:
    g, a, p = document["guarantee"], document["accuracy"], document["provenance"]
    value = _frozen(document["value"])
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
        ),
        accuracy=Accuracy(
            value=value,
            std=_frozen(a["std"]),
            bands=tuple(Band(level, _frozen(below), _frozen(above)) for level, below, above in a["bands"]),
            bias=a["bias"],
            support=(low, high),
            scope=a["scope"],
            center=a.get("center"),
            faultless=a.get("faultless", ""),
        ),
        provenance=Provenance(**{**p, "derived": {name: _frozen(v) for name, v in p["derived"].items()}}),
        stages=tuple(Stage(text, Fraction(epsilon)) for text, epsilon in document["stages"]),
    )


def _frozen(value: Any) -> Any:
    return tuple(_frozen(entry) for entry in value) if isinstance(value, list) else value
