"""Is a person in the published graph at all? An attack on node privacy.

The adversary knows a person's neighbourhood and says yes if the published graph has one like it. The people of the
original who were not published are the counter-check, so this attack needs a publication of a part of the people:
half, say, drawn at random by `publish_half`.
"""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.certifiers.neighborhoods import neighborhood_invariants
from graphveil.arrays import Integers
from graphveil.audit.attacks.case import Case
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

TARGETS = 2_000


def publish_half(graph: Graph, *, seed: int) -> tuple[Graph, Integers]:
    """The graph among a random half of the people, and which original node each of them is."""
    chosen = np.sort(np.random.default_rng(seed).permutation(graph.n_nodes)[: graph.n_nodes // 2])
    place = np.full(graph.n_nodes, -1)
    place[chosen] = np.arange(len(chosen))
    edges = place[graph.edges()]
    return Graph.from_edges(edges[(edges >= 0).all(axis=1)], n_nodes=len(chosen)), chosen


def infer_membership(case: Case, *, seed: int = 0) -> AttackOutcome:
    """Was this person published? Half of those asked about were.

    What the adversary knows is the person's neighbourhood among the published people, had they all been published: the
    most that a friend who also took part could tell.
    """
    absent = np.setdiff1d(np.arange(case.original.n_nodes), case.members)
    if len(absent) == 0:
        raise ParameterError("everybody of the original was published; publish a part of the people to try this attack")
    rng = np.random.default_rng(seed)
    half = min(TARGETS // 2, len(absent), len(case.members))
    inside, outside = rng.permutation(case.members)[:half], rng.permutation(absent)[:half]
    shown = set(neighborhood_invariants(case.published).tolist())
    yes = np.array(
        [_known_neighborhood(case, person) in shown for person in np.concatenate((inside, outside)).tolist()]
    )
    right = int((yes == (np.arange(2 * half) < half)).sum())
    knows = "the person's friends among those published, and which of them are friends of each other"
    return AttackOutcome("membership", "node", knows, 2 * half, right, "tossing a coin", 0.5)


def _known_neighborhood(case: Case, person: int) -> int:
    """The invariant of the person's neighbourhood in the graph of the published people and them."""
    friends = case.original.neighbors(person)
    friends = friends[np.isin(friends, case.members)]
    place = {int(friend): i for i, friend in enumerate(friends)}
    inside = [
        (place[u], place[int(v)]) for u in place for v in case.original.neighbors(u) if int(v) in place and u < int(v)
    ]
    star = [(i, len(friends)) for i in range(len(friends))]
    around = Graph.from_edges(np.array([*inside, *star], dtype=np.int64).reshape(-1, 2), n_nodes=len(friends) + 1)
    return int(neighborhood_invariants(around)[len(friends)])
