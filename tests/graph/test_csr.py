"""Rows built by counting are the rows one would write down by hand."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.graph.csr import SMALL, _rows, edges_of_rows, rows_from_edges

PAIRS = st.integers(1, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
)


@settings(deadline=None)
@given(PAIRS)
def test_rows_are_sorted_symmetric_and_without_loops_or_repeats(case):
    n, pairs = case
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    indptr, indices = rows_from_edges(ends[:, 0], ends[:, 1], n)
    neighbours = [sorted({v for a, b in pairs for u, v in ((a, b), (b, a)) if u == i != v}) for i in range(n)]
    assert [indices[indptr[i] : indptr[i + 1]].tolist() for i in range(n)] == neighbours


@settings(deadline=None)
@given(PAIRS)
def test_edges_are_listed_once_in_order(case):
    n, pairs = case
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    listed = edges_of_rows(*rows_from_edges(ends[:, 0], ends[:, 1], n))
    assert [tuple(edge) for edge in listed.tolist()] == sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]})


@settings(deadline=None)
@given(PAIRS)
def test_parts_make_no_difference(case):
    n, pairs = case
    u, v = np.array(pairs, dtype=np.int32).reshape(-1, 2).T.copy()
    with ThreadPoolExecutor(2) as pool:
        for parts in (2, 3):
            for ours, whole in zip(_rows(u, v, n, parts=parts, run=pool.map), rows_from_edges(u, v, n), strict=True):
                assert np.array_equal(ours, whole)


def test_large_inputs_run_in_parts():
    rng = np.random.default_rng(3)
    ends = rng.integers(0, 500, (2 * SMALL, 2))
    indptr, indices = rows_from_edges(ends[:, 0], ends[:, 1], 500)
    joined = np.zeros((500, 500), dtype=bool)
    joined[ends[:, 0], ends[:, 1]] = joined[ends[:, 1], ends[:, 0]] = True
    np.fill_diagonal(joined, val=False)
    assert np.array_equal(indices, np.nonzero(joined)[1])
    assert np.array_equal(np.diff(indptr), joined.sum(axis=1))
    assert np.array_equal(edges_of_rows(indptr, indices), np.argwhere(np.triu(joined)))


def test_rows_take_four_bytes_per_entry():
    _, indices = rows_from_edges(np.array([0]), np.array([1]), 2)
    assert indices.dtype == np.int32
