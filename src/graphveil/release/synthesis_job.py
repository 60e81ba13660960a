"""A request for synthetic graphs with its method chosen and checked, and what it measures once it is paid for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from graphveil.graph.core import Graph
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.ledger_rows import Entry
from graphveil.privacy.unit import Unit
from graphveil.release.engine_check import check_method
from graphveil.release.request import Request
from graphveil.release.stamp import Stamp
from graphveil.release.synthesis import SyntheticRelease, prepare
from graphveil.synthetic.attributes import Categories, measure_mixing, read_categories
from graphveil.synthetic.page import Synthesizer
from graphveil.synthetic.registry import find

ATTRIBUTE_SHARE = Fraction(1, 10)  # of epsilon, for how categories of people mix


@dataclass(frozen=True, slots=True)
class SynthesisJob:
    """A method's page, and the categories of people whose mixing is measured beside it."""

    request: Request
    method: str
    page: Synthesizer
    categories: Categories | None
    mixing_epsilon: Fraction

    @classmethod
    def prepare(
        cls,
        graph: Graph,
        unit: Unit,
        method: str,
        epsilon: Fraction,
        attributes: Mapping[Any, str] | None,
        options: Mapping[str, Any],
    ) -> SynthesisJob:
        """Refuse what cannot be measured for this graph, before anything is spent."""
        mixing_epsilon = epsilon * ATTRIBUTE_SHARE / unit.edges if attributes is not None else Fraction(0)
        page = prepare(method, epsilon - mixing_epsilon * unit.edges, unit, options)
        check_method(graph, method, page.fit)
        categories = None
        if attributes is not None:
            check_method(graph, f"{method} with attributes", lambda toy, _: toy.edges())
            categories = read_categories(graph, attributes)
        request = Request(f"synthetic graph ({method})", epsilon, method, options)
        return cls(request, method, page, categories, mixing_epsilon)

    def measure(self, graph: Graph, noise: Noise, stamp: Stamp, entry: Entry) -> SyntheticRelease:
        """All measurements, once; the entry of the ledger has paid for them."""
        fit = self.page.fit(graph, noise)
        mixing = None
        if self.categories is not None:
            mixing = measure_mixing(graph, self.categories, self.mixing_epsilon, noise)
        options = find(self.method).options
        parameters = {"epsilon": str(self.page.epsilon)} | {name: str(getattr(self.page, name)) for name in options}
        provenance = stamp.provenance(self.method, parameters, entry)
        guarantee = stamp.guarantee(self._guarantee())
        return SyntheticRelease(self.method, guarantee, provenance, self.page, fit, mixing)

    def _guarantee(self) -> Guarantee:
        whole = self.page.epsilon + self.mixing_epsilon
        guarantee = replace(self.page.guarantee, epsilon=whole, relationship_epsilon=whole)
        if self.categories is None:
            return guarantee
        return replace(guarantee, assumes=(*guarantee.assumes, "people's categories are public"))
