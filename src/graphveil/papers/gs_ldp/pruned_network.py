"""Algorithm 2 of GS-LDP (Prune) for a whole network, and the noisy graph that its reports are joined to.

`pruned_lists` holds the step itself, with its claim, for a few rows of bits; here are lists of ids, for as many people
as there are. Draws follow from a key for each person: this is for simulations, and never leaves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Bits, Integers, SmallIntegers
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.person_streams import CrowdNoise, word_at
from graphveil.mechanisms.noise.source import Noise

CONSTRUCTIONS = ("either", "both", "owner")


@dataclass(frozen=True, slots=True, eq=False)
class PrunedReports:
    """Row r: whom a person lists (an id each), and a noisy bit about each of them."""

    n_people: int
    people: Integers
    listed: SmallIntegers
    bits: Bits

    def marks(self) -> NDArray[np.int8]:
        """For everybody in every report: not listed 0, bit zero 1, bit one 2. As large as all rows; for audits."""
        table = np.zeros((len(self.people), self.n_people), dtype=np.int8)
        np.put_along_axis(table, self.listed.astype(np.int64), (1 + self.bits).astype(np.int8), axis=1)
        return table


@dataclass(frozen=True, slots=True, eq=False)
class JoinedGraph:
    """The noisy graph, as rows of rising ids."""

    indptr: Integers
    indices: SmallIntegers

    @property
    def n_edges(self) -> int:
        """How many pairs are joined."""
        return len(self.indices) // 2


def prune(lists: Lists, threshold: int, below_one: np.uint64, noise: Noise) -> PrunedReports:
    """Whom each person lists: all friends and random strangers, or a random selection of friends; then noisy bits.

    `below_one` is the 64-bit threshold of keeping a bit.
    """
    if not 1 <= threshold < lists.n_people:
        raise ParameterError(f"a threshold lies in 1..{lists.n_people - 1}, not at {threshold}")
    crowd = noise if isinstance(noise, CrowdNoise) else CrowdNoise(noise.bits(128), np.arange(len(lists)))
    listed, bits = _prune(
        lists.people, lists.indptr, lists.indices, lists.n_people, threshold, crowd.people, crowd.key("prune")
    )
    rows = np.repeat(crowd.people, threshold)
    kept = crowd.words_at(rows, np.tile(np.arange(threshold), len(lists))) < below_one
    return PrunedReports(lists.n_people, lists.people, listed, bits ^ ~kept.reshape(bits.shape))


def join(reports: PrunedReports, construction: str) -> JoinedGraph:
    """A noisy graph: pairs with a one from either end, from both, or from the end that owns the pair."""
    sender = np.repeat(reports.people, reports.listed.shape[1])[reports.bits.ravel()]
    about = reports.listed.ravel()[reports.bits.ravel()].astype(np.int64)
    if construction == "owner":  # numbers that add up to an even one belong to the lower end
        mine = ((sender + about) % 2 == 0) == (sender < about)
        sender, about = sender[mine], about[mine]
    pairs = np.minimum(sender, about) * reports.n_people + np.maximum(sender, about)
    found, times = np.unique(pairs, return_counts=True)
    if construction == "both":
        found = found[times == 2]
    low, high = np.divmod(found, reports.n_people)
    order = np.lexsort((np.concatenate((high, low)), np.concatenate((low, high))))
    degrees = np.bincount(np.concatenate((low, high)), minlength=reports.n_people)
    indices = np.concatenate((high, low))[order].astype(np.int32)
    return JoinedGraph(np.concatenate(([0], np.cumsum(degrees))), indices)


def pruned_friends(lists: Lists, reports: PrunedReports) -> Lists:
    """Which of a person's friends are among those listed."""
    starts, kept = _friends_listed(lists.indptr, lists.indices, reports.listed, lists.n_people)
    return Lists(lists.n_people, lists.people, starts, kept, lists.choices)


def count_joined(lists: Lists, graph: JoinedGraph) -> Integers:
    """Pairs of each list that are joined in the noisy graph."""
    counts: Integers = _count_joined(lists.indptr, lists.indices, graph.indptr, graph.indices)
    return counts


@kernel
def _prune(people: Any, indptr: Any, indices: Any, n_people: Any, threshold: Any, lanes: Any, key: Any) -> Any:
    listed = np.empty((len(people), threshold), dtype=np.int32)
    bits = np.zeros((len(people), threshold), dtype=np.bool_)
    taken = np.zeros(n_people, dtype=np.bool_)
    for row in range(len(people)):
        friends = indices[indptr[row] : indptr[row + 1]].copy()
        lane, slot = np.uint64(lanes[row]), 0
        chosen = min(threshold, len(friends))
        for place in range(chosen):  # a random selection: the first places of a shuffle
            left = np.uint64(len(friends) - place)
            other = place + np.int64(word_at(key, lane, np.uint64(slot)) % left)
            slot += 1
            friends[place], friends[other] = friends[other], friends[place]
            listed[row, place] = friends[place]
            bits[row, place] = True
        taken[people[row]] = True
        for friend in friends:
            taken[friend] = True
        place = chosen
        while place < threshold:
            stranger = np.int64(word_at(key, lane, np.uint64(slot)) % np.uint64(n_people))
            slot += 1
            if not taken[stranger]:
                taken[stranger] = True
                listed[row, place] = stranger
                place += 1
        for place in range(threshold):
            taken[listed[row, place]] = False
        for friend in friends:
            taken[friend] = False
        taken[people[row]] = False
    return listed, bits


@kernel
def _friends_listed(indptr: Any, indices: Any, listed: Any, n_people: Any) -> Any:
    starts = np.zeros(len(indptr), dtype=np.int64)
    kept = np.empty(len(indices), dtype=indices.dtype)
    marked = np.zeros(n_people, dtype=np.bool_)
    place = 0
    for row in range(len(listed)):
        for person in listed[row]:
            marked[person] = True
        for entry in range(indptr[row], indptr[row + 1]):
            if marked[indices[entry]]:
                kept[place] = indices[entry]
                place += 1
        for person in listed[row]:
            marked[person] = False
        starts[row + 1] = place
    return starts, kept[:place].copy()


@kernel
def _count_joined(indptr: Any, indices: Any, graph_indptr: Any, graph_indices: Any) -> Any:
    counts = np.zeros(len(indptr) - 1, dtype=np.int64)
    marked = np.zeros(len(graph_indptr) - 1, dtype=np.int64)
    for row in range(len(counts)):
        for entry in range(indptr[row], indptr[row + 1]):
            marked[indices[entry]] = 1
        twice = 0
        for entry in range(indptr[row], indptr[row + 1]):
            person = indices[entry]
            for other in range(graph_indptr[person], graph_indptr[person + 1]):
                twice += marked[graph_indices[other]]
        counts[row] = twice // 2
        for entry in range(indptr[row], indptr[row + 1]):
            marked[indices[entry]] = 0
    return counts
