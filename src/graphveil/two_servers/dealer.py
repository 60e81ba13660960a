"""The dealer: it sees no data, and prepares random numbers that fit together before people's rows are used.

Each server sends the dealer a fresh key. The dealer computes from both keys what the servers will need, and tells the
leader the corrections that make both servers' numbers fit; the helper computes its own from its key. The randomness is
that of the servers: a dealer with bad randomness unmasks nothing.

For every pair of people i < j there are
  u, v, z    bits with z = u AND v, to multiply two shared bits,
  rho, R     a bit, and the same bit as a number modulo 2^64, to turn shared bits into shared numbers,
  X, W       a random number, and the entry of X squared, where X is the symmetric matrix of these numbers,
and for all of them the sum of X * W over pairs, which is half the trace of X cubed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphveil.arrays import Bytes, Words
from graphveil.two_servers.pairs import all_pairs, pairs_of_rows, squared, symmetric
from graphveil.two_servers.streams import mask_bits, mask_words


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """One server's numbers of one deal. A deal is for one set of rows: used twice it would show their difference."""

    u: Bytes
    v: Bytes
    z: Bytes
    rho: Bytes
    rho_number: Words
    x: Words
    w: Words
    cube: int

    def part(self, here: slice) -> Dealt:
        """The numbers of a part of the pairs."""
        u, v, z, rho = (each[here] for each in (self.u, self.v, self.z, self.rho))
        number, x, w = (each[here] for each in (self.rho_number, self.x, self.w))
        return Dealt(u, v, z, rho, number, x, w, self.cube)


@dataclass(frozen=True, slots=True, eq=False)
class Corrections:
    """What the dealer tells the leader."""

    z: Bytes
    rho_number: Words
    w: Words
    cube: int

    def part(self, here: slice) -> Corrections:
        """The corrections of a part of the pairs."""
        return Corrections(self.z[here], self.rho_number[here], self.w[here], self.cube)


class Deal(Protocol):
    """Numbers of a deal of which any part can be had."""

    def part(self, here: slice) -> Dealt:
        """The numbers of a part of the pairs."""
        ...


class ToldCorrections(Protocol):
    """Corrections of which any part can be had."""

    def part(self, here: slice) -> Corrections:
        """The corrections of a part of the pairs."""
        ...


@dataclass(frozen=True, slots=True)
class KeyDeal:
    """The numbers that a server's own key stands for: all that the helper needs."""

    key: bytes
    n_people: int

    def part(self, here: slice) -> Dealt:
        """The numbers of a part of the pairs."""
        return expand_key(self.key, self.n_people, here)


@dataclass(frozen=True, slots=True)
class LeaderDeal:
    """The leader's numbers: its own masks, with what the dealer told."""

    own: Deal
    told: ToldCorrections

    def part(self, here: slice) -> Dealt:
        """The numbers of a part of the pairs."""
        own, told = self.own.part(here), self.told.part(here)
        return Dealt(own.u, own.v, told.z, own.rho, told.rho_number, own.x, told.w, told.cube)


def expand_key(key: bytes, n_people: int, here: slice) -> Dealt:
    """The numbers that a key stands for, for a part of the pairs."""
    count, start = here.stop - here.start, here.start
    u, v, z, rho = (mask_bits(key, ("deal", use, n_people), count, start) for use in ("u", "v", "z", "rho"))
    number, x, w = (mask_words(key, ("deal", use, n_people), count, start) for use in ("rho-number", "x", "w"))
    return Dealt(u, v, z, rho, number, x, w, int(mask_words(key, ("deal", "cube", n_people), 1)[0]))


def correct_bits(leader: Dealt, helper: Dealt) -> Bytes:
    """What makes the leader's z fit; of the leader's own numbers u, v, rho and x are used, here and below."""
    return ((leader.u ^ helper.u) & (leader.v ^ helper.v)) ^ helper.z


def correct_numbers(leader: Dealt, helper: Dealt) -> Words:
    """What makes the leader's R fit."""
    return (leader.rho ^ helper.rho).astype(np.uint64) - helper.rho_number


def correct_squares(leader: Deal, helper: Deal, n_people: int) -> Iterator[tuple[Words, int]]:
    """What makes the leader's W fit, a few rows at a time, with what these add to the sum of X * W."""

    def masks(here: slice) -> Words:
        return leader.part(here).x + helper.part(here).x

    for rows, squares in squared(symmetric(n_people, masks)):
        here = pairs_of_rows(rows, n_people)
        yield squares - helper.part(here).w, int((masks(here) * squares).sum(dtype=np.uint64))


def correct(leader: Deal, helper: Deal, n_people: int) -> Corrections:
    """The corrections of all pairs at once, in memory."""
    whole = all_pairs(n_people)
    a, b = leader.part(whole), helper.part(whole)
    squares = list(correct_squares(leader, helper, n_people))
    w = np.concatenate([each for each, _ in squares])
    return Corrections(correct_bits(a, b), correct_numbers(a, b), w, sum(cube for _, cube in squares) - b.cube)


def deal(leader_key: bytes, helper_key: bytes, n_people: int) -> Corrections:
    """The corrections for the leader, from both servers' keys."""
    return correct(KeyDeal(leader_key, n_people), KeyDeal(helper_key, n_people), n_people)
