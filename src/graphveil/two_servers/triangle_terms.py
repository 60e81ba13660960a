"""What clients and both servers agree on before a row of friends is sent: the cut, the hubs, and the noise.

Everything here is computed from noisy degrees, which are public, so it costs nothing further.

Cut. Each client keeps at most `max_degree` friends, the first in a public order of their own. A friendship counts if
both ends keep each other. Then one entry of an honest list moves the number of triangles T by at most max_degree - 1,
whatever other people send: the entry adds one pair and, if the list is full, drops one; each of these pairs lies in at
most max_degree - 1 triangles, because every triangle needs a second friend from the same list of max_degree.

Hubs. A few people with many friends would make max_degree large for everybody. The h people with the largest noisy
degrees keep their whole list, without each other, and max_degree is chosen for all others. Pairs of hubs are asked
apart: each end answers by randomised response with probabilities p = a/c and q = b/c = 1 - p. One answer r gives
(r - q) / (p - q), whose mean is the truth; r' is the mean of both ends', or what one end gave alone. The number of
triangles is estimated without bias by

    T(B)  +  sum over hub pairs of r'_ij * (common friends of i and j in B)  +  sum over three hubs of r' r' r'

where B holds the friendships that are not between hubs. The first two terms times 2 (a - b) are a whole number, which
the servers add up and cover with noise. The third is public. Like any r, r' lies between -q / (p - q) and p / (p - q).

Sensitivity of the first two terms, with h hubs: max_degree - 1 + q / (p - q) * max(s1, 2 s2), where s1 is the smaller
of h - 1 and max_degree - 1, and s2 that of h - 2 and max_degree - 1. Take an entry of somebody who is no hub; the
list keeps at most max_degree - 1 others besides, s of them hubs. A hub that enters or leaves the list closes
triangles with the others who are no hubs, at most max_degree - 1 - s, and adds r' of its pair with each of the s, at
most p / (p - q) = 1 + q / (p - q) and at least -q / (p - q): together at most max_degree - 1 + s q / (p - q), and s
is at most s1. Where a hub takes the place of a hub, each of the s counts a difference of two r', at most 1 / (p - q)
= 1 + 2 q / (p - q), and s is at most s2. Where a hub takes the place of somebody else, or the reverse, triangles move
by at most max_degree - 1 one way and max_degree - 1 - s the other, and the r' as for one hub: the first bound. An
entry (hub i, other j) drops nothing from the list of i, and counts the friends that j keeps, as where j takes i into
a list: the first bound, if the client of j cuts. An entry between hubs is in one answer only, that of its owner.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.privacy.rounding import exp_down, log_up

ANSWER_GRID = 4096  # c: probabilities of answers about hub pairs are multiples of 1/c
MOST_HUBS = 200
ANSWER_BYTES = -(-MOST_HUBS // 8)  # of a person's answers about pairs of hubs: as many for everybody
# Share of the smaller list that two hubs have in common: .05 to .7 on seven graphs, mean .33. Leave-one-graph-out over
# nine graphs picks .35 to .4 by the error that the choice of hubs leaves.
COMMON_FRIENDS = 0.35
CUT_CHANCE = 25  # one in 25: that noise makes max_degree smaller than the largest degree
RING_HALF = 2**63

# Randomised answers by (who answers, about whom), both hubs.
Answers = Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class TriangleTerms:
    """The second page of a campaign; `rate` is that of the noise of each server on the weighted count."""

    campaign: str
    n_people: int
    epsilon: Fraction
    max_degree: int
    hubs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.max_degree < 1:
            raise ParameterError(f"max_degree must be at least 1, not {self.max_degree}")
        if self.hubs and self.keep <= self.flip:
            raise ParameterError(f"epsilon {float(self.epsilon):.3g} is too small to ask about pairs of hubs")
        largest = 3 * self.weight * math.comb(self.n_people, 3) + 3 * ANSWER_GRID * len(self.hubs) ** 2 * self.n_people
        if largest + 200 / self.rate >= RING_HALF:
            raise ParameterError(f"triangles of {self.n_people:,} people may not fit into 64 bits; ask fewer people")

    @property
    def flip(self) -> int:
        """b: so many of c answers about a pair of hubs are turned around; rounded towards more privacy."""
        return math.ceil(ANSWER_GRID / (1 + exp_down(self.epsilon)))

    @property
    def keep(self) -> int:
        """a: so many of c answers about a pair of hubs are true."""
        return ANSWER_GRID - self.flip

    @property
    def weight(self) -> int:
        """What a triangle counts: 2 (a - b) with hubs, else 1."""
        return 2 * (self.keep - self.flip) if self.hubs else 1

    @property
    def sensitivity(self) -> Fraction:
        """How far one entry of a list moves the weighted count."""
        least, h = max(1, self.max_degree - 1), len(self.hubs)
        hubs_beside = max(min(h - 1, least), 2 * min(h - 2, least), 0)
        return Fraction(self.weight * least + 2 * self.flip * hubs_beside) if self.hubs else Fraction(least)

    @property
    def rate(self) -> Fraction:
        """Of the noise on the weighted count."""
        return laplace_rate(self.epsilon, self.sensitivity)

    @property
    def loss(self) -> Fraction:
        """What one entry costs: it is in the noisy count, or in one answer about a pair of hubs, never in both."""
        counted = self.rate * self.sensitivity
        return max(counted, log_up(Fraction(self.keep, self.flip))) if self.hubs else counted

    @property
    def hub_pairs(self) -> list[tuple[int, int]]:
        """Each pair of hubs once, the smaller number first."""
        return list(combinations(sorted(self.hubs), 2))

    def pair_weights(self, answers: Answers) -> dict[tuple[int, int], int]:
        """What common friends of each pair of hubs count: `weight` times r'; pairs nobody answered for are left out."""
        weights = {}
        for i, j in self.hub_pairs:
            told = [answers[pair] for pair in ((i, j), (j, i)) if pair in answers]
            if told:
                weights[i, j] = sum(ANSWER_GRID * answer - self.flip for answer in told) * 2 // len(told)
        return weights

    def kept_friends(self, person: int, friends: Integers) -> Integers:
        """Whom a person's row names: everybody but hubs for a hub, else the first friends in a public order."""
        if person in self.hubs:
            return friends[~np.isin(friends, self.hubs)]
        if len(friends) <= self.max_degree:
            return friends
        order = sorted(friends.tolist(), key=lambda friend: (_place(self.campaign, person, friend), friend))
        return np.array(sorted(order[: self.max_degree]), dtype=np.int64)


