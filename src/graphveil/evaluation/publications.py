"""Ways to hand out a graph, by name: pseudonyms, each notion of anonymity, differentially private synthesis.

A name reads `pseudonyms`, `k-degree k=10` or `veil epsilon=1`. With the graph comes who is who. Most synthetic graphs
follow nobody: their nodes stand for no person, and the key pairs nodes and people at random.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from graphveil.anonymity.anonymize import anonymize
from graphveil.anonymity.methods import METHODS as NOTIONS
from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import find_synthesizer
from graphveil.release.draw import run
from graphveil.synthetic.synthesizer import Synthesizer

T = TypeVar("T")
PSEUDONYMS = "pseudonyms"


def publish(graph: Graph, name: str, *, seed: int) -> tuple[Graph, Integers]:
    """The graph as that publication hands it out, and the original node that each published one stands for."""
    method, _, strength = name.partition(" ")
    if name == PSEUDONYMS:
        return pseudonymise(graph, seed=seed)
    if method in NOTIONS:
        made = anonymize(graph, method=method, k=_parse(strength, "k", int), seed=seed)
        return made.graph, made.key
    built = find_synthesizer(method).build(_parse(strength, "epsilon", Fraction))
    return synthesise(built, graph, seed=seed), np.arange(graph.n_nodes)


def pseudonymise(graph: Graph, *, seed: int) -> tuple[Graph, Integers]:
    """The same graph under numbers in random order."""
    key = np.random.default_rng(seed).permutation(graph.n_nodes)
    return Graph.from_edges(np.argsort(key)[graph.edges()], n_nodes=graph.n_nodes), key


def synthesise(method: Any, graph: Graph, *, seed: int) -> Graph:
    """One synthetic graph by a synthesizer, or by a scheme kept as published, which draws its noise itself."""
    noise = SeededNoise(seed)
    if isinstance(method, Synthesizer):
        return method.sample(run(method, graph, noise), seed=seed)
    drawn: Graph = method.draw_graph(graph, noise, seed=seed)
    return drawn


def _parse(text: str, name: str, kind: Callable[[str], T]) -> T:
    key, _, value = text.partition("=")
    if key != name or not value:
        raise ParameterError(f"a publication is named such as `k-degree k=10` or `veil epsilon=1`, not with {text!r}")
    return kind(value)
