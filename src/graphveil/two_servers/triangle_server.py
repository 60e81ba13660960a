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
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Bytes, Integers, Words
from graphveil.two_servers.dealer import Dealt
from graphveil.two_servers.pairs import first_pair, pair_place, row, square_blocks, symmetric, upper
from graphveil.two_servers.streams import KEY_BYTES, mask_bits
from graphveil.two_servers.triangle_terms import ANSWER_GRID, TriangleTerms

# Randomised answers about pairs of hubs; pairs nobody answered for are left out.
Answers = Mapping[tuple[int, int], int]


def split_row(terms: TriangleTerms, person: int, friends: Integers, key: bytes | None = None) -> tuple[bytes, bytes]:
    """What a person sends to the leader and to the helper: the masked row, and the key of the mask."""
    bits = np.zeros(terms.n_people, dtype=np.uint8)
    bits[terms.kept_friends(person, friends)] = 1
    fresh = secrets.token_bytes(KEY_BYTES) if key is None else key
    return np.packbits(bits ^ _row_mask(terms, person, fresh)).tobytes(), fresh


def _row_mask(terms: TriangleTerms, person: int, key: bytes) -> Bytes:
    return mask_bits(key, ("row", terms.campaign, terms.n_people, person), terms.n_people)


def row_bits(terms: TriangleTerms, shares: Mapping[int, bytes], *, is_leader: bool) -> Bytes:
    """A server's shares of rows as the bits of every pair in either direction; who sent none has none."""
    n = terms.n_people
    rows = np.zeros((n, n), dtype=np.uint8)
    for person, share in shares.items():
        if is_leader:
            rows[person] = np.unpackbits(np.frombuffer(share, dtype=np.uint8), count=n)
        else:
            rows[person] = _row_mask(terms, person, share)
    return np.concatenate((upper(rows), upper(rows.T)))


@dataclass(frozen=True, slots=True, eq=False)
class CountingServer:
    """One of the two servers while it counts. Every message is a function of what it holds and what it was told.

    So a server that is started again sends the same bytes. A deal is used for one set of rows only: the same masks
    over other rows would show the difference of the two.
    """

    terms: TriangleTerms
    is_leader: bool
    bits: Bytes
    dealt: Dealt

    def open_bits(self) -> Bytes:
        """Message 1: both bits of every pair, masked."""
        return self.bits ^ np.concatenate((self.dealt.u, self.dealt.v))

    def open_both(self, their_bits: Bytes) -> Bytes:
        """Message 2: whether both ends list each other, masked; pairs of hubs never do."""
        d, e = np.split(self.open_bits() ^ their_bits, 2)
        both = self.dealt.z ^ (d & self.dealt.v) ^ (e & self.dealt.u)
        if self.is_leader:
            both ^= d & e
        for i, j in self.terms.hub_pairs:
            both[pair_place(i, j, self.terms.n_people)] = 0
        return np.asarray(both ^ self.dealt.rho)

    def open_numbers(self, my_both: Bytes, their_both: Bytes) -> Words:
        """Message 3: the same bits as numbers modulo 2^64, less the mask X."""
        c = (my_both ^ their_both).astype(np.uint64)
        number = (np.uint64(1) - np.uint64(2) * c) * self.dealt.rho_number
        if self.is_leader:
            number += c
        return number - self.dealt.x

    def count(self, my_numbers: Words, their_numbers: Words, answers: Answers) -> int:
        """A share of three times the weighted count: never sent without noise."""
        n, opened = self.terms.n_people, my_numbers + their_numbers
        whole = symmetric(opened, n)
        total = self.dealt.cube
        for start, block in square_blocks(whole):
            for i, squares in enumerate(block, start):
                here = slice(first_pair(i, n), first_pair(i + 1, n))
                squared, e = squares[i - start + 1 :], opened[here]
                total += 3 * _sum(squared * self.dealt.x[here] + e * self.dealt.w[here])
                if self.is_leader:
                    total += _sum(e * squared)
        weighted = self.terms.weight * total
        masks = {i: row(self.dealt.x, i, n) for i in self.terms.hubs}
        for (i, j), answer in answers.items():
            common = _sum(whole[i] * masks[j] + masks[i] * whole[j]) + int(self.dealt.w[pair_place(i, j, n)])
            if self.is_leader:
                common += _sum(whole[i] * whole[j])
            weighted += 3 * (ANSWER_GRID * answer - self.terms.flip) * common
        return weighted % 2**64


def _sum(words: Words) -> int:
    return int(words.sum(dtype=np.uint64))


def open_count(leader: int, helper: int) -> int:
    """The noisy weighted count from what both servers told."""
    total = (leader + helper) % 2**64
    return (total - 2**64 if total >= 2**63 else total) // 3
