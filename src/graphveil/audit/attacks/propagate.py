"""Seed and propagate: from a few known people to almost everybody (node privacy).

Paper: Narayanan and Shmatikov 2009, "De-anonymizing social networks".

The adversary holds a graph of the same people (here the original, or a part of its edges) and knows a few of them in
the published one. Whoever has known friends is compared with the published people who have those as friends: a
candidate scores the number of shared known friends, c min(d, d') / (max(d, d') sqrt(d d')) for degrees d and d', so
that degrees that differ count against it. A match is taken if its score stands out (it exceeds the second by
`STANDS_OUT` standard deviations) and the comparison in the other direction names the same person.
New matches make more people comparable; earlier ones are looked at again in every round.

Whoever does not stand out is guessed all the same: from these matches the attack goes on to the map that keeps most
edges (`match`). Of several candidates that look alike one is named, so that among k of them it is right once in k.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.audit.attacks.case import ABSENT, Case
from graphveil.audit.attacks.match import match_people
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

STANDS_OUT = 0.5
ROUNDS = 20


def seed_and_propagate(case: Case, *, seeds: int = 10, seed: int = 0, known_edges: float = 1.0) -> AttackOutcome:
    """Start from `seeds` of the people with most friends; the adversary's graph has a share of the original's edges.

    Everybody is guessed. `named` of the details is the share of people who stand out, `right_of_named` how many of
    these are right.
    """
    if not 1 <= seeds < len(case.members) or not 0 < known_edges <= 1:
        raise ParameterError(
            f"{seeds} seeds and {known_edges} of the edges were given; give at least one seed, fewer than there are "
            "people, and a share of edges above 0 and up to 1"
        )
    rng = np.random.default_rng(seed)
    held = share_of_edges(case.original, known_edges, rng)
    start = choose_seeds(case, seeds, rng)
    image = np.full(held.n_nodes, ABSENT)
    image[start] = case.published_as[start]
    standing_out = propagate(held, case.published, image)
    guessed = match_people(held, case.published, [image, standing_out], rng)
    others = np.setdiff1d(case.members, start)
    right = int((guessed[others] == case.published_as[others]).sum())
    named = others[standing_out[others] != ABSENT]
    right_of_named = int((standing_out[named] == case.published_as[named]).sum())
    return AttackOutcome(
        "seed-and-propagate",
        "node",
        f"{seeds} people and a graph of {known_edges:.0%} of the original's edges",
        len(others),
        right,
        "naming anybody at random",
        1 / (case.published.n_nodes - seeds),
        {"named": len(named) / len(others), "right_of_named": right_of_named / max(1, len(named))},
    )


def propagate(held: Graph, published: Graph, image: Integers) -> Integers:
    """Extend a partial map of people to published people, ABSENT where nobody stands out; the given pairs stay."""
    inverse = np.full(published.n_nodes, ABSENT)
    fixed = image != ABSENT
    inverse[image[fixed]] = np.flatnonzero(fixed)
    image = image.copy()
    order = np.argsort(-held.degrees, kind="stable")
    for _ in range(ROUNDS):
        rows = (held.indptr, held.indices, published.indptr, published.indices)
        if _round(*rows, image, inverse, fixed, order) == 0:
            break
    return image


def choose_seeds(case: Case, seeds: int, rng: np.random.Generator) -> Integers:
    """So many of the tenth of people with most friends."""
    popular = case.members[np.argsort(-case.original.degrees[case.members], kind="stable")]
    return rng.permutation(popular[: max(seeds, len(popular) // 10)])[:seeds]


def share_of_edges(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """The graph with each edge kept with this probability."""
    if share == 1:
        return graph
    edges = graph.edges()
    return Graph.from_edges(edges[rng.random(len(edges)) < share], n_nodes=graph.n_nodes)


@kernel
def _round(
    indptr: Any, indices: Any, other_indptr: Any, other_indices: Any, image: Any, inverse: Any, fixed: Any, order: Any
) -> Any:
    """Look at everybody once; returns how many matches changed."""
    score = np.zeros(max(len(image), len(inverse)))
    met = np.empty(len(score), dtype=np.int64)
    changed = 0
    for u in order:
        if fixed[u]:
            continue
        v = _best(indptr, indices, other_indptr, other_indices, image, inverse, u, score, met)
        if v == ABSENT or v == image[u]:
            continue
        if _best(other_indptr, other_indices, indptr, indices, inverse, image, v, score, met) != u:
            continue
        if image[u] != ABSENT:
            inverse[image[u]] = ABSENT
        image[u], inverse[v] = v, u
        changed += 1
    return changed


@kernel
def _best(
    indptr: Any,
    indices: Any,
    other_indptr: Any,
    other_indices: Any,
    image: Any,
    inverse: Any,
    u: Any,
    score: Any,
    met: Any,
) -> Any:
    """Whom u is on the other side, if somebody free stands out; `score` is zero scratch."""
    n_met = 0
    for i in range(indptr[u], indptr[u + 1]):
        known = image[indices[i]]
        if known == ABSENT:
            continue
        for j in range(other_indptr[known], other_indptr[known + 1]):
            v = other_indices[j]
            if inverse[v] != ABSENT and inverse[v] != u:
                continue
            if score[v] == 0:
                met[n_met] = v
                n_met += 1
            score[v] += 1
    first = second = total = squares = 0.0
    best = ABSENT
    own = indptr[u + 1] - indptr[u]
    for i in range(n_met):
        other = other_indptr[met[i] + 1] - other_indptr[met[i]]
        value = score[met[i]] * min(own, other) / max(own, other) / np.sqrt(own * other)
        score[met[i]] = 0
        total += value
        squares += value * value
        if value > first:
            first, second, best = value, first, met[i]
        elif value > second:
            second = value
    if n_met == 0:
        return ABSENT
    spread = np.sqrt(max(0.0, squares / n_met - (total / n_met) ** 2))
    return best if first - second > STANDS_OUT * spread else ABSENT
