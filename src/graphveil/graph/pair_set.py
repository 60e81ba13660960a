"""A set of node pairs for kernels: which edges are there while a graph is being changed.

Open addressing with linear probing; a removed entry is filled by moving later ones of its run forward, so look-ups
never meet tombstones. The table must be larger than the number of pairs it will hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import kernel

EMPTY = -1


def new_pair_set(capacity: int) -> NDArray[np.int64]:
    """An empty table for up to `capacity` pairs, at most half full."""
    return np.full(max(2, 1 << int(2 * capacity).bit_length()), EMPTY, dtype=np.int64)


@kernel
def has_pair(table: Any, u: Any, v: Any) -> Any:
    """Whether the pair is in the set."""
    return table[_slot_of(table, _key(u, v))] != EMPTY


@kernel
def add_pair(table: Any, u: Any, v: Any) -> None:
    """Put the pair in."""
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
