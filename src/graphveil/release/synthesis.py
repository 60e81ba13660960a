"""A synthetic release: what was measured once, from which graphs can be drawn for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphveil.errors import ClaimRefuted, ParameterError, UnitMismatch
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SystemNoise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.unit import Kind, Unit
from graphveil.release.release import Provenance
from graphveil.synthetic.attributes import Mixing, hand_out, mixing_distance
from graphveil.synthetic.page import Fit, Synthesizer
from graphveil.synthetic.registry import find

LEAST_EPSILON = Fraction(1, 1000)  # below it no method was of use, and some cannot draw their noise
SEED_BITS = 53  # seeds are shown in JSON, whose numbers are exact up to here


@dataclass(frozen=True, slots=True)
class SyntheticRelease:
    """A fit with its guarantee; `sample` draws graphs from it, each at no further cost."""

    method: str
    guarantee: Guarantee
    provenance: Provenance
    page: Synthesizer
    fit: Fit
    mixing: Mixing | None = None

    def sample(self, seed: int | None = None) -> Graph:
        """One more graph; the same seed gives the same graph."""
        return self.page.sample(self.fit, seed=fresh_seed() if seed is None else seed)

    def attributes(self, graph: Graph, seed: int | None = None) -> tuple[str, ...]:
        """A category for every node of a drawn graph: people's own where they are followed, else mixed as measured."""
        if self.mixing is None:
            raise ParameterError("no attributes were given to synthesize, so none can be handed out")
        if self.fit.follows_people:
            return tuple(self.mixing.categories.names[category] for category in self.mixing.categories.of)
        return hand_out(graph, self.mixing, seed=fresh_seed() if seed is None else seed)

    def mixing_report(self, graph: Graph, categories: Sequence[str]) -> dict[str, dict[str, float]]:
        """How close the categories of a drawn graph came to the measured mixing; nothing if none was measured."""
        if self.mixing is None:
            return {}
        return {"mixing_l1": {"target": 0.0, "reached": mixing_distance(graph, self.mixing, categories)}}

    def statement(self, graphs: Sequence[tuple[Mapping[str, Any], Graph]] = ()) -> dict[str, Any]:
        """The privacy statement that goes with drawn graphs, each given with what is known of it (file, seed, fit)."""
        return {
            "method": self.method,
            "guarantee": self.guarantee.to_json(),
            "provenance": self.provenance.to_json(),
            "follows_people": self.fit.follows_people,
            "targets": dict(self.fit.targets),
            **({} if self.mixing is None else {"attributes": self.mixing.to_json()}),
            "graphs": [
                {
                    **known,
                    "nodes": graph.n_nodes,
                    "edges": graph.n_edges,
                    "fit": {**self.page.report(self.fit, graph), **known.get("fit", {})},
                }
                for known, graph in graphs
            ],
        }


def fresh_seed() -> int:
    """A seed that nobody chose. It needs no secrecy: sampling sees released numbers only."""
    return SystemNoise().bits(SEED_BITS)


def prepare(method: str, epsilon: Fraction, unit: Unit, options: Mapping[str, Any]) -> Synthesizer:
    """The page of a method that may make a release under this unit; k edges at once share its epsilon."""
    row = find(method)
    claim = row.page.claim
    if row.refuted and claim is not None:
        raise ClaimRefuted(
            f"{method} is kept as published, and its privacy claim is refuted: {claim.reason}; it runs in "
            "`graphveil reproduce` and `graphveil audit` only"
        )
    if unit.kind is Kind.NODE:
        raise UnitMismatch(f"{method} protects edges: synthetic graphs are made under edge privacy, not {unit.kind}")
    if epsilon < unit.edges * LEAST_EPSILON:
        least, given = float(LEAST_EPSILON), float(epsilon / unit.edges)
        raise ParameterError(
            f"a synthetic graph needs an epsilon of {least:g} or more for one edge, not {given:g}: it would be noise"
        )
    return row.build(epsilon / unit.edges, options)
