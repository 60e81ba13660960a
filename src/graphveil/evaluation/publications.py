"""Ways to hand out a graph, by name: pseudonyms, each notion of anonymity, differentially private synthesis.

A name reads `pseudonyms`, `k-degree k=10` or `veil epsilon=1`. With the graph comes who is who: where people were not
followed through, as in most synthetic graphs, nobody is anybody and the key pairs them at random.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.anonymize import anonymize
from graphveil.anonymity.methods import METHODS as NOTIONS
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import find_synthesizer

Key = NDArray[np.int64]
T = TypeVar("T")
PSEUDONYMS = "pseudonyms"


def publish(graph: Graph, name: str, *, seed: int) -> tuple[Graph, Key]:
    """The graph as that publication hands it out, and the original node that each published one stands for."""
    method, _, strength = name.partition(" ")
    if name == PSEUDONYMS:
        return pseudonymise(graph, seed=seed)
    if method in NOTIONS:
        made = anonymize(graph, method=method, k=_parse(strength, "k", int), seed=seed)
        return made.graph, made.key
    return _synthesise(graph, method, _parse(strength, "epsilon", Fraction), seed)


def pseudonymise(graph: Graph, *, seed: int) -> tuple[Graph, Key]:
    """The same graph under numbers in random order."""
    key = np.random.default_rng(seed).permutation(graph.n_nodes)
    return Graph.from_edges(np.argsort(key)[graph.edges()], n_nodes=graph.n_nodes), key


def _synthesise(graph: Graph, method: str, epsilon: Fraction, seed: int) -> tuple[Graph, Key]:
    page = find_synthesizer(method).build(epsilon)
    fit = page.fit(graph, SeededNoise(seed))
    return page.sample(fit, seed=seed), np.arange(graph.n_nodes)


def _parse(text: str, name: str, kind: Callable[[str], T]) -> T:
    key, _, value = text.partition("=")
    if key != name or not value:
        raise ParameterError(f"a publication is named such as `k-degree k=10` or `veil epsilon=1`, not with {text!r}")
    return kind(value)
