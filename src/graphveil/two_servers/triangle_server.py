"""Counting triangles of rows that neither server can read.

A person's row says for everybody whether they are a friend. It is split by exclusive or: the helper gets a key, the
leader the row under the mask of that key. Any two bit strings are a valid row, so nobody can send more than a 1.

The servers exchange four messages. Each is their own share under a mask that the other does not know:
  1  both bits of every pair, under u and v;   then they hold shares of b = (i lists j) AND (j lists i)
  2  b under rho;                              then they hold shares of B, the same bit as a number modulo 2^64
  3  B - X;                                    then both know E = B - X, which is uniform
  4  their share of the weighted count, with noise.
With symmetric matrices of zero diagonal, 6 T = tr B^3 = tr E^3 + 3 tr E^2 X + 3 tr E X^2 + tr X^3. Both know E; X, X^2
and tr X^3 are shared by the dealer; so each server computes its share of 3 T alone. The common friends of a pair of
hubs, (B^2)_ij = (E^2 + E X + X E + X^2)_ij, are shared in the same way.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Bytes, Integers, Words
from graphveil.two_servers.dealer import Deal
from graphveil.two_servers.pairs import count_pairs, first_pair, pair_place, pairs_of_rows, squared, symmetric
from graphveil.two_servers.streams import KEY_BYTES, mask_bits
from graphveil.two_servers.triangle_terms import Answers, TriangleTerms


def split_row(terms: TriangleTerms, person: int, friends: Integers, key: bytes | None = None) -> tuple[bytes, bytes]:
    """What a person sends to the leader and to the helper: the masked row, and the key of the mask."""
    bits = np.zeros(terms.n_people, dtype=np.uint8)
    bits[terms.kept_friends(person, friends)] = 1
    fresh = secrets.token_bytes(KEY_BYTES) if key is None else key
    return np.packbits(bits ^ _row_mask(terms, person, fresh)).tobytes(), fresh


def _row_mask(terms: TriangleTerms, person: int, key: bytes) -> Bytes:
    return mask_bits(key, ("row", terms.campaign, terms.n_people, person), terms.n_people)


def row_bits(terms: TriangleTerms, shares: Mapping[int, bytes], *, is_leader: bool) -> Bytes:
    """A server's shares of rows as the bits of every pair, either direction in a row; who sent none has none."""
    n = terms.n_people
    bits = np.zeros((2, count_pairs(n)), dtype=np.uint8)
    before = np.array([pair_place(i, 0, n) for i in range(n)])  # of the pair of i and j, but for j
    for person, share in shares.items():
        if is_leader:
            row = np.unpackbits(np.frombuffer(share, dtype=np.uint8), count=n)
        else:
            row = _row_mask(terms, person, share)
        bits[0, first_pair(person, n) : first_pair(person + 1, n)] = row[person + 1 :]
        bits[1, before[:person] + person] = row[:person]
    return bits


@dataclass(frozen=True, slots=True, eq=False)
class CountingServer:
    """One of the two servers while it counts, one part of the pairs at a time.

    Every message is a function of what it holds and what it was told. So a server that is started again sends the same
    bytes. A deal is used for one set of rows only: the same masks over other rows would show the difference of the two.
    """

    terms: TriangleTerms
    is_leader: bool
    bits: Bytes
    deal: Deal

    def open_bits(self, here: slice) -> Bytes:
        """Message 1: both bits of every pair, masked."""
        dealt = self.deal.part(here)
        return self.bits[:, here] ^ np.stack((dealt.u, dealt.v))

    def open_both(self, here: slice, their_bits: Bytes) -> Bytes:
        """Message 2: whether both ends list each other, masked; pairs of hubs never do."""
        dealt = self.deal.part(here)
        d, e = self.open_bits(here) ^ their_bits
        both = dealt.z ^ (d & dealt.v) ^ (e & dealt.u)
        if self.is_leader:
            both ^= d & e
        for i, j in self.terms.hub_pairs:
            place = pair_place(i, j, self.terms.n_people) - here.start
            if 0 <= place < len(both):
                both[place] = 0
        return np.asarray(both ^ dealt.rho)

    def open_numbers(self, here: slice, my_both: Bytes, their_both: Bytes) -> Words:
        """Message 3: the same bits as numbers modulo 2^64, less the mask X."""
        dealt, c = self.deal.part(here), (my_both ^ their_both).astype(np.uint64)
        number = (np.uint64(1) - np.uint64(2) * c) * dealt.rho_number
        if self.is_leader:
            number += c
        return number - dealt.x

    def count(self, numbers: Callable[[slice], Words], answers: Answers) -> int:
        """A share of three times the weighted count: never sent without noise.

        `numbers` gives any part of the opened numbers, which are the sum of both servers' message 3.
        """
        n, weights = self.terms.n_people, self.terms.pair_weights(answers)
        matrix = symmetric(n, numbers)
        hubs = np.array(sorted(self.terms.hubs), dtype=np.int64)
        masks = np.zeros((len(hubs), n), dtype=np.uint64)  # the rows of X that belong to hubs
        total, of_hubs = self.deal.part(slice(0, 0)).cube, 0
        for rows, squares in squared(matrix):
            here = pairs_of_rows(rows, n)
            dealt, opened = self.deal.part(here), numbers(here)
            total += 3 * _sum(squares * dealt.x + opened * dealt.w)
            if self.is_leader:
                total += _sum(opened * squares)
            _note_rows(masks, hubs, rows, dealt.x)
            for (i, j), weight in weights.items():
                if i in rows:
                    of_hubs += weight * int(dealt.w[pair_place(i, j, n) - here.start])
        mask_of = dict(zip(hubs.tolist(), masks, strict=True))
        for (i, j), weight in weights.items():
            common = _sum(matrix[i] * mask_of[j] + mask_of[i] * matrix[j])
            if self.is_leader:
                common += _sum(matrix[i] * matrix[j])
            of_hubs += weight * common
        return (self.terms.weight * total + 3 * of_hubs) % 2**64


def _note_rows(masks: Words, hubs: Integers, rows: range, x: Words) -> None:
    """Write what a few rows of X say about hubs into the hubs' own rows."""
    n, start = masks.shape[1], 0
    for i in rows if len(hubs) else ():
        own = x[start : start + n - i - 1]
        later = hubs > i
        masks[later, i] = own[hubs[later] - i - 1]
        masks[hubs == i, i + 1 :] = own
        start += len(own)


def _sum(words: Words) -> int:
    return int(words.sum(dtype=np.uint64))


def open_count(leader: int, helper: int) -> int:
    """The noisy weighted count from what both servers told."""
    total = (leader + helper) % 2**64
    return (total - 2**64 if total >= 2**63 else total) // 3
