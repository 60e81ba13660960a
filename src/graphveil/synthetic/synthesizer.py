"""What every synthesizer offers: one private step that measures, and draws from what was measured.

`fit` looks at the private graph and spends all of epsilon. What it returns is public: noisy statistics and whatever was
computed from them. `sample` sees nothing else, so any number of graphs can be drawn from one fit at no further cost,
and its randomness needs no secrecy: it takes a seed.

Most methods do not follow people through: node 17 of a drawn graph is nobody in particular. Their nodes come out in
random order, since an order made by the generator (by degree, by block) can agree with the order of the input by
accident and pass for knowledge about people.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.subgraph import shuffle_people
from graphveil.mechanisms.noise.source import Noise
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.guarantee import Guarantee, PublishedClaim, Status, Verdict
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import EDGE, Trust


@dataclass(frozen=True, slots=True)
class Fit:
    """What the private step released.

    `targets` are the measured statistics, numbers and lists that fit into JSON: they are published with the graph.
    `parameters` is what the generator draws from, often arrays; it follows from released values, so it is as public.
    `follows_people` says that node u of a drawn graph stands for node u of the private one, whose name, `labels[u]`,
    is public.
    """

    n_nodes: int
    targets: Mapping[str, Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    follows_people: bool = False
    labels: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesizer(ABC):
    """A way to make graphs, with its public parameters fixed; `epsilon` is the whole loss for one edge.

    A method kept as published, whose claim was refuted, carries that `claim`; its guarantee is marked accordingly.
    """

    claim: ClassVar[PublishedClaim | None] = None

    epsilon: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one edge, or what is left of a refuted claim."""
        refuted = self.claim is not None and self.claim.verdict is Verdict.REFUTED
        status = Status.CLAIM_REFUTED if refuted else Status.PROVED
        package = foreign_package(type(self).__module__)
        return Guarantee(EDGE, Trust.CENTRAL, self.epsilon, proof=proof_of(type(self)), status=status, package=package)

    @abstractmethod
    def fit(self, graph: Graph, noise: Noise) -> Fit:
        """Measure: the only step that sees the private graph, and the only one that costs."""

    @abstractmethod
    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Make a graph from the released numbers alone, its nodes in any order."""

    def sample(self, fit: Fit, *, seed: int) -> Graph:
        """Draw a graph: free, and repeatable under its seed."""
        drawn = replace(self.generate(fit, seed=seed), roster_declared=True)  # n people, with or without friends
        return replace(drawn, labels=fit.labels) if fit.follows_people else shuffle_people(drawn, seed=seed)

    def report(self, fit: Fit, graph: Graph) -> dict[str, dict[str, float]]:
        """How close a drawn graph came to the measured targets: {name: {"target", "reached"}}."""
        if "edges" not in fit.targets:
            return {}
        return {"edges": {"target": fit.targets["edges"], "reached": graph.n_edges}}
