"""Metrics of a published graph: equal graphs agree in all of them, and each moves when it should."""

import itertools
import json
import math

import networkx as nx
import numpy as np
import pytest

from graphveil.evaluation.metrics.compare import agreement, evaluate
from graphveil.evaluation.metrics.profile import leading_spectrum
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi, power_law_cluster
from graphveil.graph.interop import to_networkx
from graphveil.graph.labels import text_labels
from graphveil.graph.subgraph import renumber, shuffle_people

CONTRACT = {
    "nodes", "edges", "triangles", "average_degree", "degree_variance", "degree_kl", "degree_ks", "degree_tv",
    "diameter", "average_path", "distance_kl", "global_clustering", "average_clustering", "community_nmi",
    "community_ami", "modularity", "assortativity", "eigenvector_mae",
}  # fmt: skip
NETWORK = power_law_cluster(200, 4, 0.6, seed=2)


def entropy(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-shares @ np.log(shares))


def information(a, b):
    joint = entropy([f"{x},{y}" for x, y in zip(a, b, strict=True)])
    return entropy(a) + entropy(b) - joint


def test_the_contracts_metrics_are_there_and_fit_into_json():
    document = evaluate(NETWORK, power_law_cluster(200, 3, 0.1, seed=3)).to_json()
    assert set(document["metrics"]) >= CONTRACT
    assert all(set(row) == {"original", "published", "error"} for row in document["metrics"].values())
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_a_graph_has_no_error_against_itself():
    assert all(error == pytest.approx(0, abs=1e-9) for error in evaluate(NETWORK, NETWORK).errors.values())


def test_relabelling_touches_communities_alone():
    result = evaluate(NETWORK, shuffle_people(NETWORK, seed=1))
    assert result.metrics["community_ami"]["published"] < 0.2
    unmoved = {name: error for name, error in result.errors.items() if not name.startswith(("comm", "modu"))}
    assert all(error == pytest.approx(0, abs=1e-6) for error in unmoved.values())
    assert evaluate(NETWORK, NETWORK, relabel=True).metrics["community_ami"]["published"] < 0.2


def test_people_are_matched_by_name_whatever_their_order():
    order = np.random.default_rng(1).permutation(NETWORK.n_nodes)
    moved = renumber(NETWORK, order)
    names = np.empty(NETWORK.n_nodes, dtype=np.int64)
    names[order] = np.arange(NETWORK.n_nodes)
    named = Graph.from_edges(moved.edges(), n_nodes=moved.n_nodes, labels=names)
    result = evaluate(NETWORK, named)
    assert result.same_people
    assert result.metrics["community_ami"]["published"] > 0.5  # Louvain's order differs, so not quite 1
    texts = Graph.from_edges(NETWORK.edges(), n_nodes=200, labels=text_labels([f"p{i}" for i in range(200)]))
    assert not evaluate(NETWORK, texts).same_people
    assert evaluate(texts, texts).same_people
    digits = Graph.from_edges(NETWORK.edges(), n_nodes=200, labels=text_labels([str(i) for i in range(200)]))
    assert evaluate(NETWORK, digits).same_people


@pytest.mark.parametrize("n_edges", [30, 75, 150])
def test_eigenvalues_that_are_alike_are_all_found(n_edges):
    """Few edges among many people make equal components, and with them equal eigenvalues."""
    graph = erdos_renyi(300, m=n_edges, seed=2)
    matrix = nx.to_numpy_array(to_networkx(graph))
    values, centrality = leading_spectrum(graph)
    assert values == pytest.approx(np.linalg.eigvalsh(matrix)[:-11:-1], abs=1e-6)
    assert centrality @ matrix @ centrality == pytest.approx(values[0])


def test_numbers_agree_with_networkx():
    other = power_law_cluster(200, 3, 0.1, seed=3)
    metrics = evaluate(NETWORK, other).metrics
    for side, graph in (("original", NETWORK), ("published", other)):
        network = to_networkx(graph)
        assert metrics["triangles"][side] == sum(nx.triangles(network).values()) // 3
        assert metrics["average_clustering"][side] == pytest.approx(nx.average_clustering(network))
        assert metrics["assortativity"][side] == pytest.approx(nx.degree_assortativity_coefficient(network))
        assert metrics["diameter"][side] == nx.diameter(network)
        assert metrics["average_path"][side] == pytest.approx(nx.average_shortest_path_length(network))
        values, centrality = leading_spectrum(graph)
        expected = nx.eigenvector_centrality_numpy(network)
        assert centrality == pytest.approx([abs(expected[u]) for u in range(200)], abs=1e-4)
        assert values[0] == pytest.approx(max(nx.adjacency_spectrum(network).real), rel=1e-6)


def test_degree_distances_are_those_of_the_definitions():
    star, path = Graph.from_edges([(0, 1), (0, 2), (0, 3)]), Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    errors = evaluate(star, path).errors
    p, q = [0, 0.75, 0, 0.25], [0, 0.5, 0.5, 0]
    assert errors["degree_tv"] == pytest.approx(0.5)
    assert errors["degree_ks"] == pytest.approx(0.25)
    tiny = np.finfo(float).eps
    assert errors["degree_kl"] == pytest.approx(
        sum(a * math.log((a + tiny) / (b + tiny)) for a, b in zip(p, q, strict=True))
    )


def test_agreement_is_adjusted_by_the_mean_over_all_relabellings():
    a, b = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 2, 2])
    chance = np.mean([information(a, np.array(order)) for order in itertools.permutations(b.tolist())])
    mean_entropy = (entropy(a) + entropy(b)) / 2
    nmi, ami = agreement(a, b)
    assert nmi == pytest.approx(information(a, b) / mean_entropy)
    assert ami == pytest.approx((information(a, b) - chance) / (mean_entropy - chance))


@pytest.mark.parametrize("graph", [Graph.from_edges([], n_nodes=0), Graph.from_edges([], n_nodes=3)], ids=str)
def test_graphs_without_edges_can_be_compared(graph):
    json.dumps(evaluate(graph, graph).to_json(), allow_nan=False)
    json.dumps(evaluate(graph, NETWORK).to_json(), allow_nan=False)
    json.dumps(evaluate(NETWORK, graph).to_json(), allow_nan=False)
