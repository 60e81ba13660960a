"""Which two edges ab and cd to swap to ad and cb: such as close a wedge, or any in one group."""

from __future__ import annotations

from typing import Any

from graphveil.kernels import kernel
from graphveil.synthetic.veil.sorted_rows import knows

LOOKS = 6


@kernel
def random_swap(rng: Any, indptr: Any, rows: Any, owner: Any, group: Any, starts: Any) -> Any:
    """An edge at random and another of the same group; (-1, ...) if they cannot be swapped."""
    first = int(rng.random() * len(rows))
    a, b = owner[first], rows[first]
    start, end = starts[group[a]], starts[group[a] + 1]
    second = start + int(rng.random() * (end - start))
    c, d = owner[second], rows[second]
    if a in (c, d) or b in (c, d) or knows(indptr, rows, a, d) or knows(indptr, rows, c, b):
        return -1, -1, -1, -1
    return a, b, c, d


@kernel
def wedge_swap(rng: Any, indptr: Any, rows: Any, owner: Any) -> Any:
    """A swap that joins a and d, two friends of one person; (-1, ...) if there is none."""
    place = int(rng.random() * len(rows))
    middle, a = owner[place], rows[place]
    d = _any_neighbour(rng, indptr, rows, middle)
    if a == d or knows(indptr, rows, a, d):
        return -1, -1, -1, -1
    b, c = _least_common(rng, indptr, rows, a), _least_common(rng, indptr, rows, d)
    if b in (middle, c) or c == middle or knows(indptr, rows, b, c):
        return -1, -1, -1, -1
    return a, b, c, d


@kernel
def _any_neighbour(rng: Any, indptr: Any, rows: Any, u: Any) -> Any:
    first = indptr[u]
    return rows[first + int(rng.random() * (indptr[u + 1] - first))]


@kernel
def _least_common(rng: Any, indptr: Any, rows: Any, u: Any) -> Any:
    """Of two neighbours of u, the one that knows fewer of a few others of them."""
    one, other = _any_neighbour(rng, indptr, rows, u), _any_neighbour(rng, indptr, rows, u)
    lead = 0
    for _ in range(LOOKS):
        x = _any_neighbour(rng, indptr, rows, u)
        lead += int(knows(indptr, rows, one, x)) - int(knows(indptr, rows, other, x))
    return one if lead <= 0 else other
