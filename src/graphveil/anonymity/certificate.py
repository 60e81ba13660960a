"""What a certifier found, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list

SHOWN = 20  # people of the smallest class listed by name


@dataclass(frozen=True, slots=True)
class WorstClass:
    """The smallest set of people who look alike: how many, who (at most 20 are named), and what they share."""

    size: int
    members: tuple[Any, ...]
    shared: str

    def to_json(self) -> dict[str, Any]:
        """The class by name of field, as part of a certificate in JSON."""
        return {"size": self.size, "members": list(self.members), "shared": self.shared}


@dataclass(frozen=True, slots=True)
class Certificate:
    """Whether a graph is anonymous in one sense, found from the graph alone.

    `classes` counts the sets of people who look alike and `people_at_risk` those whose set has fewer than k. `method`
    names the notion that was checked; `basis` says how the answer was reached.
    """

    method: str
    k: int
    holds: bool
    worst_class: WorstClass | None
    classes: int
    people_at_risk: int
    basis: str

    def to_json(self) -> dict[str, Any]:
        """The certificate as `graphveil certify --json` prints it."""
        return {
            "method": self.method,
            "k": self.k,
            "holds": self.holds,
            "worst_class": None if self.worst_class is None else self.worst_class.to_json(),
            "classes": self.classes,
            "people_at_risk": self.people_at_risk,
            "basis": self.basis,
        }

    def __str__(self) -> str:
        verdict = "holds" if self.holds else f"does not hold ({self.people_at_risk:,} people at risk)"
        smallest = "" if self.worst_class is None else f"; the smallest class has {self.worst_class.size:,}"
        return f"{self.method} with k = {self.k} {verdict}{smallest}"


def certificate_of_classes(
    graph: Graph, class_of: Integers, *, method: str, k: int, shared: str, basis: str
) -> Certificate:
    """The certificate of a partition: `class_of[u]` names the class of u; `shared` may hold {degree} of a member."""
    if graph.n_nodes == 0:
        return Certificate(method, k, holds=True, worst_class=None, classes=0, people_at_risk=0, basis=basis)
    names, sizes = np.unique(class_of, return_counts=True)
    smallest = int(sizes.argmin())
    members = np.flatnonzero(class_of == names[smallest])
    size, people = int(sizes[smallest]), label_list(graph.labels, graph.n_nodes)
    shown = tuple(people[node] for node in members[:SHOWN].tolist())
    worst = WorstClass(size, shown, shared.format(degree=int(graph.degrees[members[0]])))
    at_risk = int(sizes[sizes < k].sum())
    return Certificate(method, k, size >= k, worst, len(names), at_risk, basis)
