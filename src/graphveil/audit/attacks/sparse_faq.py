"""FAQ on sparse graphs: the method of Vogelstein et al. (2015) without matrices of n x n.

FAQ looks for the doubly stochastic matrix P that maximises <P, A P B>, twice the edges kept where P is a permutation,
by the method of Frank and Wolfe: from P it goes towards the permutation Q that is best for the gradient A P B, as far
as the objective rises. It starts where known people are certain and everybody else may be anybody (the barycentre).

Here P is kept as what it is: a mixture of the barycentre and of the permutations that were found on the way. The
gradient is computed for CANDIDATES people each, those with most votes, and Q is made greedily from them instead of by
the best assignment. Memory is CANDIDATES + STEPS entries a person; time is the number of walks of two steps, for each
step and permutation in the mixture.
"""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.audit.attacks.case import ABSENT
from graphveil.audit.attacks.greedy import CHANCE, count_votes, fill_by_degree, joined, rows_of, take_best
from graphveil.graph.core import Graph

CANDIDATES = 150
STEPS = 20
SMALL_STEP = 1e-3  # shorter ones change nothing; permutations of less weight are not followed


def match_sparsely(held: Graph, published: Graph, known: Integers, rng: np.random.Generator) -> Integers:
    """The permutation on the way that keeps most edges, as a map of people to published people."""
    own, other, people = _free_degrees(held, published, known)
    mixture, anybody = [(known, 1.0)], 1.0
    value = _start_value(held, published, known, own, other, people)
    who = np.empty((held.n_nodes, CANDIDATES), dtype=np.int64)
    votes = np.empty((held.n_nodes, CANDIDATES))
    best, most = known, 0
    for _ in range(STEPS):
        lots = rng.random(CHANCE)
        images, weights = (np.array(part) for part in zip(*mixture, strict=True))
        count_votes(*rows_of(held, published), images, weights, (own * (anybody / people), other), lots, who, votes)
        found = fill_by_degree(held, published, take_best(who, votes, known, published.n_nodes), rng)
        kept = joined(held, published, found, found) // 2
        if kept > most:
            best, most = found, kept
        towards = _along(found, who, votes, own * (anybody / people), other)
        step = _best_step(value, towards, 2.0 * kept)
        if step < SMALL_STEP or (step == 1 and kept < most):
            break
        value = (1 - step) ** 2 * value + 2 * step * (1 - step) * towards + step**2 * 2 * kept
        anybody *= 1 - step
        past = [(image, weight * (1 - step)) for image, weight in mixture[1:] if weight * (1 - step) >= SMALL_STEP]
        mixture = [mixture[0], *past, (np.where(known == ABSENT, found, ABSENT), step)]  # who is known stays certain
    return best


def _along(found: Integers, who: Integers, votes: Floats, own: Floats, other: Floats) -> float:
    """The gradient summed over the pairs that were found; of a pair that was no candidate, the barycentre's part."""
    chosen = (who == found[:, None]) & (who != ABSENT)
    rest = np.flatnonzero(~chosen.any(axis=1) & (found != ABSENT))
    return float(votes[chosen].sum() + own[rest] @ other[found[rest]])


def _best_step(here: float, towards: float, there: float) -> float:
    """Where (1 - a)^2 here + 2 a (1 - a) towards + a^2 there is largest for a from 0 to 1.

    >>> _best_step(0, 1, 0), _best_step(1, 1, 3), _best_step(3, 1, 1)
    (0.5, 1.0, 0.0)
    """
    curve, slope = here - 2 * towards + there, 2 * (towards - here)
    if curve < 0:
        return min(1.0, max(0.0, -slope / (2 * curve)))
    return 1.0 if curve + slope > 0 else 0.0


def _free_degrees(held: Graph, published: Graph, known: Integers) -> tuple[Floats, Floats, int]:
    """How many friends of each person, and of each published one, are not known; and how many people are not."""
    unknown = known == ABSENT
    open_places = np.ones(published.n_nodes, dtype=np.bool_)
    open_places[known[~unknown]] = False
    own = _count_friends(held, unknown)
    other = _count_friends(published, open_places)
    return own, other, max(1, int(unknown.sum()), int(open_places.sum()))


def _count_friends(graph: Graph, among: Bits) -> Floats:
    """Of everybody, how many friends are among these."""
    ends = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return np.bincount(ends[among[graph.indices]], minlength=graph.n_nodes).astype(np.float64)


def _start_value(held: Graph, published: Graph, known: Integers, own: Floats, other: Floats, people: int) -> float:
    """The objective where the known are certain and the rest may be anybody."""
    seeds = np.flatnonzero(known != ABSENT)
    places = known[seeds]
    rest = np.setdiff1d(np.arange(published.n_nodes), places)
    certain = joined(held, published, known, known) + 2 / people * float(own[seeds] @ other[places])
    return certain + float(np.delete(own, seeds).sum() * other[rest].sum()) / people**2
