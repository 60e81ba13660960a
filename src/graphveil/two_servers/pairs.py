"""Symmetric matrices kept as the list of their pairs i < j, row after row; arithmetic modulo 2^64.

Lists of pairs are worked on in parts, so that nothing but a square has to be there as a whole. The matrix that is
squared is in memory, for more than `MOST_IN_MEMORY` people in a temporary file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Words
from graphveil.kernels import kernel

PART_PAIRS = 2**20  # a multiple of 8: a part of bits fills whole bytes
BLOCK_ROWS = 256
MOST_IN_MEMORY = 10_000
THREADS = 2
CACHED_COLUMNS = 1024  # of four rows, so that they stay in the cache while all rows of a block use them


def count_pairs(n: int) -> int:
    """How many pairs n people have."""
    return n * (n - 1) // 2


def first_pair(i: int, n: int) -> int:
    """Where the pairs (i, i + 1), (i, i + 2), ... start in the list."""
    return i * (2 * n - i - 1) // 2


def pair_place(i: int, j: int, n: int) -> int:
    """Where the pair i < j stands in the list."""
    return first_pair(i, n) + j - i - 1


def all_pairs(n: int) -> slice:
    """The place of all pairs of n people."""
    return slice(0, count_pairs(n))


def pairs_of_rows(rows: range, n: int) -> slice:
    """Where the pairs of these rows stand."""
    return slice(first_pair(rows.start, n), first_pair(rows.stop, n))


def parts(n: int) -> Iterator[slice]:
    """The list of pairs in parts, one after the other."""
    for start in range(0, count_pairs(n), PART_PAIRS):
        yield slice(start, min(start + PART_PAIRS, count_pairs(n)))


def upper(matrix: AnyArray) -> AnyArray:
    """The entries above the diagonal, row after row.

    >>> upper(np.arange(9).reshape(3, 3)).tolist()
    [1, 2, 5]
    """
    return np.concatenate([matrix[i, i + 1 :] for i in range(len(matrix))])


def symmetric(n: int, pairs: Callable[[slice], Words]) -> Words:
    """The whole matrix, zero on the diagonal, from a function that gives any part of the list.

    >>> symmetric(3, np.array([1, 2, 5], dtype=np.uint64).__getitem__).tolist()
    [[0, 1, 2], [1, 0, 5], [2, 5, 0]]
    """
    matrix = _new_matrix(n)
    for rows in _row_blocks(n):
        listed, block = pairs(pairs_of_rows(rows, n)), np.zeros((len(rows), n - rows.start), dtype=np.uint64)
        for place, i in enumerate(rows):
            own, listed = np.split(listed, [n - i - 1])
            block[place, place + 1 :] = own
        block[:, : len(rows)] += block[:, : len(rows)].T.copy()
        matrix[rows.start : rows.stop, rows.start :] = block
        matrix[rows.start :, rows.start : rows.stop] = block.T
    return matrix


def squared(matrix: Words) -> Iterator[tuple[range, Words]]:
    """The square of a symmetric matrix: a few rows at a time, with the list of their pairs; on two threads."""
    waiting = list(_row_blocks(len(matrix)))
    with ThreadPoolExecutor(THREADS) as pool:
        running = [(rows, pool.submit(_square_rows, matrix, rows.start, rows.stop)) for rows in waiting[:THREADS]]
        for following in [*waiting[THREADS:], *[None] * min(THREADS, len(waiting))]:
            rows, started = running.pop(0)
            block = started.result()
            if following is not None:
                running.append((following, pool.submit(_square_rows, matrix, following.start, following.stop)))
            yield rows, np.concatenate([block[place, place + 1 :] for place in range(len(rows))])


def _row_blocks(n: int) -> Iterator[range]:
    for start in range(0, n, BLOCK_ROWS):
        yield range(start, min(start + BLOCK_ROWS, n))


def _new_matrix(n: int) -> Words:
    if n <= MOST_IN_MEMORY:
        return np.zeros((n, n), dtype=np.uint64)
    with tempfile.TemporaryFile(prefix="graphveil-") as file:  # the mapping keeps it; nobody can open it by a name
        if hasattr(os, "posix_fallocate"):  # a disk without room is an error now, and not the end of the process later
            os.posix_fallocate(file.fileno(), 0, 8 * n * n)
        return np.asarray(np.memmap(file, dtype=np.uint64, mode="w+", shape=(n, n)))


@kernel
def _square_rows(matrix: Any, start: int, stop: int) -> Any:
    """Rows of the square, from column `start` on: what is left of it is in earlier rows."""
    n = matrix.shape[0]
    block = np.zeros((stop - start, n - start), dtype=np.uint64)
    for left in range(start, n, CACHED_COLUMNS):
        right = min(left + CACHED_COLUMNS, n)
        for k in range(0, n - 3, 4):
            a, b, c, d = (
                matrix[k, left:right],
                matrix[k + 1, left:right],
                matrix[k + 2, left:right],
                matrix[k + 3, left:right],
            )
            for i in range(start, stop):
                into, row = block[i - start, left - start : right - start], matrix[i]
                _add_four(into, row[k], a, row[k + 1], b, row[k + 2], c, row[k + 3], d)
        for k in range(n - n % 4, n):
            for i in range(start, stop):
                for j in range(left, right):
                    block[i - start, j - start] += matrix[i, k] * matrix[k, j]
    return block


@kernel
def _add_four(
    into: Any, first: int, a: Any, second: int, b: Any, third: int, c: Any, fourth: int, d: Any
) -> None:  # four at once in a function of their own: the compiler then uses vector instructions
    for j in range(len(into)):
        into[j] += first * a[j] + second * b[j] + third * c[j] + fourth * d[j]
