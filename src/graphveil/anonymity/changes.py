"""What an anonymisation changed: edges, and simple statistics before and after. For the curator's eyes: not private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import clustering_of, mean_clustering, transitivity_of
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.distances import exact_distances
from graphveil.graph.statistics.triangles import exact_triangles_per_node

PATHS_EXACT_UP_TO, PATH_SOURCES = 5_000, 512


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """Edges added and removed, and `metrics[name]` as (original, published)."""

    edges_added: int
    edges_removed: int
    edges_kept: int
    metrics: dict[str, tuple[float, float]]

    def to_json(self) -> dict[str, Any]:
        """Counts and metrics by name; `error` is relative to the original."""
        return {
            "edges_added": self.edges_added,
            "edges_removed": self.edges_removed,
            "edges_kept": self.edges_kept,
            "metrics": {
                name: {"original": before, "published": after, "error": _relative_error(before, after)}
                for name, (before, after) in self.metrics.items()
            },
        }


def report_changes(original: Graph, published: Graph) -> ChangeReport:
    """Compare two graphs on the same nodes.

    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> report = report_changes(path, Graph.from_edges([(0, 1), (1, 2), (0, 2)], n_nodes=4))
    >>> report.edges_added, report.edges_removed, report.metrics["triangles"]
    (1, 1, (0, 1))
    """
    kept = count_kept(original, published.edges())
    before, after = _metrics(original), _metrics(published)
    return ChangeReport(
        edges_added=published.n_edges - kept,
        edges_removed=original.n_edges - kept,
        edges_kept=kept,
        metrics={name: (value, after[name]) for name, value in before.items()},
    )


def count_changes(original: Graph, edges: Integers) -> int:
    """How many edges were added or removed, if the edges, each given once, are those of a new graph."""
    return original.n_edges + len(edges) - 2 * count_kept(original, edges)


def count_kept(original: Graph, edges: Integers) -> int:
    """How many of the edges, each given once, the original has."""
    rising = original.edges() @ np.array([original.n_nodes, 1])
    keys = np.sort(edges.min(axis=1) * original.n_nodes + edges.max(axis=1))  # in order they are found much sooner
    place = np.searchsorted(rising, keys)
    return int((rising[np.minimum(place, len(rising) - 1)] == keys).sum()) if len(rising) else 0


def _metrics(graph: Graph) -> dict[str, float]:
    triangles = exact_triangles_per_node(graph)
    total, components = int(triangles.sum()) // 3, exact_components(graph)
    distances = exact_distances(graph, exact_up_to=PATHS_EXACT_UP_TO, sources=PATH_SOURCES)
    return {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "average_degree": 2 * graph.n_edges / graph.n_nodes if graph.n_nodes else 0.0,
        "degree_variance": float(graph.degrees.var()) if graph.n_nodes else 0.0,
        "max_degree": int(graph.degrees.max(initial=0)),
        "triangles": total,
        "global_clustering": transitivity_of(total, exact_k_stars(graph, 2)),
        "average_clustering": mean_clustering(clustering_of(triangles, graph.degrees)),
        "assortativity": exact_assortativity(graph),
        "components": components.count,
        "largest_component": components.largest,
        "average_path": distances.average,
    }


def _relative_error(before: float, after: float) -> float | None:
    if before == after:
        return 0.0
    return abs(after - before) / abs(before) if before else None
