"""Outputs of every kind become numbers, and nothing but the output goes in."""

import numpy as np
import pytest

from graphveil.audit import audit
from graphveil.audit.reading.reading import MAX_COLUMNS, read_outputs
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph


def column(reading, name):
    return reading.columns[:, reading.names.index(name)].tolist()


def test_numbers_keep_their_value_and_show_their_lowest_bit():
    reading = read_outputs([0.5, 3.0, 0.0])
    assert column(reading, "the value") == [0.5, 3.0, 0.0]
    assert column(reading, "the lowest set bit of the value") == [-1, 0, 2000]
    assert read_outputs([1, 2, 3]).names == ("the value",)


def test_rows_show_differences_and_sums():
    reading = read_outputs(np.array([[1, 4], [2, 9]]))
    assert column(reading, "entry 1 minus entry 0") == [3, 7]
    assert column(reading, "the sum of the entries") == [5, 11]


def test_infinite_entries_do_no_harm():
    reading = read_outputs([(1.0, np.inf, -np.inf), (2.0, 3.0, 4.0)])
    assert np.isnan(column(reading, "the sum of the entries")[0])


def test_columns_that_never_change_are_left_out():
    assert read_outputs([(1, 7, np.nan), (2, 7, np.nan)]).names == ("entry 0",)
    assert read_outputs([5, 5]).names == ("the value",)


def test_sets_become_bits():
    reading = read_outputs([{3, 5}, set(), {5}])
    assert column(reading, "whether it contains 5") == [1, 0, 1]
    assert column(reading, "the number of elements") == [2, 0, 1]


def test_graphs_become_pairs_and_counts():
    graphs = [Graph.from_edges([(0, 1), (1, 3)], n_nodes=4), Graph.from_edges([(2, 3)], n_nodes=4)]
    reading = read_outputs(graphs)
    assert column(reading, "edge 1-3") == [1, 0]
    assert column(reading, "edge 2-3") == [0, 1]
    assert column(reading, "degree of rank 0") == [2, 1]
    assert column(reading, "the number of edges") == [2, 1]


def test_networkx_graphs_are_read_like_our_own():
    import networkx as nx

    graphs = [nx.path_graph(3), nx.complete_graph(3)]
    assert column(read_outputs(graphs), "the number of edges") == [2, 3]


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("Graph", [("a", "b")], [("a", "c")]),
        ("Graph", [(0, 1)], [(0, 2)]),
        ("DiGraph", [(0, 1)], [(1, 0)]),
        ("MultiGraph", [(0, 1)], [(0, 1), (0, 1)]),
        ("Graph", [(0, 1, {"weight": 1})], [(0, 1, {"weight": 2})]),
    ],
)
def test_all_that_a_networkx_graph_publishes_is_read(kind, one, other):
    import networkx as nx

    graphs = [getattr(nx, kind)(edges) for edges in (one, other, one, other)]
    assert any(len(set(entries.tolist())) == 2 for entries in read_outputs(graphs).columns.T)


def test_complex_numbers_are_two_numbers():
    assert column(read_outputs([1 + 2j, 1 + 5j]), "entry 1") == [2, 5]


def test_whole_numbers_beyond_the_reach_of_floats_stay_apart():
    assert column(read_outputs([10**30, 10**30 + 1]), "the value") == [0, 1]
    extremes = np.array([-(2**63), 2**63 - 1])
    assert column(read_outputs(extremes), "the value")[0] == 0


def different_rows(reading):
    return len(np.unique(np.nan_to_num(reading.columns, nan=-1), axis=0))


def test_lists_of_words_are_told_apart():
    reading = read_outputs([["a"], ["a", "b"], ["a"]])
    assert column(reading, "'length': the value") == [1, 2, 1]
    assert different_rows(reading) == 2


def test_outputs_that_cannot_be_compared_are_refused_instead_of_passing():
    with pytest.raises(ParameterError, match="features"):
        read_outputs([object() for _ in range(200)])


def test_rows_of_unequal_length_are_padded():
    reading = read_outputs([(1, 2, 3), (4,)])
    assert column(reading, "the length") == [3, 1]
    assert np.isnan(column(reading, "entry 2")[1])


def test_anything_else_is_told_apart():
    reading = read_outputs(["yes", "no", "yes", None, {"a": 1}, 3])
    assert different_rows(reading) == 5
    assert np.array_equal(reading.columns[0], reading.columns[2], equal_nan=True)


def test_columns_that_repeat_another_are_read_once():
    numbers = np.random.default_rng(1).integers(-4, 4, 50)
    reading = read_outputs(np.column_stack((numbers, numbers < 0, numbers, numbers < 0, numbers < 1)))
    assert [name for name in reading.names if name.count("entry") == 1] == ["entry 0", "entry 1", "entry 4"]


def test_several_kinds_are_read_one_by_one():
    reading = read_outputs([1.5, None, "a", 2.5, (1, 2), "b"])
    assert column(reading, "the kind of output") == [1, 0, 3, 1, 2, 3]
    numbers = column(reading, "the value of a number")
    assert numbers[0::3] == [1.5, 2.5]
    assert np.isnan(numbers[1])


def test_records_and_rows_of_anything_are_read_entry_by_entry():
    reading = read_outputs([{"n": 1.5, "unit": "edge"}, {"n": 2.5, "unit": "node"}, {"n": 3.5}])
    assert column(reading, "'n': the value") == [1.5, 2.5, 3.5]
    assert "'unit': the kind of output" in reading.names
    reading = read_outputs([("a", 1.5), ("b", 2.5), ("a", 3.5)])
    assert column(reading, "1: the value") == [1.5, 2.5, 3.5]
    assert column(reading, "0: the output")[0] == column(reading, "0: the output")[2]


def test_outputs_without_entries_are_alike():
    assert read_outputs([(), (), ()]).columns.shape == (3, 1)


def test_too_many_numbers_are_refused_with_a_way_out():
    with pytest.raises(ParameterError, match="features"):
        read_outputs(np.random.default_rng(1).random((3, MAX_COLUMNS + 1)))


def test_features_must_give_a_row_for_every_output():
    with pytest.raises(ParameterError, match="one for each"):
        read_outputs([1, 2, 3], lambda outputs: outputs[:2])


def test_features_see_shuffled_outputs_of_both_inputs_at_once():
    """A featuriser that knew the input would refute a sound mechanism; here it cannot know.

    This one tries: it takes every second quarter of what it is given for the second input.
    """
    calls = []

    def peeking(outputs):
        calls.append(len(outputs))
        return np.arange(len(outputs)) // (len(outputs) // 4) % 2

    result = audit(lambda truth: 0, pairs=[("a", "b")], epsilon=1, samples=500, seed=3, features=peeking)
    assert calls == [2000]
    assert result.epsilon_lower_bound < 0.5
    assert audit(lambda truth: truth, pairs=[(0, 1)], epsilon=1, samples=500, seed=3).epsilon_lower_bound > 5
