"""The table of algorithms: what exists, under which name, and where its page is; plug-ins come after our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from graphveil.central.old_page import Page
from graphveil.central.query import Query
from graphveil.errors import ParameterError, unknown_name
from graphveil.plugins import Plugin, rows_of
from graphveil.privacy.parameter import public_parameter
from graphveil.privacy.unit import Unit
from graphveil.registry_base import Located, check_options, marked
from graphveil.release.not_offered import refusal


@dataclass(frozen=True, slots=True)
class Algorithm(Located[Any]):
    """One row of the table. The first row for a query and unit whose needs are met is the default."""

    name: str
    query: str
    unit: str
    location: str
    needs: tuple[str, ...] = ()  # options without which this algorithm is not chosen by itself
    home: str = "graphveil"

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the public parameters besides epsilon."""
        return tuple(field.name for field in fields(self.page) if field.name != "epsilon")

    def build(self, epsilon: Fraction, options: Mapping[str, Any]) -> Any:
        """The page with its parameters fixed; unknown or unsuitable options are refused."""
        check_options(self.name, options, self.options)
        missing = [option for option in self.needs if option not in options]
        if missing:
            raise ParameterError(f"{self.name} needs {', '.join(missing)}")
        kinds = {field.name: str(field.type) for field in fields(self.page)}
        checked = {name: public_parameter(name, value, kinds[name]) for name, value in options.items()}
        return marked(self, self.page(epsilon=epsilon, **checked))


_UNDER_EDGE_PRIVACY = (
    ("edge-count", "edges", "central.edge.edges:EdgeCount"),
    ("maximum-degree", "max-degree", "central.edge.max_degree:MaximumDegree"),
    ("degree-histogram", "degree-histogram", "central.edge.degree_histogram:DegreeHistogram"),
    ("degree-distribution", "degree-distribution", "central.edge.degree_distribution:DegreeDistribution"),
    ("young-degree-sequence", "degree-sequence", "central.edge.degree_sequence:YoungDegreeSequence"),
    ("isotonic-degree-sequence", "degree-sequence", "central.edge.isotonic_degree_sequence:DegreeSequence"),
    ("ladder-triangles", "triangles", "central.edge.triangles:LadderTriangles"),
    ("published-ladder-triangles", "triangles", "papers.peers.published_ladder:PublishedLadderTriangles"),
    ("smooth-sensitivity-triangles", "triangles", "papers.peers.smooth_sensitivity:SmoothSensitivityTriangles"),
    ("two-stars", "2-stars", "central.edge.k_stars:TwoStars"),
    ("three-stars", "3-stars", "central.edge.k_stars:ThreeStars"),
    ("transitivity", "transitivity", "central.edge.transitivity:Transitivity"),
    ("average-clustering", "average-clustering", "central.edge.average_clustering:AverageClustering"),
    ("clustering-by-degree", "clustering-by-degree", "central.edge.clustering_by_degree:ClusteringByDegree"),
    ("assortativity", "assortativity", "central.edge.assortativity:Assortativity"),
    ("joint-degrees", "joint-degrees", "central.edge.joint_degrees:JointDegrees"),
    ("component-count", "components", "central.edge.components:ComponentCount"),
    ("degeneracy", "degeneracy", "central.degeneracy:Degeneracy"),
    ("most-connected", "most-connected", "central.choices.most_connected:MostConnected"),
    ("top-people", "top-people", "central.choices.top_people:TopPeople"),
    ("top-m-filter", "adjacency", "central.choices.top_m_filter:TopMFilter"),
    ("noisy-adjacency", "adjacency", "central.choices.noisy_adjacency:NoisyAdjacency"),
)
_UNDER_NODE_PRIVACY = (
    ("node-count", "nodes", "central.node.nodes:NodeCount"),
    ("node-edge-count", "edges", "central.node.edges:NodeEdgeCount"),
    ("h-index", "h-index", "central.node.h_index:HIndex"),
    ("node-degeneracy", "degeneracy", "central.degeneracy:NodeDegeneracy"),
    ("node-degree-histogram", "degree-histogram", "central.node.degree_histogram:NodeDegreeHistogram"),
    ("node-degree-distribution", "degree-distribution", "central.node.degree_distribution:NodeDegreeDistribution"),
    ("node-triangles", "triangles", "central.node.triangles:NodeTriangles"),
    ("node-transitivity", "transitivity", "central.node.transitivity:NodeTransitivity"),
    ("node-two-stars", "2-stars", "central.node.stars:NodeTwoStars"),
    ("node-three-stars", "3-stars", "central.node.stars:NodeThreeStars"),
)
ALGORITHMS: tuple[Algorithm, ...] = (
    *(Algorithm(name, query, "edge", page) for name, query, page in _UNDER_EDGE_PRIVACY),
    *(Algorithm(name, query, "node", page) for name, query, page in _UNDER_NODE_PRIVACY),
    Algorithm(
        "best-partition",
        "best-partition",
        "edge",
        "central.choices.best_partition:BestPartition",
        needs=("partitions",),
    ),
)


def algorithms() -> tuple[Algorithm, ...]:
    """Our own and those of plug-ins, which are never chosen before ours."""
    return ALGORITHMS + rows_of("graphveil.central", (Page, Query), _plugin_row, ALGORITHMS, lambda row: row.name)


def _plugin_row(plugin: Plugin) -> Algorithm:
    page: type[Page] = plugin.value
    return Algorithm(plugin.name, page.query, page.unit, plugin.location, home=plugin.package)


def find(name: str) -> Algorithm:
    """The algorithm of that name."""
    for algorithm in algorithms():
        if algorithm.name == name:
            return algorithm
    raise unknown_name("algorithm", name, (a.name for a in algorithms()))


def choose(query: str, unit: Unit, options: Mapping[str, Any], method: str | None = None) -> Algorithm:
    """The algorithm that answers a query under a unit: the one named, or the first whose needs are met."""
    by_query = [a for a in algorithms() if a.query == query]
    if not by_query:
        raise unknown_name("query", query, (a.query for a in algorithms()))
    by_unit = [a for a in by_query if a.unit == unit.kind]
    if not by_unit:
        raise ParameterError(refusal(query, unit.kind))
    if method is not None:
        named = [a for a in by_unit if a.name == method]
        if not named:
            raise unknown_name("method", method, (a.name for a in by_unit), where=f"for {query}")
        return named[0]
    for algorithm in by_unit:
        if all(option in options for option in algorithm.needs):
            return algorithm
    needs = ", ".join(f"{name}= (--{name} FILE)" for name in by_unit[0].needs)
    raise ParameterError(f"{query} under {unit.kind} privacy needs {needs}")
