"""The promises on a real graph: certified at several k, and fewer edge changes than by additions alone."""

import pytest

from graphveil.anonymity.anonymize import anonymize

pytestmark = pytest.mark.needs_data


@pytest.mark.parametrize("k", [2, 5, 10, 50])
def test_editing_changes_fewer_edges_than_supergraph_construction(real_graph, k):
    graph = real_graph("ego-Facebook")
    edited, added = (anonymize(graph, method=m, k=k, seed=1) for m in ("k-degree", "k-degree-supergraph"))
    assert edited.certificate.holds
    assert added.certificate.holds
    assert added.report.edges_removed == 0
    assert edited.report.edges_added + edited.report.edges_removed < added.report.edges_added
    assert edited.report.edges_kept > 0.95 * graph.n_edges


@pytest.mark.parametrize("method", ["k-automorphism", "k-seed"])
def test_strong_notions_keep_most_edges(real_graph, method):
    graph = real_graph("ego-Facebook")
    made = anonymize(graph, method=method, k=10, seed=1)
    assert made.certificate.holds
    assert made.report.edges_kept > 0.6 * graph.n_edges
