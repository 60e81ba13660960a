"""Each family of graphs has the property that it stands for, at every size and seed that a test may take."""

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.families import FAMILIES, family
from graphveil.graph.statistics.clustering import clustering_of, exact_average_clustering
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.degrees import exact_assortativity
from graphveil.graph.statistics.triangles import exact_triangles, exact_triangles_per_node


def local_clustering(graph: Graph) -> np.ndarray:
    return clustering_of(exact_triangles_per_node(graph), graph.degrees.astype(np.int64))


def two_kinds(graph: Graph) -> bool:
    own = local_clustering(graph)
    half = graph.n_nodes // 2
    some = graph.degrees > 2
    return own[:half][some[:half]].mean() > 0.7 and own[half:][some[half:]].mean() < 0.3


HAS_PROPERTY = {
    "cliques": two_kinds,
    "hubs": lambda graph: np.sort(graph.degrees)[-4] > graph.n_nodes / 8 and np.median(graph.degrees) < 10,
    "forest": lambda graph: exact_components(graph).count == graph.n_nodes - graph.n_edges,
    "bipartite": lambda graph: exact_triangles(graph) == 0 and graph.degrees.max() > graph.n_nodes / 10,
    "triads": lambda graph: exact_average_clustering(graph) > 0.5 and graph.degrees.mean() < 3,
    "assortative": lambda graph: exact_assortativity(graph) > 0.15,
    "disassortative": lambda graph: exact_assortativity(graph) < -0.2,
    "near-regular": lambda graph: np.ptp(graph.degrees) <= 3,
    "ring": lambda graph: exact_average_clustering(graph) > 0.4 and np.ptp(graph.degrees) <= 14,
    "lattice": lambda graph: set(graph.degrees.tolist()) == {8},
    "communities": lambda graph: exact_components(graph).count < graph.n_nodes / 10 and graph.degrees.mean() > 5,
    "star": lambda graph: graph.n_edges == graph.degrees.max() == graph.n_nodes - 1,
    "tree": lambda graph: graph.n_edges == graph.n_nodes - 1 and exact_components(graph).count == 1,
    "components": lambda graph: exact_components(graph).count > graph.n_nodes / 8 and graph.degrees.min() == 0,
    "tiny": lambda graph: 1 <= graph.n_edges <= 3 * graph.n_nodes,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_has_its_property(name: str) -> None:
    for n in (2, 3, 4, 50) if name == "tiny" else (101, 1000):
        for seed in (0, 1, 2):
            graph = family(name, n, seed=seed)
            assert graph.n_nodes == n
            assert HAS_PROPERTY[name](graph), (n, seed)
        assert graph == family(name, n, seed=seed)


def test_like_and_unlike_neighbours_leave_the_degrees_as_they_are() -> None:
    like, unlike = (family(name, 400, seed=3) for name in ("assortative", "disassortative"))
    assert np.array_equal(np.sort(like.degrees), np.sort(unlike.degrees))


def test_families_refuse_other_names_and_sizes() -> None:
    with pytest.raises(ParameterError, match="family"):
        family("circles", 200, seed=1)
    with pytest.raises(ParameterError, match="2 to 50"):
        family("tiny", 51, seed=1)
    with pytest.raises(ParameterError, match="100 to"):
        family("hubs", 20, seed=1)
