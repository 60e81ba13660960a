"""What `anonymize` hands out is anonymous by the definition, repeats under a seed, and reports what it changed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import any_graph, flip, smallest_degree_class, smallest_neighborhood_class, smallest_seed

from graphveil.anonymity.anonymize import anonymize
from graphveil.anonymity.certify import certify
from graphveil.anonymity.claim import NOTIONS
from graphveil.anonymity.k_degree.degree_sequence import anonymous_degrees
from graphveil.anonymity.methods import METHODS, method_named
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import barabasi_albert, erdos_renyi, power_law_cluster

DEFINITION = {
    "k-degree": smallest_degree_class,
    "k-neighbourhood": smallest_neighborhood_class,
    "k-seed": smallest_seed,
}


def edge_set(graph):
    return {tuple(edge) for edge in graph.edges().tolist()}


@settings(max_examples=40, deadline=None)
@given(any_graph(most=12), st.integers(2, 5), st.sampled_from(sorted(METHODS)), st.integers(0, 3))
def test_every_method_serves_every_graph_of_k_people(graph, k, method, seed):
    if graph.n_nodes < k:
        with pytest.raises(ParameterError, match="from 2 to the number of people"):
            anonymize(graph, method=method, k=k, seed=seed)
        return
    made = anonymize(graph, method=method, k=k, seed=seed)
    assert made.graph.n_nodes == graph.n_nodes
    notion = made.claim.notion
    for implied in (notion, *NOTIONS[notion].implies):
        if implied in DEFINITION:
            assert DEFINITION[implied](made.graph) >= k
    assert certify(made.graph, method="k-refinement", k=1).holds


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("k", [2, 5, 20])
def test_what_is_made_passes_and_one_flipped_edge_is_noticed(method, k):
    graph = power_law_cluster(400, 4, 0.5, seed=7)
    made = anonymize(graph, method=method, k=k, seed=1)
    notion = method_named(method).notion
    assert made.certificate.holds
    certificate = certify(made.graph, method=notion, k=k)
    assert (certificate.holds, certificate.method, certificate.k) == (True, notion, k)
    exact = certify(made.graph, method=notion, k=certificate.worst_class.size)
    broken = _out_of_class(made.graph, exact.worst_class.members)
    assert not certify(broken, method=notion, k=exact.worst_class.size).holds


def _out_of_class(graph, members):
    """One edge flipped between a member of the smallest class and somebody who does not come near its degree."""
    degree = graph.degrees[members[0]]
    far = np.flatnonzero((np.abs(graph.degrees - degree) > 1) & ~np.isin(np.arange(graph.n_nodes), members))
    return flip(graph, members[0], int(far[0]))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_the_key_says_who_is_who_and_the_report_counts_the_changes(method):
    graph = barabasi_albert(150, 3, seed=2)
    made = anonymize(graph, method=method, k=3, seed=4)
    published = {tuple(sorted(pair)) for pair in made.key[made.graph.edges()].tolist()}
    assert sorted(made.key.tolist()) == list(range(150))
    assert made.report.edges_added == len(published - edge_set(graph))
    assert made.report.edges_removed == len(edge_set(graph) - published)
    assert made.report.edges_kept == len(edge_set(graph) & published)
    assert made.report.metrics["edges"] == (graph.n_edges, len(published))
    kept = anonymize(graph, method=method, k=3, seed=4, keep_names=True)
    assert edge_set(kept.graph) == published
    if made.automorphism is not None:
        assert certify(made.graph, method="k-automorphism", k=3, automorphism=made.automorphism).holds


def test_names_stay_only_when_asked():
    friends = Graph.from_edges([(0, 1), (1, 2), (2, 3)], labels=np.array([70, 50, 30, 10]))
    assert anonymize(friends, method="k-degree", k=2, seed=0).graph.labels is None
    kept = anonymize(friends, method="k-degree", k=2, seed=0, keep_names=True)
    assert kept.graph.labels.tolist() == [70, 50, 30, 10]
    assert kept.claim.names == "kept"
    assert "Names were kept" in str(kept.claim)


def test_a_seed_repeats_and_no_seed_does_not():
    graph = erdos_renyi(80, m=200, seed=3)
    once, again, other, secret, secret_too = (
        anonymize(graph, method="k-degree", k=5, seed=seed) for seed in (1, 1, 2, None, None)
    )
    assert once.graph == again.graph
    assert once.graph != other.graph
    assert secret.key.tolist() != secret_too.key.tolist()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.integers(1, 4), st.booleans())
def test_degrees_change_as_little_as_possible(degrees, k, only_rise):
    if len(degrees) < k:
        return
    change = anonymous_degrees(np.array(degrees), k, only_rise=only_rise) - degrees
    every = np.stack(np.meshgrid(*[np.arange(6)] * len(degrees)), axis=-1).reshape(-1, len(degrees))
    shared = (every[:, :, None] == every[:, None, :]).sum(axis=2).min(axis=1) >= k
    allowed = every[shared & ((every >= degrees).all(axis=1) | (not only_rise))] - degrees
    assert change.tolist() in allowed.tolist()
    assert np.abs(change).sum() == np.abs(allowed).sum(axis=1).min()


def test_editing_changes_fewer_edges_than_adding_alone():
    graph = barabasi_albert(1000, 4, seed=9)
    edited, added = (anonymize(graph, method=m, k=10, seed=1).report for m in ("k-degree", "k-degree-supergraph"))
    assert added.edges_removed == 0
    assert edited.edges_added + edited.edges_removed <= added.edges_added
    assert edited.edges_kept > 0.9 * graph.n_edges


@pytest.mark.parametrize("method", ["k-automorphism", "k-seed"])
def test_the_number_of_edges_stays(method):
    graph = power_law_cluster(600, 5, 0.5, seed=1)
    made = anonymize(graph, method=method, k=4, seed=1)
    assert abs(made.graph.n_edges - graph.n_edges) <= 16


def test_too_large_a_graph_is_refused_or_served_by_a_weaker_notion_only_when_allowed(monkeypatch):
    graph = barabasi_albert(100, 3, seed=1)
    monkeypatch.setattr("graphveil.anonymity.methods.WALKS", 10)
    monkeypatch.setattr("graphveil.anonymity.methods.Method.is_practical", lambda self, graph: self.most_walks is None)
    with pytest.raises(ParameterError, match="too large for k-automorphism"):
        anonymize(graph, method="k-automorphism", k=3, seed=1)
    made = anonymize(graph, method="k-automorphism", k=3, seed=1, allow_weaker=True)
    assert (made.claim.notion, made.claim.asked) == ("k-degree", "k-automorphism")
    assert "weaker than k-automorphism" in str(made.claim)


def test_progress_is_told_step_by_step():
    told = []
    anonymize(barabasi_albert(60, 2, seed=1), method="k-seed", k=3, seed=1, progress=told.append)
    assert len(told) == 3


@pytest.mark.parametrize("method", sorted(METHODS))
def test_nothing_claims_differential_privacy(method):
    made = anonymize(barabasi_albert(60, 2, seed=1), method=method, k=3, seed=1)
    document = made.to_json()
    assert {"method", "k", "holds", "worst_class", "edges_added", "edges_removed", "metrics", "claim"} <= set(document)
    assert document["claim"]["differential_privacy"] is False
    assert "epsilon" not in str(document) + str(made.claim)
    assert "not differential privacy" in str(made.claim)


def test_unknown_methods_and_small_k_are_refused():
    graph = barabasi_albert(60, 2, seed=1)
    with pytest.raises(ParameterError, match="unknown method"):
        anonymize(graph, method="k-nothing", k=3)
    for k in (0, 1, 61):
        with pytest.raises(ParameterError, match="from 2 to"):
            anonymize(graph, method="k-degree", k=k)


@pytest.mark.parametrize(
    ("name", "meant"), [("k-self-equivalence", "k-neighbourhood"), ("k-equivalent-seed", "k-seed")]
)
def test_names_of_other_texts_mean_methods_of_ours(name, meant):
    graph = power_law_cluster(60, 3, 0.5, seed=1)
    made = [anonymize(graph, method=each, k=2, seed=3) for each in (name, meant)]
    assert made[0].graph == made[1].graph
    assert made[0].claim == made[1].claim
    assert certify(made[0].graph, method=name, k=2).holds
