"""Random graphs for experiments: independent edges, preferential attachment, and attachment with triangles.

All generators take an explicit seed and no other source of chance. They make test inputs, not private outputs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.pairs import pairs_by_number
from graphveil.kernels import kernel


def erdos_renyi(n: int, *, p: float | None = None, m: int | None = None, seed: int) -> Graph:
    """Each pair of n people joined with probability p (Gilbert 1959), or m uniform pairs (Erdős and Rényi 1959).

    Takes time and memory in proportion to the edges, not to the pairs.

    >>> erdos_renyi(100, m=250, seed=1)
    Graph(n_nodes=100, n_edges=250)
    """
    if n < 0 or (p is None) == (m is None):
        raise ParameterError(f"n is {n}, p is {p}, m is {m}; give n of at least 0 and one of p and m")
    pairs = n * (n - 1) // 2
    rng = np.random.default_rng(seed)
    if p is not None:
        if not 0 <= p <= 1:
            raise ParameterError(f"p is {p}; a probability lies between 0 and 1")
        m = int(rng.binomial(pairs, p))
    if m is None or not 0 <= m <= pairs:
        raise ParameterError(f"m is {m}; {n} people have between 0 and {pairs} pairs")
    return Graph.from_edges(pairs_by_number(_distinct(rng, pairs, m), n), n_nodes=n, named=True)


def barabasi_albert(n: int, m: int, *, seed: int) -> Graph:
    """People join one by one and befriend m others, met in proportion to their friends (Barabási and Albert 1999).

    Starts from a star of m + 1 people, so there are m (n - m) edges.

    >>> barabasi_albert(1000, 3, seed=1)
    Graph(n_nodes=1000, n_edges=2991)
    """
    return power_law_cluster(n, m, 0.0, seed=seed)


def power_law_cluster(n: int, m: int, p: float, *, seed: int) -> Graph:
    """Preferential attachment with triangles (Holme and Kim 2002).

    As `barabasi_albert`, but after a first friend each further one is, with probability p, a friend of the person met
    last; if all of these are friends already, another person is met instead. The first such friend is uniform among the
    friends of that person; further ones follow in the order in which they met that person.

    >>> power_law_cluster(1000, 3, 0.5, seed=1)
    Graph(n_nodes=1000, n_edges=2991)
    """
    if not 1 <= m < n:
        raise ParameterError(f"m is {m} and n is {n}; give 1 <= m < n")
    if not 0 <= p <= 1:
        raise ParameterError(f"p is {p}; a probability lies between 0 and 1")
    places = 2 * m * (n - m)
    after = np.empty(places, dtype=np.int32 if places < 2**31 else np.int64)
    ends = np.empty(places, dtype=np.int32 if n < 2**31 else np.int64)
    _grow(np.random.default_rng(seed), n, m, p, ends, after)
    return Graph.from_edges(ends.reshape(-1, 2), n_nodes=n, named=True)


def _distinct(rng: np.random.Generator, size: int, count: int) -> Integers:
    """A uniform set of `count` numbers below `size`: draw a few too many, take a uniform set of them away."""
    if size <= 4 * count:
        return rng.permutation(size)[:count]
    enough = int(-1.01 * size * math.log1p(-count / size)) + 16
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < count:
        drawn = np.sort(np.concatenate((drawn, rng.integers(0, size, enough - len(drawn)))))
        drawn = drawn[np.r_[True, drawn[1:] != drawn[:-1]]]
    return np.delete(drawn, rng.choice(len(drawn), len(drawn) - count, replace=False))


@kernel
def _grow(rng: Any, n: Any, m: Any, p: Any, ends: Any, after: Any) -> None:
    """Fill `ends`, two places per edge; `after` leads through all places of one person in a circle.

    A uniform place is a person drawn in proportion to their edges together with a uniform one of these edges.
    """
    latest = np.full(n, -1, dtype=np.int64)
    joined_to = np.full(n, -1, dtype=np.int64)
    filled = 0
    for person in range(m):
        filled = _join(ends, after, latest, filled, m, person)
    for person in range(m + 1, n):
        earlier = filled
        place = 0
        joined_to[person] = person
        for i in range(m):
            met = -1
            if i > 0 and rng.random() < p:
                place = _place_of_stranger(ends, after, joined_to, place, person)
                if joined_to[ends[place ^ 1]] != person:
                    met = ends[place ^ 1]
            while met < 0:
                place = int(rng.random() * earlier)
                if joined_to[ends[place]] != person:
                    met = ends[place]
            joined_to[met] = person
            filled = _join(ends, after, latest, filled, person, met)


@kernel
def _place_of_stranger(ends: Any, after: Any, joined_to: Any, place: Any, person: Any) -> Any:
    """The next place in the circle whose other end is not yet a friend of this person, or the place itself."""
    start = place
    while joined_to[ends[place ^ 1]] == person:
        place = after[place]
        if place == start:
            break
    return place


@kernel
def _join(ends: Any, after: Any, latest: Any, filled: Any, u: Any, v: Any) -> Any:
    """Add the edge uv and put its two places into the circles of their people."""
    for person in (u, v):
        ends[filled] = person
        if latest[person] < 0:
            after[filled] = filled
        else:
            after[filled] = after[latest[person]]
            after[latest[person]] = filled
        latest[person] = filled
        filled += 1
    return filled
