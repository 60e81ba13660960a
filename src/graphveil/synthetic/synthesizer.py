"""What every synthesizer offers: an algorithm that concludes with a fit, and draws from that fit.

`measure` lists what is taken from the private graph and what it costs. `conclude` makes a `Fit` from the noisy
outcomes. The fit is public: noisy statistics and what was computed from them. `sample` sees nothing else, so any number
of graphs can be drawn from one fit at no further cost, and its randomness needs no secrecy: it takes a seed.

In most methods node 17 of a drawn graph stands for nobody in particular. Their nodes come out in random order, since an
order made by the generator (by degree, by block) can agree with the order of the input by accident and pass for
knowledge about people.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

from graphveil.arrays import AnyArray
from graphveil.graph.core import Graph
from graphveil.graph.subgraph import shuffle_people
from graphveil.mechanisms.algorithm import PublicFacts, stated_guarantee
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.mechanisms.release import describe
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.statistics.publication.invented_edges import percent

MOSTLY_TRUE = 0.5  # from this share of real edges on, a drawn graph comes with a warning


@dataclass(frozen=True, slots=True)
class Fit:
    """What a synthesizer concludes from its noisy outcomes.

    `targets` are the measured statistics, numbers and lists that fit into JSON: they are published with the graph.
    `parameters` is what the generator draws from, often arrays; it follows from released values, so it is as public.
    `follows_people` says that node u of a drawn graph stands for node u of the private one, whose name, `labels[u]`,
    is public. `true_share` is the share of a drawn graph's edges that are expected to be edges of the private graph, as
    far as public and released numbers tell; None if a method keeps no edges.
    """

    n_nodes: int
    targets: Mapping[str, Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    follows_people: bool = False
    labels: AnyArray | None = None
    true_share: float | None = None

    @property
    def nameless_targets(self) -> Mapping[str, Any]:
        """The targets that go with graphs without names: not those that list all people in their order."""
        listed = {name for name, value in self.targets.items() if self.follows_people and isinstance(value, list)}
        return {name: value for name, value in self.targets.items() if name not in listed}

    @property
    def hidden(self) -> str:
        """What to warn of where noise may hide all triangles, else an empty text: they were measured as 0.

        >>> Fit(300, {"triangles": 0}).hidden[:42]
        'triangles were measured as 0: noise may hi'
        """
        if self.targets.get("triangles") != 0:
            return ""
        return (
            "triangles were measured as 0: noise may hide those that there are; a larger epsilon measures them better"
        )

    @property
    def warning(self) -> str:
        """What to warn of where most edges of a drawn graph are real, else an empty text.

        >>> Fit(400, {}, true_share=0.934).warning
        'about 93 % or more of its edges are expected to be real: whoever gets it nearly gets the private graph'
        """
        if self.true_share is None or self.true_share < MOSTLY_TRUE:
            return ""
        share = percent(self.true_share)
        return (
            f"about {share} or more of its edges are expected to be real: whoever gets it nearly gets the private graph"
        )


OF_A_LIST = "_l1"  # a list has one row: what all its entries are off, as a part of their sum
NEAR = 0.02  # relative; a drawn graph that is further from a target misses it
NEAR_ABSOLUTE = {"assortativity": 0.02, "clustering_by_degree_l1": 0.05, "joint_degrees_l1": 0.2, "mixing_l1": 0.2}


def missed_targets(report: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A sentence for every target of a report that the drawn graph misses, with how far off it is.

    >>> missed_targets({"edges": {"target": 10, "reached": 10}, "triangles": {"target": 200, "reached": 150}})
    ['triangles: 150 in the drawn graph, 200 measured (25 % off)']
    >>> missed_targets({"joint_degrees_l1": {"target": 0, "reached": 0.4987}})
    ['joint degrees: all entries together are off by 50 %']
    """
    sentences = []
    for name, row in report.items():
        off, unit = abs(row["reached"] - row["target"]), abs(row["target"])
        if name in NEAR_ABSOLUTE:
            missed, words = off > NEAR_ABSOLUTE[name], f"{off:.2g} off"
        else:
            missed, words = off > max(NEAR * unit, 0.5), f"{percent(off / unit)} off" if unit else f"{off:,.0f} off"
        told = name.removesuffix(OF_A_LIST).replace("_", " ")
        if missed and name.endswith(OF_A_LIST):
            sentences.append(f"{told}: all entries together are off by {percent(off)}")
        elif missed:
            sentences.append(
                f"{told}: {row['reached']:,.7g} in the drawn graph, {row['target']:,.7g} measured ({words})"
            )
    return sentences


def target_cells(name: str, row: Mapping[str, float]) -> tuple[str, str, str]:
    """A target for a table that people read: its name, what was measured, what a drawn graph reached.

    >>> target_cells("joint_degrees_l1", {"target": 0, "reached": 0.204})
    ('joint degrees', '', '20 % off')
    """
    told = name.removesuffix(OF_A_LIST).replace("_", " ")
    if name.endswith(OF_A_LIST):
        return told, "", f"{percent(row['reached'])} off"
    measured, reached = ("-" if value is None else describe(value) for value in (row["target"], row["reached"]))
    return told, measured, reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesizer(ABC):
    """A way to make graphs, with its public parameters fixed; `epsilon` is the whole loss for one edge."""

    unit: ClassVar[str] = "edge"
    assumes: ClassVar[tuple[str, ...]] = ()

    epsilon: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one edge; the measurements must compose to it."""
        return stated_guarantee(self)

    @abstractmethod
    def measure(self, graph: Graph) -> Measurements:
        """List what is taken from the private graph; draws nothing."""

    @abstractmethod
    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The fit, from the noisy outcomes and public facts alone."""

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
