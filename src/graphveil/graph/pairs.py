"""A set of node pairs for kernels: which edges are there while a graph is being changed.

Open addressing with linear probing; a removed entry is filled by moving later ones of its run forward, so look-ups
never meet tombstones. The table must be larger than the number of pairs it will hold.

All pairs of n people numbered 0..n(n-1)/2 - 1, so that drawing a number draws a pair.

People sit in a ring. Pairs are numbered by their distance around it, then by the end from which it is walked; for even
n the pairs that sit opposite each other come last and start in the first half. Nothing has a root in it, so numbers
and pairs turn into each other exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.kernels import kernel

EMPTY = -1


def new_pair_set(capacity: int) -> Integers:
    """An empty table for up to `capacity` pairs, at most half full."""
    return np.full(max(2, 1 << int(2 * capacity).bit_length()), EMPTY, dtype=np.int64)


@kernel
def has_pair(table: Any, u: Any, v: Any) -> Any:
    """Whether the pair is in the set."""
    return table[_slot_of(table, _key(u, v))] != EMPTY


@kernel
def add_pair(table: Any, u: Any, v: Any) -> None:
    """Put a pair into the set; nothing changes if it is there already."""
    key = _key(u, v)
    table[_slot_of(table, key)] = key


@kernel
def discard_pair(table: Any, u: Any, v: Any) -> None:
    """Take the pair out, if it is in."""
    mask = len(table) - 1
    hole = _slot_of(table, _key(u, v))
    slot = (hole + 1) & mask
    while table[hole] != EMPTY and table[slot] != EMPTY:
        # an entry may move into the hole unless its own place lies after the hole
        if (slot - _home(table, table[slot])) & mask >= (slot - hole) & mask:
            table[hole] = table[slot]
            hole = slot
        slot = (slot + 1) & mask
    table[hole] = EMPTY


@kernel
def _key(u: Any, v: Any) -> Any:
    """One number for the pair, whichever end comes first; node numbers stay below 2^31."""
    return np.int64(min(u, v)) << 32 | np.int64(max(u, v))


@kernel
def _home(table: Any, key: Any) -> Any:
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(len(table) - 1))


@kernel
def _slot_of(table: Any, key: Any) -> Any:
    """Where the key is, or the empty slot where it would go."""
    slot = _home(table, key)
    while table[slot] != EMPTY and table[slot] != key:
        slot = (slot + 1) & (len(table) - 1)
    return slot


def pairs_by_number(numbers: Integers, n: int) -> Integers:
    """The pairs with these numbers.

    >>> pairs_by_number(np.arange(6), 4).tolist()
    [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]]
    """
    distance, start = np.divmod(numbers, max(n, 1))
    return np.stack((start, (start + distance + 1) % max(n, 1)), axis=1)


def numbers_of_pairs(pairs: AnyArray, n: int) -> Integers:
    """The numbers of pairs (u, v) with u < v.

    >>> numbers_of_pairs(np.array([[0, 1], [0, 3], [1, 3]]), 4).tolist()
    [0, 3, 5]
    """
    u, v = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    forward = 2 * (v - u) <= n
    start, distance = np.where(forward, u, v), np.where(forward, v - u, n - (v - u))
    return (distance - 1) * n + start


def nth_absent(numbers: Integers, ranks: Integers) -> Integers:
    """The numbers from 0 up that are not among the sorted `numbers`, counted from 0: those with the given ranks.

    >>> nth_absent(np.array([0, 2, 3]), np.arange(3)).tolist()
    [1, 4, 5]
    """
    absent_before = numbers - np.arange(len(numbers))
    return ranks + np.searchsorted(absent_before, ranks, side="right")
