"""Rows built by counting are the rows one would write down by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphveil.graph.csr import edges_of_rows, rows_from_edges

PAIRS = st.integers(1, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
)


@given(PAIRS)
def test_rows_are_sorted_symmetric_and_without_loops_or_repeats(case):
    n, pairs = case
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    indptr, indices = rows_from_edges(ends[:, 0], ends[:, 1], n)
    neighbours = [sorted({v for a, b in pairs for u, v in ((a, b), (b, a)) if u == i != v}) for i in range(n)]
    assert [indices[indptr[i] : indptr[i + 1]].tolist() for i in range(n)] == neighbours


@given(PAIRS)
def test_edges_are_listed_once_in_order(case):
    n, pairs = case
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    listed = edges_of_rows(*rows_from_edges(ends[:, 0], ends[:, 1], n))
    assert [tuple(edge) for edge in listed.tolist()] == sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]})


def test_rows_take_four_bytes_per_entry():
    _, indices = rows_from_edges(np.array([0]), np.array([1]), 2)
    assert indices.dtype == np.int32
