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

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Bytes, Words
from graphveil.two_servers.pairs import count_pairs, first_pair, square_blocks, symmetric
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


@dataclass(frozen=True, slots=True, eq=False)
class Corrections:
    """What the dealer tells the leader."""

    z: Bytes
    rho_number: Words
    w: Words
    cube: int


def expand_key(key: bytes, n_people: int) -> Dealt:
    """The numbers that a server's own key stands for: all that the helper needs."""
    pairs = count_pairs(n_people)
    u, v, z, rho = (mask_bits(key, ("deal", use, n_people), pairs) for use in ("u", "v", "z", "rho"))
    number, x, w = (mask_words(key, ("deal", use, n_people), pairs) for use in ("rho-number", "x", "w"))
    return Dealt(u, v, z, rho, number, x, w, int(mask_words(key, ("deal", "cube", n_people), 1)[0]))


def deal(leader_key: bytes, helper_key: bytes, n_people: int) -> Corrections:
    """The corrections for the leader, from both servers' keys."""
    return correct(expand_key(leader_key, n_people), expand_key(helper_key, n_people), n_people)


def correct(leader: Dealt, helper: Dealt, n_people: int) -> Corrections:
    """What makes the leader's numbers fit to the helper's; of the leader's own, u, v, rho and x are used."""
    x = leader.x + helper.x
    squared = np.empty_like(x)
    for start, block in square_blocks(symmetric(x, n_people)):
        for i, squares in enumerate(block, start):
            squared[first_pair(i, n_people) : first_pair(i + 1, n_people)] = squares[i - start + 1 :]
    return Corrections(
        z=((leader.u ^ helper.u) & (leader.v ^ helper.v)) ^ helper.z,
        rho_number=(leader.rho ^ helper.rho).astype(np.uint64) - helper.rho_number,
        w=squared - helper.w,
        cube=int((x * squared).sum(dtype=np.uint64)) - helper.cube,
    )


def leader_numbers(key: bytes, n_people: int, told: Corrections) -> Dealt:
    """The leader's numbers: its own masks, and the corrections."""
    return use_corrections(expand_key(key, n_people), told)


def use_corrections(own: Dealt, told: Corrections) -> Dealt:
    """Own masks with what the dealer told."""
    return Dealt(own.u, own.v, told.z, own.rho, told.rho_number, own.x, told.w, told.cube)
