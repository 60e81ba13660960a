"""Number of triangles with thinned reports (ARR-Full, ARR-OneNS, ARR-TwoNS), its clipping made sound.

Paper      Imola, Murakami and Chaudhuri 2022 (USENIX Security); TwoNS under node privacy is how Fu et al. 2024 compare
           with it, in our reading
Unit       edge or (TwoNS) node; one entry of one person's friend list, or all of it
Trust      local
Guarantee  pure epsilon; for a friendship 1.1 epsilon under edge privacy, 2 epsilon under node privacy
Estimator  unbiased while no list passes its cap or bound
Cost       two numbers and half a bit for each person up; down, two numbers for each reported pair a person may need
Differs    noisy edges are capped greedily, since clipping each friend's count is not stable; lists are not cut

Whoever has the higher number answers for a pair and counts it. Reports of friends and strangers are thinned alike, so
that a friend is reported with probability mu. Of the noisy graph a person looks at everything (Full), at pairs whose
higher end the person has reported as a friend (OneNS), or at pairs of which both have been (TwoNS); mu is the given
share, its square root or its cube root, so that all keep about as many triangles.

Sensitivity. Full and TwoNS: `triangles.counts`, for TwoNS with the reported friends as the counted list. OneNS: the
pairs looked at are counted greedily too, with cap bound - 1 in a graph where all know each other; one more entry raises
the capped edges by 0..cap and those pairs by 0..bound-1, so the larger of cap and c (bound - 1) is enough. What was
reported is public. Clipping each friend's count by itself, as published, fails: one popular entry may move all of them
at once.

Node: as `local2rounds` under node privacy. All n - 1 answers may differ, so each gets an (n - 1)-th of its share, and
dropping reports alike is post-processing. A count is that of some list, whatever part of the own list was reported, so
noise for the whole range of counts is enough. Bounds are one more than the largest noisy degree.

What a person fetches: the reported pairs that the person looks at. How many that are depends on who is friends: a
triple of people with e friendships has all three pairs reported with probability p^e q^(3 - e). `cost` knows no friends
and states what strangers alone make, which is too little where epsilon is large; `cost_among` takes a network. Two
numbers for each pair are never sent where a bit for every pair that could be looked at is shorter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import Looks, count_in_bits
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import Cost, LocalProtocol, RoundContext
from graphveil.local.triangles.counts import Counted, Schedule
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import Publication
from graphveil.local.triangles.total import Total
from graphveil.papers.peers.local2rounds import (
    DEGREES_FIRST,
    DegreeLimits,
    degree_answers,
    published_budget,
    published_design,
    whole_list_strength,
)
from graphveil.privacy.guarantee import PublishedClaim, Verdict

MARGIN = 150  # added to a noisy degree, as published
LOST = 1e-6  # how often a cap may bind
ERR_TOGETHER = "one answer decides what is looked at and is counted by others, so that counts err together"


@dataclass(frozen=True, slots=True)
class ThinnedLimits(DegreeLimits):
    """Caps that friends who all know each other pass once in a million times, where pairs have `sides` to be seen."""

    sides: int

    def caps(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """The cap on noisy edges at one person, from a Chernoff bound."""
        chance = float(response.friend_probability) ** (1 + self.sides)
        return np.maximum(1, np.minimum(bounds - 1, chernoff_caps(bounds, chance)))

    def widths(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """Where one side has to be seen, pairs are counted too: the larger of both changes."""
        if self.sides != 1:
            return DegreeLimits.widths(self, bounds, response, weight)
        caps = self.caps(bounds, response, weight)
        wide: Integers = np.maximum(PARTS * caps, response.flip_parts * (bounds - 1))
        return wide


class Thinned:
    """What the three forms share: reports of which some are dropped, `sides` of a triangle that have to be reported."""

    __slots__ = ()

    schedule: ClassVar[Schedule] = DEGREES_FIRST
    sides: ClassVar[int]

    def __post_init__(self: Any) -> None:
        LocalProtocol.__post_init__(self)
        if not 0 < self.share <= 1:
            raise ParameterError(f"share must lie above 0 and at or below 1, not at {self.share}")

    def make_design(self: Any) -> Design:
        """The parts of Local2Rounds, thinned so that a friend's report has probability mu, or as often as without.

        A triangle is counted if its pair is reported, and so are the sides that have to be. What answers do to the
        total is known where none has to be.
        """
        strength = Strength(published_budget(self.epsilon), ThinnedLimits(MARGIN, self.n_people, self.sides))
        if self.unit == "node":
            strength = whole_list_strength(self.epsilon, self.n_people)
        pairs = strength.budget.pairs
        mu = Fraction(round(PARTS * float(self.share) ** (1 / (1 + self.sides))), PARTS)
        kept = min(Fraction(1), mu / PairResponse(pairs).friend_probability)
        target = Total(None if self.sides else degree_answers)
        seen = PairResponse(pairs, kept).friend_probability ** self.sides
        return replace(published_design(strength, Counted.OWNED, target), kept=kept, times_counted=seen)

    def download_bits(self: Any) -> float:
        """What a person fetches where nobody has friends."""
        reported = float(self.response(RoundContext()).flip_probability)
        return _shorter_bits(self, _looked_at(self) * reported ** (1 + self.sides))

    def cost_among(self: Any, graph: Graph) -> Cost:
        """The same, were the participants the people of this network."""
        return Cost(self.cost().upload_bits_per_user, _shorter_bits(self, self.fetched_pairs(graph)))

    def fetched_pairs(self: Any, graph: Graph) -> float:
        """The mean number of reported pairs that a person looks at in this network."""
        response, numbers = self.response(RoundContext()), np.arange(graph.n_nodes)
        p, q = float(response.friend_probability), float(response.flip_probability)
        if self.sides == 2:
            return _reported_triples(graph, p, q) / graph.n_nodes
        people = np.repeat(numbers, graph.degrees)
        lower = np.bincount(people[graph.indices < people], minlength=graph.n_nodes)
        reports = p * lower + q * (numbers - lower)
        if not self.sides:
            return float(reports.sum())
        higher = graph.degrees - lower
        reporters = p * higher + q * (numbers[::-1] - higher)
        return float(reports @ reporters) / graph.n_nodes


class BothReported(Thinned):
    """TwoNS: everybody counts only pairs of friends who both were reported."""

    __slots__ = ()

    name: ClassVar[str] = "arr-two-ns"
    sides: ClassVar[int] = 2
    why_no_interval: ClassVar[str] = ERR_TOGETHER

    def counted_lists(self: Any, context: RoundContext, lists: Lists) -> Lists:
        """Friends of lower numbers who were reported."""
        lower = TriangleProtocol.counted_lists(self, context, lists)
        publication: Publication = context.published[-1]
        return lower.entries(publication.graph.reported(lower))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrFull(Thinned, TriangleProtocol):
    """Public parameter: `share`, about the share of triangles that the noisy graph keeps.

    >>> round(ArrTwoNs(epsilon=1, n_people=4039).cost().download_bits_per_user / 1e6, 2)
    1.69
    """

    name: ClassVar[str] = "arr-full"
    sides: ClassVar[int] = 0

    share: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrOneNs(Thinned, TriangleProtocol):
    """Pairs whose higher end is a reported friend."""

    name: ClassVar[str] = "arr-one-ns"
    sides: ClassVar[int] = 1
    why_no_interval: ClassVar[str] = ERR_TOGETHER

    share: Fraction = Fraction(1, 10)

    def corrected_counts(self, context: RoundContext, lists: Lists, bounds: Integers, choice: int = 0) -> Integers:
        """Capped edges less the share of capped pairs that noise alone makes, over the pairs looked at."""
        publication: Publication = context.published[-1]
        counted = self.counted_lists(context, lists)
        missing = (~publication.graph.reported(counted)).astype(np.int32)
        looks = Looks(np.zeros_like(missing), missing)
        edges = publication.graph.count(counted, self.contribution_caps(context, bounds, choice), looks)
        pairs = count_in_bits(counted, np.empty((0, 0), dtype=np.uint8), bounds - 1, looks)
        corrected: Integers = PARTS * edges - self.response(context).flip_parts * pairs
        return corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrTwoNs(BothReported, TriangleProtocol):
    """ARR-TwoNS under edge privacy: a report about an entry has its whole share of epsilon."""

    share: Fraction = Fraction(1, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeArrTwoNs(BothReported, TriangleProtocol):
    """ARR-TwoNS under node privacy: every share of epsilon is spread over all that one list can change.

    >>> NodeArrTwoNs(epsilon=1, n_people=4039).guarantee.relationship_epsilon
    Fraction(2, 1)
    """

    unit: ClassVar[str] = "node"

    share: Fraction = Fraction(1, 10)

    @property
    def claim(self) -> PublishedClaim:
        """Node-LDP; it holds in our reading, at errors far beyond the count itself."""
        paper = "Imola, Murakami and Chaudhuri 2022, extended by Fu et al. 2024"
        reason = "every message is scaled by all that a whole list can change in it"
        return PublishedClaim(paper, "ARRTwoNS-Node satisfies epsilon-node-LDP", Verdict.HOLDS, reason, self.epsilon)


def _looked_at(protocol: Any) -> float:
    """Pairs that a person could look at, reported or not, on average: all, or those of people with lower numbers."""
    n: int = protocol.n_people
    return (n - 1) * (n - 2) / 6 if protocol.sides else n * (n - 1) / 2


def _shorter_bits(protocol: Any, fetched: float) -> float:
    """Two numbers for each reported pair, or a bit for every pair that could be looked at."""
    return min(2 * number_bits(protocol.n_people) * fetched, _looked_at(protocol))


def _reported_triples(graph: Graph, p: float, q: float) -> float:
    """The mean number of triples of people with all three pairs reported, by how many of the three are friends."""
    n, triangles = graph.n_nodes, exact_triangles(graph)
    with_two = exact_k_stars(graph, 2) - 3 * triangles
    with_one = graph.n_edges * (n - 2) - 2 * with_two - 3 * triangles
    with_none = math.comb(n, 3) - with_one - with_two - triangles
    return p**3 * triangles + p * p * q * with_two + p * q * q * with_one + q**3 * with_none


def chernoff_caps(bounds: Integers, chance: float) -> Integers:
    """Least k with b exp(-b D(k / b | chance)) <= `LOST`, D the divergence of two coins."""
    low, high = np.asarray(bounds * chance), bounds.astype(np.float64)
    wanted = np.log(bounds / LOST) / bounds
    for _ in range(40):
        middle = (low + high) / 2
        enough = _divergence(middle / bounds, chance) >= wanted
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.ceil(high).astype(np.int64)


def _divergence(x: Floats, chance: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = np.where(x < 1, (1 - x) * np.log((1 - x) / (1 - chance)), 0.0)
    return np.asarray(x * np.log(x / chance) + rest)
