"""Steps that the ways of matching two graphs share: candidates in falling order of votes, and pairs made greedily."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.audit.attacks.case import ABSENT
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

CHANCE = 10_007  # lots that break ties; a prime, so that each pair of people meets another one


def joined(held: Graph, published: Graph, first: Integers, second: Integers) -> int:
    """How many ordered edges (u, v) of `held` have a published edge from the first image of u to the second of v."""
    edges = held.edges()
    edges = np.concatenate((edges, edges[:, ::-1]))
    mapped = np.column_stack((first[edges[:, 0]], second[edges[:, 1]]))
    mapped = np.sort(mapped[(mapped != ABSENT).all(axis=1)], axis=1)
    there = np.sort(published.edges(), axis=1) @ np.array([published.n_nodes, 1])
    return int(np.isin(mapped @ np.array([published.n_nodes, 1]), there).sum())


def take_best(who: Integers, votes: Floats, known: Integers, n_published: int) -> Integers:
    """Pair people in falling order of votes, each at most once; who is known stays."""
    image = known.copy()
    inverse = np.full(n_published, ABSENT)
    inverse[known[known != ABSENT]] = np.flatnonzero(known != ABSENT)
    order = np.argsort(-votes, axis=None, kind="stable")
    _pair(order, who.reshape(-1), who.shape[1], image, inverse)
    return image


def fill_by_degree(held: Graph, published: Graph, image: Integers, rng: np.random.Generator) -> Integers:
    """Give who has no image one that is free, by the order of their numbers of friends; equal ones are drawn."""
    image = image.copy()
    left = rng.permutation(np.flatnonzero(image == ABSENT))
    free = rng.permutation(np.setdiff1d(np.arange(published.n_nodes), image))
    left = left[np.argsort(-held.degrees[left], kind="stable")]
    free = free[np.argsort(-published.degrees[free], kind="stable")]
    both = min(len(left), len(free))
    image[left[:both]] = free[:both]
    return image


def rows_of(held: Graph, published: Graph) -> tuple[Any, Any]:
    """The adjacency rows of both graphs, as kernels take them."""
    return (held.indptr, held.indices), (published.indptr, published.indices)


@kernel
def count_votes(
    held: Any, published: Any, images: Any, weights: Any, before: Any, lots: Any, who: Any, votes: Any
) -> None:
    """Fill in the candidates of everybody and their votes, the best first.

    A published person has a vote for each friend whose image under some map is a friend of theirs, of the weight of
    that map. The product of two numbers of `before` comes on top; without them, nearer degrees count up to half a vote.
    """
    (indptr, indices), (other_indptr, other_indices) = held, published
    count = np.zeros(len(other_indptr) - 1)
    met = np.empty(len(count), dtype=np.int64)
    fine = 1_000 if len(before[0]) == 0 else 1_000_000
    for u in range(len(indptr) - 1):
        n_met = 0
        for i in range(indptr[u], indptr[u + 1]):
            for s in range(len(weights)):
                place = images[s, indices[i]]
                if place == ABSENT:
                    continue
                for j in range(other_indptr[place], other_indptr[place + 1]):
                    v = other_indices[j]
                    if count[v] == 0:
                        met[n_met] = v
                        n_met += 1
                    count[v] += weights[s]
        own = indptr[u + 1] - indptr[u]
        size = 0
        for i in range(n_met):
            v = met[i]
            if len(before[0]):
                value = count[v] + before[0][u] * before[1][v]
            else:
                other = other_indptr[v + 1] - other_indptr[v]
                value = count[v] - abs(own - other) / (2 * max(own, other))
            count[v] = 0
            size = _insert(who[u], votes[u], size, v, value + lots[(u * 7919 + v) % len(lots)] / fine)
        for place in range(size, who.shape[1]):
            who[u, place], votes[u, place] = ABSENT, -1.0


@kernel
def _insert(who: Any, votes: Any, size: Any, v: Any, value: Any) -> Any:
    """Put a candidate at its place if it is among the best; returns how many there are."""
    if size == len(who):
        if value <= votes[size - 1]:
            return size
        size -= 1
    place = size
    while place > 0 and votes[place - 1] < value:
        votes[place], who[place] = votes[place - 1], who[place - 1]
        place -= 1
    votes[place], who[place] = value, v
    return size + 1


@kernel
def _pair(order: Any, candidates: Any, width: Any, image: Any, inverse: Any) -> None:
    for place in order:
        u, v = place // width, candidates[place]
        if v != ABSENT and image[u] == ABSENT and inverse[v] == ABSENT:
            image[u] = v
            inverse[v] = u
