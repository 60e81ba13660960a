"""The private memory of a stream: every pair that was ever connected, since when, and how often it changed."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.graph.order import keys_between, keys_of_labels

_HALF = 32  # bits of a person's number in the code of a pair


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Every pair by rising code, which holds the numbers of its two people.

    `since` is the step of its first appearance, `changes` how often it appeared or disappeared so far, and `present`
    whether it is connected in what is counted.
    """

    codes: Integers
    since: Integers
    changes: Integers
    present: Bits

    @classmethod
    def empty(cls) -> PairTable:
        """Return the table of a stream in which nobody was ever connected."""
        none = np.empty(0, dtype=np.int64)
        return cls(none, none, none, np.empty(0, dtype=np.bool_))

    @property
    def n_present(self) -> int:
        """How many pairs are connected in what is counted."""
        return int(np.count_nonzero(self.present))

    @property
    def ends(self) -> Integers:
        """The numbers of the two people of every pair."""
        return np.column_stack((self.codes >> _HALF, self.codes & ((1 << _HALF) - 1)))

    def step(self, edges: Integers, step: int, limit: int) -> PairTable:
        """The table after a period with these edges; a pair that changed `limit` times changes no more.

        What becomes of a pair depends on its own history alone, so one friendship moves no other.
        """
        low, high = np.minimum(edges[:, 0], edges[:, 1]), np.maximum(edges[:, 0], edges[:, 1])
        now = np.unique((low.astype(np.int64) << _HALF) | high.astype(np.int64))
        connected = np.isin(self.codes, now, assume_unique=True)
        moved = (connected != self.present) & (self.changes < limit)
        new = np.setdiff1d(now, self.codes, assume_unique=True)
        codes = np.concatenate((self.codes, new))
        order = np.argsort(codes, kind="stable")
        ones = np.ones(len(new), dtype=np.int64)
        return PairTable(
            codes[order],
            np.concatenate((self.since, step * ones))[order],
            np.concatenate((self.changes + moved, ones))[order],
            np.concatenate((np.where(moved, connected, self.present), ones.astype(np.bool_)))[order],
        )

    def first_of_both(self, bound: int, names: Sequence[str]) -> Bits:
        """Which pairs are among the first `bound` of both their ends, by step and then by a hash of the two names.

        Pairs with one hash go by the order of names, so nobody's joining or leaving changes the order of other pairs.
        """
        labels = np.array(names, dtype=np.str_)
        keys, ranks = keys_of_labels(labels), np.argsort(np.argsort(labels))
        ends, ranked = self.ends, np.sort(ranks[self.ends], axis=1)
        hashes = keys_between(keys[ends[:, 0]], keys[ends[:, 1]])
        order = np.lexsort((ranked[:, 1], ranked[:, 0], hashes, self.since))
        ends = ends[order]
        place = np.empty(2 * len(order), dtype=np.int64)
        people = ends.ravel()  # both ends of the first pair, of the second, ...
        by_person = np.argsort(people, kind="stable")
        grouped = people[by_person]
        starts = np.searchsorted(grouped, grouped)
        place[by_person] = np.arange(len(grouped)) - starts
        kept = np.empty(len(order), dtype=np.bool_)
        kept[order] = (place.reshape(-1, 2) < bound).all(axis=1)
        return kept

    def to_bytes(self) -> bytes:
        """As a file of arrays."""
        stream = io.BytesIO()
        np.savez_compressed(stream, codes=self.codes, since=self.since, changes=self.changes, present=self.present)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> PairTable:
        """Return the table that `to_bytes` wrote."""
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return cls(file["codes"], file["since"], file["changes"], file["present"])
