"""All exact statistics of a graph that are one number, for the curator's eyes: nothing here is private.

Vectors and tables (triangles per node, core numbers, joint degrees, 3K, betweenness of every edge) have functions of
their own. Triangles are counted once for everything that is made of them. What large graphs only allow to be sampled
is marked with the number of people, or pairs of people, it was sampled from, and with its standard error.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.betweenness import exact_edge_betweenness
from graphveil.graph.statistics.clustering import clustering_of, mean_clustering, transitivity_of
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.distances import exact_distances
from graphveil.graph.statistics.path_samples import largest_edge_betweenness
from graphveil.graph.statistics.triangles import exact_triangles_per_node

BETWEENNESS_EXACT_UP_TO = 2_000


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics by name; `sampled` says which of them come from how many people or pairs of people only.

    Those over paths are None where the edges are kept elsewhere. `standard_errors` has those of sampled values.
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
    standard_errors: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All statistics by name, as plain data; None where one was left out."""
        return asdict(self)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader has to know about missing and sampled values."""
        if self.average_path is None:
            return ("paths and betweenness need all edges in one process and were left out",)
        return tuple(f"{name.replace('_', ' ')} is estimated from {self._sample(name)}" for name in self.sampled)

    def _sample(self, name: str) -> str:
        size = f"{self.sampled[name]:,}"
        if name == "diameter":
            return f"{size} of {self.nodes:,} people and can only be too small"
        people = f"{size} pairs of people" if name == "max_edge_betweenness" else f"{size} of {self.nodes:,} people"
        return f"{people}, with a standard error of about {self.standard_errors[name]:.2g}"


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
    sampled, errors = {}, {}
    if distances.sampled:
        sampled = dict.fromkeys(("average_path", "diameter"), distances.sources)
        errors["average_path"] = distances.standard_error
    if graph.n_nodes <= BETWEENNESS_EXACT_UP_TO:
        largest = float(exact_edge_betweenness(graph).max(initial=0.0))
    else:
        found = largest_edge_betweenness(graph, seed=seed)
        largest, sampled["max_edge_betweenness"] = found.value, found.pairs
        errors["max_edge_betweenness"] = found.standard_error
    return {
        "average_path": distances.average,
        "diameter": distances.diameter,
        "max_edge_betweenness": largest,
        "sampled": sampled,
        "standard_errors": errors,
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