def _place(campaign: str, person: int, friend: int) -> bytes:
    return hashlib.sha256(f"{campaign}/{person}/{friend}".encode()).digest()


def parse_hubs(hubs: str | int, max_degree: int | None) -> int | None:
    """The option `hubs` as a number: None for auto, which is 0 with a public max_degree."""
    if hubs == "auto":
        return None if max_degree is None else 0
    if type(hubs) is not int:
        raise ParameterError(f"hubs must be auto or a number from 0 to {MOST_HUBS}, not {hubs!r}")
    return hubs


def choose_terms(
    campaign: str, noisy_degrees: Integers, epsilon: Fraction, degree_epsilon: Fraction, hubs: int | None
) -> TriangleTerms:
    """Terms from everybody's noisy degree; `hubs` sets their number, None lets the forecast choose.

    max_degree leaves room for the noise of the largest degree among the others.
    """
    n = len(noisy_degrees)
    cut_to = np.clip(noisy_degrees, 0, max(0, n - 1))
    order = np.argsort(-cut_to, kind="stable")
    falling = cut_to[order].astype(np.float64)
    room = math.ceil(math.log(CUT_CHANCE) / float(degree_epsilon))
    chosen = choose_hubs(falling, room, epsilon) if hubs is None else min(hubs, max(0, n - 1))
    limit = int(falling[chosen]) + room if n else 1
    return TriangleTerms(campaign, n, epsilon, max(1, min(limit, n - 1)), tuple(sorted(order[:chosen].tolist())))


def choose_hubs(falling: NDArray[np.float64], room: int, epsilon: Fraction) -> int:
    """The number of hubs with the smallest expected error, from noisy degrees in falling order."""
    probe = TriangleTerms("", 3, epsilon, 1)
    if probe.keep <= probe.flip or len(falling) < 4:
        return 0
    p = probe.keep / ANSWER_GRID
    spread = p * (1 - p) / (2 * p - 1) ** 2 / 2  # variance of r', of both ends' answers
    best, best_error, pairs = 0, 1.5 * (falling[0] + room - 1) / float(epsilon), 0.0
    for h in range(1, min(MOST_HUBS, len(falling) - 1)):
        pairs += (h - 1) * falling[h - 1] ** 2  # the new hub has the smaller degree in each of its pairs
        sensitivity = falling[h] + room - 1 + max(h - 1, 2 * h - 4) * (1 - p) / (2 * p - 1)
        answers = 0.8 * math.sqrt(spread * pairs) * COMMON_FRIENDS
        error = math.hypot(1.5 * sensitivity / float(epsilon), answers)
        if error < best_error:
            best, best_error = h, error
    return best
