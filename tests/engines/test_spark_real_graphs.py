"""Spark and one process agree on every statistic of the five real graphs."""

import both
import pytest


@pytest.mark.laws
@pytest.mark.needs_data
@pytest.mark.parametrize("name", ["ego-Facebook", "wiki-Vote", "ca-AstroPh", "email-Enron", "ego-Twitter"])
def test_a_real_graph_is_the_same_on_spark(in_both, real_graph, name):
    whole = real_graph(name)
    table, graph, _ = in_both(whole.edges().tolist(), edges_per_task=200_000)
    both.assert_same_graph(table, graph)
    both.assert_same_statistics(table, graph)
    both.assert_same_projections(table, graph, 50)
