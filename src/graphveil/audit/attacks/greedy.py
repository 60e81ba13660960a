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


@kernel
def insert_candidate(who: Any, votes: Any, size: Any, v: Any, value: Any) -> Any:
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
