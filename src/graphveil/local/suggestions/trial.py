"""How good friend suggestions are on a graph one holds: a tenth of its friendships is hidden and looked for.

The campaign runs on what is left. Then, from the lists that are left, devices score the hidden friends and strangers.

    auc        how often a hidden friendship has a higher score than a pair of strangers (1/2 is chance)
    hit_at_10  the share of people with a hidden friend who find one among their ten suggestions

Scores of different people are compared in standard deviations of their noise. The same with the exact graph in place of
the noisy one is what a server that knows all lists would reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import PairBits, empty_matrix
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.local.suggestions.protocol import FriendSuggestions
from graphveil.local.suggestions.score import SHOWN, deviation, friends_in_common, noisy_edges

HIDDEN = 10  # one friendship in so many
PAIRS, PEOPLE = 4_000, 400  # that are tried at most

Score = Callable[[Integers, Integers], Floats]  # of candidates, for the person who has this list


@dataclass(frozen=True, slots=True)
class Trial:
    """A graph, what is left of it when a tenth is hidden, and what is tried: pairs of people, and people."""

    graph: Graph
    left: Graph
    friends: Integers  # hidden friendships, either end first
    strangers: Integers
    people: Integers  # of those with a hidden friend

    @classmethod
    def draw(cls, graph: Graph, choice: np.random.Generator) -> Trial:
        """Hide a tenth of the friendships at random."""
        edges = choice.permutation(graph.edges())
        count = len(edges) // HIDDEN
        if count == 0:
            raise ParameterError(
                f"suggestions are tried on a graph with {HIDDEN} friendships or more, not {len(edges)}"
            )
        hidden = edges[:count]
        left = Graph.from_edges(edges[count:], n_nodes=graph.n_nodes)
        pairs = one_end(hidden[:PAIRS], choice), stranger_pairs(graph, min(count, PAIRS), choice)
        return cls(graph, left, *pairs, choice.permutation(np.unique(hidden)))

    def auc(self, score: Score) -> float:
        """How often the friend of a hidden pair has a higher score than a stranger."""
        return _auc(*(_pair_scores(self.left, each, score) for each in (self.friends, self.strangers)))

    def hits(self, score: Score) -> float:
        """The share of people who find a hidden friend among their suggestions."""
        return _hits(self.graph, self.left, self.people[:PEOPLE], score)

    def chance(self) -> float:
        """The same for suggestions drawn at random."""
        return _chance(self.graph, self.left, self.people[:PEOPLE])


def private_score(noisy: PairBits, response: PairResponse) -> Score:
    """Friends in common in a published graph, in standard deviations of their noise."""

    def score(friends: Integers, candidates: Integers) -> Floats:
        shared = friends_in_common(noisy, friends, candidates, response)
        return shared / max(deviation(len(friends), response), 1e-9)

    return score


def known_score(graph: Graph) -> Score:
    """Friends in common in the graph itself."""
    exact = exact_bits(graph)
    return lambda friends, candidates: noisy_edges(exact, friends, candidates).astype(np.float64)


def suggestion_quality(protocol: FriendSuggestions, graph: Graph, seed: int | None = None) -> dict[str, float]:
    """Both measures for the campaign, for the exact graph, and `hit_at_10` of suggestions made by chance."""
    choice = np.random.default_rng(seed)
    trial = Trial.draw(graph, choice)
    noise = seeded(int(choice.integers(2**62)) if seed is None else seed)
    lists = Lists.of_graph(trial.left)
    sent = protocol.perturb(RoundContext(), lists, noise(1, lists.people))
    private = private_score(protocol.publish_batch(lists.people, sent), protocol.response)
    known = known_score(trial.left)
    return {
        "auc": trial.auc(private),
        "hit_at_10": trial.hits(private),
        "exact_auc": trial.auc(known),
        "exact_hit_at_10": trial.hits(known),
        "chance_hit_at_10": trial.chance(),
    }


def exact_bits(graph: Graph) -> PairBits:
    """A graph in the form of a publication, without noise."""
    bits = PairBits(graph.n_nodes, empty_matrix(graph.n_nodes))
    edges = np.sort(graph.edges(), axis=1)
    np.bitwise_or.at(bits.matrix, (edges[:, 0], edges[:, 1] >> 3), (1 << (edges[:, 1] & 7)).astype(np.uint8))
    return bits


def one_end(pairs: Integers, choice: np.random.Generator) -> Integers:
    """The pairs with either end first."""
    turned = choice.random(len(pairs)) < 0.5
    return np.where(turned[:, None], pairs[:, ::-1], pairs)


def stranger_pairs(graph: Graph, count: int, choice: np.random.Generator) -> Integers:
    """So many random pairs of people who are no friends, or all that are found among as many tries as pairs exist."""
    drawn = choice.integers(graph.n_nodes, size=(4 * count + 1000, 2))
    strangers = [(u, v) for u, v in drawn.tolist() if u != v and v not in graph.neighbors(u)]
    if not strangers:
        raise ParameterError("suggestions are tried on a graph in which not everybody is a friend of everybody")
    return np.array(strangers[:count])


def _pair_scores(left: Graph, pairs: Integers, score: Score) -> Floats:
    """The score of the second of each pair for the first."""
    return np.array([score(left.neighbors(u), np.array([v]))[0] for u, v in pairs.tolist()])


def _auc(friends: Floats, strangers: Floats) -> float:
    """The share of pairs of scores in which the friend's is higher, ties for a half."""
    ordered = np.sort(strangers)
    below, not_above = (np.searchsorted(ordered, friends, side=side) for side in ("left", "right"))
    return float((below + not_above).mean() / 2 / len(ordered))


def _hits(graph: Graph, left: Graph, people: Integers, score: Score) -> float:
    """The share of these people who find a hidden friend among their suggestions."""
    found = []
    for person in people.tolist():
        friends = left.neighbors(person)
        candidates = np.setdiff1d(np.arange(graph.n_nodes), np.append(friends, person))
        best = candidates[np.argsort(-score(friends, candidates), kind="stable")[:SHOWN]]
        found.append(bool(np.isin(best, graph.neighbors(person)).any()))
    return float(np.mean(found))


def _chance(graph: Graph, left: Graph, people: Integers) -> float:
    """The same for suggestions drawn at random from everybody who is not on the list."""
    candidates = graph.n_nodes - 1 - left.degrees[people]
    missing = (graph.degrees - left.degrees)[people]
    return float(np.mean(1 - (1 - missing / np.maximum(candidates, 1)) ** SHOWN))
