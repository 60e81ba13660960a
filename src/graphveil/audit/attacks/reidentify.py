"""Find a person in the published graph by what is known of their place in the original (node privacy).

The adversary knows a person's number of friends, or the graph among their friends, and guesses one of the published
people who fit best. Published people who fit equally well cannot be told apart, so the guess among them is uniform.
"""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.certifiers.neighborhoods import neighborhood_invariants
from graphveil.arrays import Integers
from graphveil.audit.attacks.case import Case
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.graph.statistics.triangles import exact_triangles_per_node

TARGETS = 2_000


def reidentify_by_degree(case: Case, *, seed: int = 0) -> AttackOutcome:
    """Guess one of the people whose number of friends is nearest to the one known."""
    degrees = case.original.degrees, case.published.degrees
    return _reidentify(case, "degree", "how many friends the person has", [degrees], seed)


def reidentify_by_neighborhood(case: Case, *, seed: int = 0) -> AttackOutcome:
    """Guess one of the people with the same graph among their friends; failing that, of nearly as many edges in it."""
    known, shown = neighborhood_invariants(case.original), neighborhood_invariants(case.published)
    everything = np.unique(np.concatenate((known, shown)), return_inverse=True)[1]
    features = [
        (everything[: len(known)], everything[len(known) :]),
        (
            exact_triangles_per_node(case.original) + case.original.degrees,
            exact_triangles_per_node(case.published) + case.published.degrees,
        ),
    ]
    knows = "the person's friends and which of them are friends of each other"
    return _reidentify(case, "neighbourhood", knows, features, seed)


def _reidentify(
    case: Case, attack: str, knows: str, features: list[tuple[Integers, Integers]], seed: int
) -> AttackOutcome:
    """Take the first feature in which somebody agrees; in the last one, those who come nearest."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(case.members)[:TARGETS]
    right = 0
    for person in chosen:
        for known, shown in features:
            candidates = np.flatnonzero(shown == known[person])
            if len(candidates):
                break
        else:
            distance = np.abs(shown - known[person])
            candidates = np.flatnonzero(distance == distance.min())
        right += int(rng.choice(candidates) == case.published_as[person])
    return AttackOutcome(
        attack, "node", knows, len(chosen), right, "naming anybody at random", 1 / case.published.n_nodes
    )
