"""Infer what people keep to themselves from a published graph in which one can find them.

The adversary knows who is who among the published people: what a re-identification gives, or somebody's own place and
that of their friends. So these attacks measure what anonymity does not promise to hide: links, communities, attributes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Bits, Floats, Integers
from graphveil.audit.attacks.case import Case
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.communities import find_communities

PAIRS = 2_000


def infer_links(case: Case, *, seed: int = 0) -> AttackOutcome:
    """Were these two friends? Half of the pairs asked about were.

    The half that looks most like friends is named: those joined in the published graph, then those with most common
    friends in it.
    """
    rng = np.random.default_rng(seed)
    edges = case.original.edges()
    edges = edges[np.isin(edges, case.members).all(axis=1)]
    joined = edges[rng.permutation(len(edges))[: PAIRS // 2]]
    parted = _strangers(case.original, case.members, len(joined), rng)
    asked = case.published_as[np.concatenate((joined, parted))]
    score = [1e9 * case.published.has_edge(u, v) + _common_friends(case.published, u, v) for u, v in asked.tolist()]
    named = _upper_half(np.array(score), rng)
    right = int((named == (np.arange(len(asked)) < len(joined))).sum())
    return AttackOutcome("link", "link", "who is who", len(asked), right, "tossing a coin", 0.5)


def infer_communities(case: Case, *, seed: int = 0) -> AttackOutcome:
    """Do these two belong to one community of the original? Half of the pairs asked about do.

    Two people are said to belong together if they do in the communities of the published graph.
    """
    rng = np.random.default_rng(seed)
    true = find_communities(case.original, seed=seed)
    seen = find_communities(case.published, seed=seed)
    drawn = np.sort(rng.choice(case.members, (50 * PAIRS, 2)), axis=1)
    drawn = rng.permutation(np.unique(drawn[drawn[:, 0] != drawn[:, 1]], axis=0))  # a pair asked twice is one try
    together = true[drawn[:, 0]] == true[drawn[:, 1]]
    half = min(PAIRS // 2, int(together.sum()), int((~together).sum()))
    if half == 0:
        raise ParameterError("the original has a single community, or none of two people: nothing can be inferred")
    asked = np.concatenate((drawn[together][:half], drawn[~together][:half]))
    places = case.published_as[asked]
    said = seen[places[:, 0]] == seen[places[:, 1]]
    right = int((said == (np.arange(2 * half) < half)).sum())
    return AttackOutcome("community", "community", "who is who", 2 * half, right, "tossing a coin", 0.5)


def infer_attribute(case: Case, values: ArrayLike, *, seed: int = 0) -> AttackOutcome:
    """What is this person's value? The adversary knows those of half of the people, and asks the published friends.

    The most common known value among a person's published friends is named; where nobody's is known, the most common.
    """
    codes = np.unique(np.asarray(values), return_inverse=True)[1].reshape(-1)
    if len(codes) != case.original.n_nodes:
        raise ParameterError("give one value for every person of the original")
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(case.members)
    known, asked = np.split(shuffled, [len(shuffled) // 2])
    if len(known) == 0:
        raise ParameterError("too few people were published to know some values and ask for others")
    seen = np.full(case.published.n_nodes, -1)
    seen[case.published_as[known]] = codes[known]
    usual = int(np.bincount(codes[known]).argmax())
    right = sum(
        int(_of_friends(case.published, place, seen, usual) == codes[person])
        for person, place in zip(asked.tolist(), case.published_as[asked].tolist(), strict=True)
    )
    return AttackOutcome(
        "attribute",
        "node",
        "who is who, and the values of 50% of people",
        len(asked),
        right,
        "naming the most common value",
        float((codes[asked] == usual).mean()),
    )


def _of_friends(graph: Graph, node: int, seen: Integers, usual: int) -> int:
    values = seen[graph.neighbors(node)]
    values = values[values >= 0]
    return int(np.bincount(values).argmax()) if len(values) else usual


def _strangers(graph: Graph, members: Integers, count: int, rng: np.random.Generator) -> Integers:
    """Random pairs of members who are not joined."""
    drawn = rng.choice(members, (50 * count + 50, 2))
    parted = [pair for pair in drawn.tolist() if pair[0] != pair[1] and not graph.has_edge(*pair)][:count]
    if len(parted) < count or count == 0:
        raise ParameterError("the original has too few friends, or too few strangers, to ask about links")
    return np.array(parted, dtype=np.int64)


def _common_friends(graph: Graph, u: int, v: int) -> int:
    return len(np.intersect1d(graph.neighbors(u), graph.neighbors(v), assume_unique=True))


def _upper_half(score: Floats, rng: np.random.Generator) -> Bits:
    """Whether each score is among the larger half; ties are broken by chance."""
    order = np.lexsort((rng.random(len(score)), score))
    upper = np.zeros(len(score), dtype=np.bool_)
    upper[order[len(score) // 2 :]] = True
    return upper
