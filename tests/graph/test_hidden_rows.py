"""A table without rows: the same statistics, and no way to the rows."""

import pytest
from small_graphs import all_edge_sets, labelled

from graphveil.errors import UnsupportedByEngine
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.hidden_rows import HiddenRows
from graphveil.graph.project import project_bounded_degree, project_first_edges
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.pareto_pairs import neighbour_front, star_front
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.statistics.joint_degrees.soft import count_soft_cells

GRAPH = power_law_cluster(300, 4, 0.4, seed=5)
TABLE = HiddenRows(GRAPH)


def test_best_pairs_for_stars_follow_from_the_joint_degrees_alone():
    for n in range(1, 6):
        for edges in all_edge_sets(range(n)):
            graph = labelled(edges, range(n))
            assert star_front(HiddenRows(graph)) == star_front(graph)


def test_statistics_do_not_see_the_difference():
    for statistic in (exact_assortativity, exact_joint_degrees, neighbour_front, star_front, exact_triangles):
        assert statistic(TABLE) == statistic(GRAPH)
    assert count_soft_cells(TABLE)[1].tolist() == count_soft_cells(GRAPH)[1].tolist()
    assert (TABLE.n_nodes, TABLE.n_edges, exact_k_stars(TABLE, 3)) == (300, GRAPH.n_edges, exact_k_stars(GRAPH, 3))


@pytest.mark.parametrize("project", [project_bounded_degree, project_first_edges])
def test_projections_stay_tables(project):
    table = project(TABLE, 5, order=3)
    assert isinstance(table, HiddenRows)
    assert table.whole == project(GRAPH, 5, order=3)


@pytest.mark.parametrize("reach", [HiddenRows.edges, lambda t: t.neighbors(0), lambda t: t.indptr, lambda t: t == t])
def test_rows_are_refused_in_one_line(reach):
    with pytest.raises(UnsupportedByEngine, match="leave out --engine") as refusal:
        reach(TABLE)
    assert "\n" not in str(refusal.value)
