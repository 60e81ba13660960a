"""Read friends off the lists that pruned randomised response sends (link privacy).

In GS-LDP as published (Fu et al. 2024) a person names the people their noisy bits are about. The collector ignores the
bits: whoever is named is said to be a friend, whoever is not is said to be a stranger. Reports with the privacy that
was claimed could be read right at most with probability e^epsilon / (1 + e^epsilon), half of the pairs being friends.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.audit.attacks.case import Case
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.gs_ldp.pruned_lists import PrunedLists, Travel
from graphveil.privacy.unit import Kind

PEOPLE = 500
CLAIMED = Fraction(1)  # what the lists claim in the attack that ignores it


def attack_friend_lists(case: Case, seed: int, _: Any = None) -> AttackOutcome:
    """Attack the reports of the original's people; the published graph is not used."""
    threshold = max(1, int(np.median(case.original.degrees)))
    lists = PrunedLists(epsilon=CLAIMED, threshold=threshold, unit=Kind.EDGE, travel=Travel.IDS_AND_BITS)
    return reconstruct_friends(case.original, lists, seed=seed)


def reconstruct_friends(graph: Graph, scheme: PrunedLists, *, seed: int = 0, people: int = PEOPLE) -> AttackOutcome:
    """Were these two friends, going by whom one of them names? One friend and one stranger of each person are asked."""
    rng = np.random.default_rng(seed)
    asked = rng.permutation(np.flatnonzero((graph.degrees > 0) & (graph.degrees < graph.n_nodes - 1)))[:people]
    if len(asked) == 0:
        raise ParameterError("the graph has nobody with both a friend and a stranger to ask about")
    friends = np.zeros((len(asked), graph.n_nodes), dtype=np.bool_)
    for row, person in enumerate(asked.tolist()):
        friends[row, graph.neighbors(person)] = True
    others = np.array([np.delete(row, person) for row, person in zip(friends, asked, strict=True)])
    named = scheme.perturb(others, SeededNoise(seed)) > 0
    lots = rng.random(others.shape)
    rows = np.arange(len(asked))
    friend, stranger = (np.where(wanted, lots, -1).argmax(axis=1) for wanted in (others, ~others))
    right = int(named[rows, friend].sum() + (~named[rows, stranger]).sum())
    odds = math.exp(min(700.0, float(scheme.bit_epsilon)))
    return AttackOutcome(
        "friend-lists",
        "link",
        "the reports as they travel",
        2 * len(asked),
        right,
        "the best reading of reports as private as was claimed",
        odds / (1 + odds),
    )
