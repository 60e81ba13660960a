"""Pairs of people as numbers."""

from itertools import combinations

import numpy as np
import pytest

from graphveil.graph.pairs import nth_absent, numbers_of_pairs, pairs_by_number


@pytest.mark.parametrize("n", range(2, 10))
def test_every_pair_has_one_number(n):
    pairs = np.array(list(combinations(range(n), 2)))
    numbers = numbers_of_pairs(pairs, n)
    assert sorted(numbers.tolist()) == list(range(len(pairs)))
    assert np.array_equal(np.sort(pairs_by_number(numbers, n), axis=1), pairs)


def test_large_numbers_do_not_overflow():
    n = 2**31 - 1
    pairs = np.array([[0, n - 1], [0, n // 2], [n // 2, n - 1]], dtype=np.int32)
    assert np.array_equal(np.sort(pairs_by_number(numbers_of_pairs(pairs, n), n), axis=1), pairs)


@pytest.mark.parametrize("present", [[], [0], [5], [0, 1, 2], [2, 3, 5], list(range(6))])
def test_absent_numbers_are_counted_from_zero(present):
    absent = [number for number in range(6) if number not in present]
    found = nth_absent(np.array(present, dtype=np.int64), np.arange(len(absent)))
    assert found.tolist() == absent
