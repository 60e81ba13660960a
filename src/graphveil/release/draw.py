"""Drawing: the only place, besides the auditor, where measurements of a private graph become noisy outcomes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphveil.central.query import Answer
from graphveil.errors import GuaranteeMismatch
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import Algorithm, PublicFacts, measured
from graphveil.mechanisms.measurement import Measurements, draw, stages_of
from graphveil.mechanisms.noise.source import Noise


def run(algorithm: Algorithm, graph: Graph, noise: Noise) -> Any:
    """Measure, draw and conclude: what a session does between its spend and its release.

    >>> from graphveil.central.edge.edges import EdgeCount
    >>> run(EdgeCount(epsilon=Fraction(10)), Graph.from_edges([(0, 1), (1, 2), (2, 3)]), SeededNoise(1)).value
    3
    """
    return draw_and_conclude(algorithm, measured(algorithm, graph), PublicFacts.of(graph, algorithm.unit), noise)


def draw_and_conclude(algorithm: Algorithm, measurements: Measurements, facts: PublicFacts, noise: Noise) -> Any:
    """The result of measurements that were paid for; an answer tells what was measured and what it cost.

    A fresh copy of the algorithm concludes, so that nothing which `measure` may have kept reaches it.
    """
    outcomes = draw(measurements, noise)
    result = fresh_copy(algorithm).conclude(outcomes, facts)
    if not isinstance(result, Answer):
        return result
    if any(stage.epsilon for stage in result.stages):
        raise GuaranteeMismatch(f"{type(algorithm).__name__} charges for a step that draws nothing")
    return replace(result, stages=(*stages_of(measurements), *result.stages))


def fresh_copy(algorithm: Any) -> Any:
    """The same algorithm made anew from its public parameters: nothing that `measure` may have kept is on it."""
    return replace(algorithm)
