"""Symmetric matrices kept as the list of their pairs i < j, row after row; arithmetic modulo 2^64."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Words
from graphveil.kernels import kernel

BLOCK_ROWS = 128
THREADS = 2
CACHED_WORDS = 2**15


def count_pairs(n: int) -> int:
    """How many pairs n people have."""
    return n * (n - 1) // 2


def first_pair(i: int, n: int) -> int:
    """Where the pairs (i, i + 1), (i, i + 2), ... start in the list."""
    return i * (2 * n - i - 1) // 2


def pair_place(i: int, j: int, n: int) -> int:
    """Where the pair i < j stands in the list."""
    return first_pair(i, n) + j - i - 1


def upper(matrix: AnyArray) -> AnyArray:
    """The entries above the diagonal, row after row.

    >>> upper(np.arange(9).reshape(3, 3)).tolist()
    [1, 2, 5]
    """
    return np.concatenate([matrix[i, i + 1 :] for i in range(len(matrix))])


def symmetric(pairs: AnyArray, n: int) -> AnyArray:
    """The whole matrix, zero on the diagonal.

    >>> symmetric(np.array([1, 2, 5]), 3).tolist()
    [[0, 1, 2], [1, 0, 5], [2, 5, 0]]
    """
    matrix = np.zeros((n, n), dtype=pairs.dtype)
    for i in range(n):
        row = pairs[first_pair(i, n) : first_pair(i + 1, n)]
        matrix[i, i + 1 :] = row
        matrix[i + 1 :, i] = row
    return matrix


def row(pairs: AnyArray, i: int, n: int) -> AnyArray:
    """Row i of the whole matrix."""
    before = np.array([pair_place(k, i, n) for k in range(i)], dtype=np.int64)
    return np.concatenate((pairs[before], np.zeros(1, pairs.dtype), pairs[first_pair(i, n) : first_pair(i + 1, n)]))


def square_blocks(matrix: Words) -> Iterator[tuple[int, Words]]:
    """Rows of the square from their first row on, a block at a time, on two threads.

    Row i of a block that starts at row s has the columns s, s + 1, ... only: the square is symmetric.
    """
    starts = range(0, len(matrix), BLOCK_ROWS)
    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(_square_rows, matrix, s, min(s + BLOCK_ROWS, len(matrix))) for s in starts[:THREADS]]
        for index, start in enumerate(starts):
            block = running.pop(0).result()
            if index + THREADS < len(starts):
                following = starts[index + THREADS]
                running.append(pool.submit(_square_rows, matrix, following, min(following + BLOCK_ROWS, len(matrix))))
            yield start, block


@kernel
def _square_rows(matrix: Any, start: int, stop: int) -> Any:
    n = matrix.shape[0]
    block = np.zeros((stop - start, n - start), dtype=np.uint64)
    together = max(8, CACHED_WORDS // n)  # rows that stay in the cache while all rows of the block use them
    for first in range(0, n, together):
        for i in range(start, stop):
            for k in range(first, min(first + together, n)):
                factor = matrix[i, k]
                for j in range(start, n):
                    block[i - start, j - start] += factor * matrix[k, j]
    return block
