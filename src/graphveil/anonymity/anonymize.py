"""`anonymize`: to a graph in which everybody looks like k - 1 others, certified before it is handed out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphveil.anonymity.certificate import Certificate
from graphveil.anonymity.certify import certify
from graphveil.anonymity.changes import ChangeReport, report_changes
from graphveil.anonymity.claim import AnonymityClaim, claim_of, notion_named
from graphveil.anonymity.methods import METHODS, Method, method_named
from graphveil.arrays import Integers
from graphveil.errors import GraphveilError, ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class AnonymizedGraph:
    """An anonymised graph with its claim, the certificate that was checked, and what was changed.

    `key[i]` is the original node that published node i stands for: the curator's secret, in no JSON. `automorphism`
    proves k-automorphism and may be published with the graph.
    """

    graph: Graph
    claim: AnonymityClaim
    certificate: Certificate
    report: ChangeReport
    key: Integers
    automorphism: Integers | None = None

    def to_json(self) -> dict[str, Any]:
        """The result as `graphveil anonymize --json` prints it."""
        return {**self.certificate.to_json(), **self.report.to_json(), "claim": self.claim.to_json()}


def anonymize(
    graph: Graph,
    *,
    method: str,
    k: int,
    seed: int | None = None,
    keep_names: bool = False,
    allow_weaker: bool = False,
    progress: Progress | None = None,
) -> AnonymizedGraph:
    """A graph on as many people that is anonymous in the sense of the method.

    People get new names 0 … n - 1 in random order unless `keep_names`; then the given names must be pseudonyms already.
    Without a seed all choices are secret. Where the method is not practical for a graph of this size it is refused, or
    with `allow_weaker` k-degree is made instead, and the claim says so.

    >>> from graphveil.graph.generate.random import barabasi_albert
    >>> made = anonymize(barabasi_albert(200, 3, seed=1), method="k-degree", k=5, seed=1)
    >>> made.certificate.holds, made.graph.n_nodes, made.claim.notion
    (True, 200, 'k-degree')
    """
    announce = progress or _silent
    chosen = _practical(method_named(method), graph, allow_weaker=allow_weaker)
    if not 2 <= k <= graph.n_nodes:
        raise ParameterError(f"k is {k}; give a whole number from 2 to the number of people")
    noise = SystemNoise() if seed is None else SeededNoise(seed)
    announce(f"making the graph {chosen.notion} anonymous")
    edges, automorphism = chosen.make(graph, k, np.random.default_rng(noise.bits(128)))
    made = Graph.from_edges(edges, n_nodes=graph.n_nodes)
    announce("comparing it with the original")
    report = report_changes(graph, made)
    key = np.arange(graph.n_nodes) if keep_names else np.argsort(noise.words(graph.n_nodes)).astype(np.int64)
    published, automorphism = _rename(graph, made, automorphism, key, keep_names=keep_names)
    announce("certifying it")
    certificate = certify(published, method=chosen.notion, k=k, automorphism=automorphism)
    if not certificate.holds:
        raise GraphveilError(f"{chosen.name} made a graph that its certifier rejects; nothing is handed out")
    claim = claim_of(chosen.notion, k, asked=notion_named(method), names="kept" if keep_names else "new")
    return AnonymizedGraph(published, claim, certificate, report, key, automorphism)


def _silent(_: str) -> None:
    """Ignore a message about progress."""


def _practical(method: Method, graph: Graph, *, allow_weaker: bool) -> Method:
    if method.is_practical(graph):
        return method
    if allow_weaker:
        return METHODS["k-degree"]
    raise ParameterError(
        f"the graph is too large for {method.name}, which is practical up to {method.most_walks:.0e} in the sum of "
        "squared degrees; choose k-degree, or allow a weaker notion"
    )


def _rename(
    original: Graph, made: Graph, automorphism: Integers | None, key: Integers, *, keep_names: bool
) -> tuple[Graph, Integers | None]:
    """Published node i is node key[i]."""
    if keep_names:
        kept = replace(original, n_nodes=made.n_nodes, indptr=made.indptr, indices=made.indices)
        return kept, automorphism
    new_number = np.argsort(key)
    published = Graph.from_edges(new_number[made.edges()], n_nodes=made.n_nodes)
    return published, None if automorphism is None else new_number[automorphism[key]]
