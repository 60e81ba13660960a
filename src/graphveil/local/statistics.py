"""What a campaign can ask for: the exact value (for experiments on a graph one holds) and how errors are measured.

How far an estimate lies from the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.errors import ParameterError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.statistics.clustering import exact_local_clustering, exact_transitivity
from graphveil.graph.statistics.triangles import exact_triangles, exact_triangles_per_node
from graphveil.local.attributes.class_rows import exact_cells

QUESTION = "attribute-shares"  # is about an answer of each person, and about no list
OUT_DEGREES = "out-degree-distribution"  # is about whom people follow
DISTRIBUTIONS = ("degree-distribution", OUT_DEGREES)


def distribution_metrics(estimate: ArrayLike, truth: ArrayLike) -> dict[str, float]:
    """Errors of a distribution over 0, 1, 2 and so on.

    `mse` and `mae` sum over all degrees on either side and divide by the number of degrees up to the truly largest one:
    a longer table of zeros does not lower them, and mass put beyond the end counts in full. `relative_error` is the
    summed error as a share of the whole, `wasserstein` the area between the distribution functions (in degrees), `ks`
    their largest distance. What does not sum to one is taken as it is.

    >>> distribution_metrics([0.5, 0.25, 0.25], [0.5, 0.5])
    {'mse': 0.0625, 'mae': 0.25, 'relative_error': 0.5, 'wasserstein': 0.25, 'ks': 0.25}
    """
    given, true = np.asarray(estimate, dtype=np.float64), np.trim_zeros(np.asarray(truth, dtype=np.float64), "b")
    length = max(len(given), len(true))
    error = np.pad(given, (0, length - len(given))) - np.pad(true, (0, length - len(true)))
    apart = np.abs(np.cumsum(error))
    return {
        "mse": float(error @ error) / len(true),
        "mae": float(np.abs(error).sum()) / len(true),
        "relative_error": float(np.abs(error).sum() / true.sum()),
        "wasserstein": float(apart.sum()),
        "ks": float(apart.max()),
    }


def share_metrics(estimate: ArrayLike, truth: ArrayLike) -> dict[str, float]:
    """Errors of shares of answers, which have no order: those of a distribution that need none.

    >>> share_metrics([0.5, 0.5], [0.25, 0.75])
    {'mse': 0.0625, 'mae': 0.25, 'relative_error': 0.5}
    """
    ordered = ("wasserstein", "ks")
    return {name: value for name, value in distribution_metrics(estimate, truth).items() if name not in ordered}


def entry_metrics(estimate: ArrayLike, truth: ArrayLike) -> dict[str, float]:
    """Errors of a number, or of a sequence with one entry a person; `relative_error` is that of their sum.

    >>> entry_metrics([3.0, 5.0], [4.0, 4.0])
    {'mse': 1.0, 'mae': 1.0, 'relative_error': 0.0}
    """
    given, true = (
        np.atleast_1d(np.asarray(estimate, dtype=np.float64)),
        np.atleast_1d(np.asarray(truth, dtype=np.float64)),
    )
    error = given - true
    total = abs(float(true.sum()))
    off = abs(float(error.sum()))
    return {
        "mse": float(error @ error) / len(error),
        "mae": float(np.abs(error).sum()) / len(error),
        "relative_error": off / total if total else float(off > 0),
    }


@dataclass(frozen=True, slots=True)
class Statistic:
    """A name, the exact value of a graph, and the errors of an estimate of it."""

    name: str
    exact: Callable[[Graph], Any]
    metrics: Callable[[ArrayLike, ArrayLike], dict[str, float]]
    over_people: bool = False  # whether entries are shares of people
    directed: bool = False  # whether lists say whom people follow


def exact_degree_distribution(graph: Graph) -> Any:
    """Entry d: the share of people of degree d."""
    return np.bincount(graph.degrees) / graph.n_nodes


def exact_out_degree_distribution(graph: Graph) -> Any:
    """Entry d: the share of people who point at d others."""
    if not isinstance(graph, DirectedGraph):
        raise ParameterError(f"{OUT_DEGREES} needs directions: read the graph with directed=True (--directed)")
    return np.bincount(graph.out_degrees) / graph.n_nodes


def exact_answers(graph: Graph) -> Any:
    """Shares of people whose list stands for the answers 0 and 1 of two: nobody on it, or somebody."""
    alone = float((graph.degrees == 0).mean()) if graph.n_nodes else 0.0
    return np.array([alone, 1 - alone])


SHARES = ("clustering", "transitivity")  # of pairs of friends; shares of people say so in the table below


def support_of(name: str) -> tuple[float, float]:
    """The range that every truth lies in: a share is from 0 to 1."""
    is_share = name in SHARES or any(each.over_people for each in STATISTICS if each.name == name)
    return (0.0, 1.0) if is_share else (-math.inf, math.inf)


STATISTICS: tuple[Statistic, ...] = (
    Statistic("degree-distribution", exact_degree_distribution, distribution_metrics, over_people=True),
    Statistic(OUT_DEGREES, exact_out_degree_distribution, distribution_metrics, over_people=True, directed=True),
    Statistic("triangles", exact_triangles, entry_metrics),
    Statistic("triangle-sequence", exact_triangles_per_node, entry_metrics),
    Statistic("clustering", exact_local_clustering, entry_metrics),
    Statistic("transitivity", exact_transitivity, entry_metrics),
    Statistic("class-rows", exact_cells, entry_metrics),
    Statistic("friend-suggestions", lambda graph: graph.n_edges, entry_metrics),
    Statistic(QUESTION, exact_answers, share_metrics, over_people=True),
)


def find_statistic(name: str) -> Statistic:
    """The statistic of that name."""
    for statistic in STATISTICS:
        if statistic.name == name:
            return statistic
    raise unknown_name("statistic", name, (each.name for each in STATISTICS))


def is_directed(statistic: str) -> bool:
    """Whether a campaign for this statistic, or for several with commas between them, asks whom people follow.

    Campaigns with two servers have further statistics, all of friendships.
    """
    asked = statistic.split(",")
    return any(each.directed for each in STATISTICS if each.name in asked)
