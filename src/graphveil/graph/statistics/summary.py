"""All exact statistics of a graph that are one number, for the curator's eyes: nothing here is private.

Vectors and tables (triangles per node, core numbers, joint degrees, 3K, betweenness of every edge) have functions of
their own. Triangles are counted once for everything that is made of them. What large graphs only allow to be sampled
is marked with the number of people it was sampled from.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.betweenness import exact_edge_betweenness, sampled_edge_betweenness
from graphveil.graph.statistics.clustering import clustering_of, mean_clustering, transitivity_of
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.distances import exact_distances
from graphveil.graph.statistics.triangles import exact_triangles_per_node

BETWEENNESS_EXACT_UP_TO = 2_000
BETWEENNESS_SOURCES = 100


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics by name; `sampled` says for which of them only so many sources were searched.

    Those over paths are None where the edges are kept elsewhere.
    """

    nodes: int
    edges: int
    average_degree: float
    degree_variance: float
    max_degree: int
    two_stars: int
    three_stars: int
    triangles: int
    global_clustering: float
    average_clustering: float
    assortativity: float
    components: int
    largest_component: int
    degeneracy: int
    average_path: float | None = None
    diameter: int | None = None
    max_edge_betweenness: float | None = None
    sampled: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All statistics by name, as plain data; None where one was left out."""
        return asdict(self)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader has to know about missing and sampled values."""
        if self.average_path is None:
            return ("paths and betweenness need all edges in one process and were left out",)
        return tuple(
            f"{name.replace('_', ' ')} is estimated from {sources:,} of {self.nodes:,} people"
            + (" and can only be too small" if name == "diameter" else "")
            for name, sources in self.sampled.items()
        )


def summarize(graph: Graph, *, seed: int = 0) -> Summary:
    """Every one-number statistic; `seed` draws the sources where a graph is too large for all of them.

    >>> triangle = summarize(Graph.from_edges([(0, 1), (1, 2), (0, 2)]))
    >>> triangle.triangles, triangle.global_clustering, triangle.diameter, triangle.sampled
    (1, 1.0, 1, {})
    """
    summary = _count(graph)
    return summary if isinstance(graph, EdgeTable) else replace(summary, **_walk(graph, seed))


def _walk(graph: Graph, seed: int) -> dict[str, Any]:
    """What takes paths through the whole graph."""
    distances = exact_distances(graph, seed=seed)
    all_sources = graph.n_nodes <= BETWEENNESS_EXACT_UP_TO
    betweenness = (
        exact_edge_betweenness(graph)
        if all_sources
        else sampled_edge_betweenness(graph, BETWEENNESS_SOURCES, seed=seed)
    )
    sampled = dict.fromkeys(("average_path", "diameter"), distances.sources) if distances.sampled else {}
    if not all_sources:
        sampled["max_edge_betweenness"] = BETWEENNESS_SOURCES
    return {
        "average_path": distances.average,
        "diameter": distances.diameter,
        "max_edge_betweenness": float(betweenness.max(initial=0.0)),
        "sampled": sampled,
    }


def _count(graph: Graph) -> Summary:
    """What follows from degrees, joint degrees, triangles, components and cores."""
    components = exact_components(graph)
    triangles = exact_triangles_per_node(graph)
    total, two_stars = int(triangles.sum()) // 3, exact_k_stars(graph, 2)
    return Summary(
        nodes=graph.n_nodes,
        edges=graph.n_edges,
        average_degree=2 * graph.n_edges / graph.n_nodes if graph.n_nodes else 0.0,
        degree_variance=float(graph.degrees.var()) if graph.n_nodes else 0.0,
        max_degree=int(graph.degrees.max(initial=0)),
        two_stars=two_stars,
        three_stars=exact_k_stars(graph, 3),
        triangles=total,
        global_clustering=transitivity_of(total, two_stars),
        average_clustering=mean_clustering(clustering_of(triangles, graph.degrees)),
        assortativity=exact_assortativity(graph),
        components=components.count,
        largest_component=components.largest,
        degeneracy=exact_degeneracy(graph),
    )
