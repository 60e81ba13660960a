"""Match two graphs of the same people, starting from a few who are known in both (seeded graph matching).

The aim is the map of people to published people that keeps most edges. Three methods look for it, and the best map is
taken, as an attacker can do who sees how many edges each one keeps.

    refinement    everybody votes for their friends: u is worth as much to v as u has friends whose images are friends
                  of v (percolation graph matching, Yartseva and Grossglauser 2013). All pairs are taken in falling
                  order of votes, and what was found votes again. Ties go to the nearer number of friends, then to
                  chance, so one of several equal candidates is guessed. Memory is CANDIDATES entries a person.
    sparse FAQ    `sparse_faq`, then refinement; up to MOST_WALKS walks of two steps in both graphs.
    FAQ           Vogelstein et al. 2015, from scipy, then refinement. It needs matrices of n x n and time n^3, so it is
                  run up to MOST_DENSE people, unless the others keep all edges.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.audit.attacks.case import ABSENT
from graphveil.audit.attacks.greedy import CHANCE, count_votes, fill_by_degree, joined, rows_of, take_best
from graphveil.audit.attacks.sparse_faq import match_sparsely
from graphveil.graph.core import Graph

CANDIDATES = 30  # of each person, the best by votes
ROUNDS = 30
PATIENCE = 4  # rounds without a better map
MOST_DENSE = 2_000
SOLVED = 0.999  # of the edges that could be kept; what is left are ties
MOST_WALKS = 2 * 10**8  # about a minute a step


def match_people(held: Graph, published: Graph, starts: list[Integers], rng: np.random.Generator) -> Integers:
    """For every person of `held` a published one, by the map that keeps most edges; ABSENT where nobody is left.

    The first of the starts holds what is known, ABSENT elsewhere, and is never changed; others are maps to begin with,
    the most promising first. The search ends when practically all edges are kept.
    """
    known = starts[0]
    most = min(held.n_edges, published.n_edges)
    best, kept = known, 0
    for image in _attempts(held, published, starts, rng):
        if (now := count_kept(held, published, image)) > kept:
            best, kept = image, now
        if kept >= SOLVED * most:
            break
    return fill_by_degree(held, published, best, rng)


def _attempts(held: Graph, published: Graph, starts: list[Integers], rng: np.random.Generator) -> Iterator[Integers]:
    """Maps to choose from, those that take longest last."""
    known = starts[0]
    for start in (*starts[1:], known, fill_by_degree(held, published, known, rng)):
        yield refine_match(held, published, known, start, rng)
    if count_walks(held) + count_walks(published) <= MOST_WALKS:
        yield refine_match(held, published, known, match_sparsely(held, published, known, rng), rng)
    if max(held.n_nodes, published.n_nodes) <= MOST_DENSE:
        dense = _match_densely(held, published, known)
        yield dense
        yield refine_match(held, published, known, dense, rng)


def count_walks(graph: Graph) -> int:
    """The number of walks of two steps, which is the sum of squared degrees."""
    return int((graph.degrees.astype(np.int64) ** 2).sum())


def count_kept(held: Graph, published: Graph, image: Integers) -> int:
    """How many edges the map keeps.

    >>> path = Graph.from_edges([(0, 1), (1, 2)])
    >>> count_kept(path, path, np.array([2, 1, 0])), count_kept(path, path, np.array([1, 0, ABSENT]))
    (2, 1)
    """
    return joined(held, published, image, image) // 2


def refine_match(held: Graph, published: Graph, known: Integers, start: Integers, rng: np.random.Generator) -> Integers:
    """The best map that votes lead to from the start."""
    best, most, stale, image = start, count_kept(held, published, start), 0, start
    who = np.empty((held.n_nodes, CANDIDATES), dtype=np.int64)
    votes = np.empty((held.n_nodes, CANDIDATES))
    both, degrees_alone = rows_of(held, published), (np.empty(0), np.empty(0))
    for _ in range(ROUNDS):
        count_votes(*both, image[np.newaxis], np.ones(1), degrees_alone, rng.random(CHANCE), who, votes)
        image = take_best(who, votes, known, published.n_nodes)
        kept = count_kept(held, published, image)
        stale = 0 if kept > most else stale + 1
        if kept > most:
            best, most = image, kept
        if stale == PATIENCE:
            break
    return best


def _match_densely(held: Graph, published: Graph, known: Integers) -> Integers:
    """FAQ with the known people as seeds; the smaller graph gets people without friends."""
    from scipy.optimize import quadratic_assignment

    size = max(held.n_nodes, published.n_nodes)
    seeds = np.flatnonzero(known != ABSENT)
    pairs = np.column_stack((seeds, known[seeds]))
    unused = np.random.default_rng(0)  # the start is not drawn
    found = quadratic_assignment(
        _matrix(held, size), _matrix(published, size), options={"maximize": True, "partial_match": pairs, "rng": unused}
    )
    image = np.asarray(found.col_ind[: held.n_nodes], dtype=np.int64)
    return np.where(image < published.n_nodes, image, ABSENT)


def _matrix(graph: Graph, size: int) -> Floats:
    matrix = np.zeros((size, size))
    rows, columns = graph.edges().T
    matrix[rows, columns] = matrix[columns, rows] = 1
    return matrix
