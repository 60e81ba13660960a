"""What a campaign can ask for: the exact value (for experiments on a graph one holds) and how errors are measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.errors import unknown_name
from graphveil.graph.clustering import exact_local_clustering, exact_transitivity
from graphveil.graph.core import Graph
from graphveil.graph.triangles import exact_triangles, exact_triangles_per_node
from graphveil.local.metrics import distribution_metrics, entry_metrics


@dataclass(frozen=True, slots=True)
class Statistic:
    """A name, the exact value of a graph, and the errors of an estimate of it."""

    name: str
    exact: Callable[[Graph], Any]
    metrics: Callable[[ArrayLike, ArrayLike], dict[str, float]]
    over_people: bool = False  # whether entries are shares of people


def exact_degree_distribution(graph: Graph) -> Any:
    """Entry d: the share of people of degree d."""
    return np.bincount(graph.degrees) / graph.n_nodes


STATISTICS: tuple[Statistic, ...] = (
    Statistic("degree-distribution", exact_degree_distribution, distribution_metrics, over_people=True),
    Statistic("triangles", exact_triangles, entry_metrics),
    Statistic("triangle-sequence", exact_triangles_per_node, entry_metrics),
    Statistic("clustering", exact_local_clustering, entry_metrics),
    Statistic("transitivity", exact_transitivity, entry_metrics),
)


def find_statistic(name: str) -> Statistic:
    """The statistic of that name."""
    for statistic in STATISTICS:
        if statistic.name == name:
            return statistic
    raise unknown_name("statistic", name, (each.name for each in STATISTICS))
