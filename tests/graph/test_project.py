"""Projections: what one person's joining changes, by brute force over all graphs on five people."""

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import all_edge_sets, graphs, labelled, labelled_edges

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree, project_first_edges
from graphveil.graph.statistics.triangles import exact_triangles

PEOPLE = (31, 4, 15, 92, 65)
ORDERS = range(3)
BOUNDS = range(1, 5)


@cache
def projected(project, people, edges, bound, order):
    graph = labelled([tuple(edge) for edge in edges], list(people))
    return frozenset(labelled_edges(project(graph, bound, order=order)))


def neighbours_of_all_graphs(project):
    """(edges with v, edges without, kept with, kept without, v, bound), each pair of neighbouring graphs once."""
    for edges in all_edge_sets(PEOPLE):
        for v in PEOPLE:
            fewer = frozenset(edge for edge in edges if v not in edge)
            if fewer == edges:
                continue
            others = tuple(person for person in PEOPLE if person != v)
            for bound in BOUNDS:
                for order in ORDERS:
                    kept_with = projected(project, PEOPLE, edges, bound, order)
                    kept_without = projected(project, others, fewer, bound, order)
                    yield edges, fewer, kept_with, kept_without, v, bound


@cache
def degree(edges, person):
    return sum(person in edge for edge in edges)


@cache
def two_stars(edges):
    return sum(comb(degree(edges, person), 2) for person in PEOPLE)


@cache
def triangles(edges):
    return sum(len(a | b | c) == 3 for a, b, c in combinations(edges, 3))


def test_bounded_degree_moves_other_degrees_by_no_more_than_the_newcomer_has():
    attained = set()
    for _, _, kept_with, kept_without, v, bound in neighbours_of_all_graphs(project_bounded_degree):
        own = degree(kept_with, v)
        moved = sum(abs(degree(kept_with, u) - degree(kept_without, u)) for u in PEOPLE if u != v)
        assert moved <= own <= bound
        assert 0 <= len(kept_with) - len(kept_without) <= bound
        if len(kept_with) - len(kept_without) == bound:
            attained.add(bound)
    assert attained == set(BOUNDS)


def test_first_edges_adds_only_edges_of_the_newcomer_and_takes_one_from_each_full_friend():
    for edges, fewer, kept_with, kept_without, v, bound in neighbours_of_all_graphs(project_first_edges):
        assert all(v in edge for edge in kept_with - kept_without)
        assert degree(kept_with, v) <= bound
        full = {u for u in PEOPLE if frozenset((u, v)) in edges and degree(fewer, u) >= bound}
        lost = kept_without - kept_with
        # every lost edge is the one entry that a full list gave up
        assert len(lost) <= len(full)
        assert all(edge & full for edge in lost)
        added = two_stars(kept_with) - two_stars(kept_without)
        assert -2 * len(full) * (bound - 1) <= added <= 3 * comb(bound, 2)
        closed = triangles(kept_with) - triangles(kept_without)
        assert -len(full) * (bound - 1) <= closed <= comb(bound, 2)


def test_bounded_degree_does_not_bound_the_number_of_changed_edges():
    path = [(i, i + 1) for i in range(5)]

    def changed(order):
        longer = labelled(path, list(range(6)))
        shorter = labelled(path[1:], list(range(1, 6)))
        kept = [labelled_edges(project_bounded_degree(graph, 1, order=order)) for graph in (longer, shorter)]
        return len(kept[0] ^ kept[1])

    assert max(changed(order) for order in range(1000)) == len(path)


def test_bounded_degree_does_not_bound_triangles_by_pairs_of_places():
    edges = sorted(set(combinations(range(8), 2)) - {(0, 4), (1, 7)})
    joined = labelled(edges, list(range(8)))
    without = labelled([edge for edge in edges if 0 not in edge], list(range(1, 8)))
    counts = [exact_triangles(project_bounded_degree(graph, 3, order=515)) for graph in (joined, without)]
    assert abs(counts[0] - counts[1]) > comb(3, 2)


def test_first_edges_can_lose_any_number_of_edges():
    pairs = [(i, 1000 + i) for i in range(200)]
    without = labelled(pairs, list(range(200)) + list(range(1000, 1200)))
    joined = labelled(pairs + [(5000, i) for i in range(200)], [5000, *without.labels.tolist()])
    lost = labelled_edges(project_first_edges(without, 1)) - labelled_edges(project_first_edges(joined, 1))
    assert len(lost) > 50


@settings(deadline=None, max_examples=60)
@given(graphs(), st.integers(0, 5), st.integers(0, 3), st.sampled_from([project_bounded_degree, project_first_edges]))
def test_projections_cut_and_keep_what_they_should(graph, bound, order, project):
    kept = project(graph, bound, order=order)
    assert kept.degrees.max(initial=0) <= bound
    assert labelled_edges(kept) <= labelled_edges(graph)
    assert project(graph, graph.n_nodes, order=order) == graph
    if project is project_bounded_degree:
        for u, v in labelled_edges(graph) - labelled_edges(kept):
            assert max(kept.degrees[u], kept.degrees[v]) == bound, "a dropped edge met a full end"


def test_labels_and_roster_survive():
    graph = Graph.from_edges([(0, 1)], labels=np.array(["b", "a"]), roster_declared=False)
    for project in (project_bounded_degree, project_first_edges):
        kept = project(graph, 1)
        assert kept.labels.tolist() == ["b", "a"]
        assert not kept.roster_declared


def test_a_negative_bound_is_refused():
    with pytest.raises(ParameterError, match="max_degree is -1"):
        project_bounded_degree(Graph.from_edges([(0, 1)]), -1)
