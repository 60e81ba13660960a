"""Triangles with two servers and a dealer: noisy degrees, then rows that nobody can read, then one noisy count.

Loss. The first round tells every degree with noise of rate `degree_epsilon`, the second counts with `count_epsilon`;
an entry of a list is in one degree and in either the count or one answer about a pair of hubs, so it costs the sum of
both, which is epsilon. A relationship stands in two lists and costs twice as much at most. A public `max_degree` makes
the first round unnecessary; then there are no hubs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import NormalDist

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.local.randomizers import AddedLaplace
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.noise.source import Noise
from graphveil.two_servers.sum_statistics import Estimated, two_noises_reach
from graphveil.two_servers.triangle_terms import ANSWER_GRID, MOST_HUBS, Answers, TriangleTerms, choose_terms

DEGREE_SHARE = Fraction(1, 10)
MOST_COMMON_FRIENDS = 0.75  # intervals assume that two hubs have at most this share of the smaller list in common


@dataclass(frozen=True, slots=True)
class Triangles:
    """The plan of a campaign: `epsilon` is for one entry, `hubs` None lets noisy degrees decide how many."""

    campaign: str
    n_people: int
    epsilon: Fraction
    max_degree: int | None = None
    hubs: int | None = None
    name = "triangles"

    def __post_init__(self) -> None:
        if self.n_people < 1:
            raise ParameterError("a campaign needs at least one person")
        if self.max_degree is not None and self.hubs:
            raise ParameterError("hubs are chosen by noisy degrees; with a public max_degree leave hubs at 0")
        if self.max_degree is not None and self.max_degree < 1:
            raise ParameterError(f"max_degree must be a whole number of at least 1, not {self.max_degree}")
        if self.hubs is not None and not 0 <= self.hubs <= MOST_HUBS:
            raise ParameterError(f"hubs must be auto or a number from 0 to {MOST_HUBS}, not {self.hubs}")

    @property
    def degree_epsilon(self) -> Fraction:
        """Of the noisy degrees; nothing where max_degree is public."""
        return Fraction(0) if self.max_degree is not None else DEGREE_SHARE * self.epsilon

    @property
    def count_epsilon(self) -> Fraction:
        """Of the count, and of an answer about a pair of hubs."""
        return self.epsilon - self.degree_epsilon

    def noisy_degrees(self, degrees: Integers, noise: Noise) -> Integers:
        """What people tell in the first round: their degree with noise, which one entry moves by 1."""
        added = AddedLaplace(self.degree_epsilon, sensitivity=1, low=0, high=max(0, self.n_people - 1))
        return added.draw(np.arange(self.n_people), degrees, noise)

    def terms(self, noisy_degrees: Integers | None) -> TriangleTerms:
        """What the second round is about."""
        if noisy_degrees is None:
            terms = TriangleTerms(self.campaign, self.n_people, self.count_epsilon, self.max_degree or 1)
        else:
            terms = choose_terms(self.campaign, noisy_degrees, self.count_epsilon, self.degree_epsilon, self.hubs)
        return self.checked(terms)

    def checked(self, terms: TriangleTerms) -> TriangleTerms:
        """These terms; those that cost more than is left of epsilon are refused."""
        if self.degree_epsilon + terms.loss > self.epsilon:
            raise GuaranteeMismatch(f"an entry would cost {float(terms.loss):.6g}, more than is left of epsilon")
        return terms

    def conclude(
        self, terms: TriangleTerms, opened: int, answers: Answers, noisy_degrees: Integers | None, failure: float = 0.05
    ) -> Estimated:
        """The estimate: the count over its weight, and triangles of three hubs."""
        value = opened / terms.weight + three_hubs(terms, answers)
        noise_reach = two_noises_reach(terms.rate, failure) / terms.weight
        noise_std = math.sqrt(2) * discrete_laplace_std(terms.rate) / terms.weight
        answer_std = answers_std(terms, noisy_degrees) if answers and noisy_degrees is not None else 0.0
        reach = math.hypot(noise_reach, NormalDist().inv_cdf(1 - failure / 2) * answer_std)
        low, high = (max(0.0, value + side * reach) for side in (-1, 1))
        return Estimated(value, low, high, math.hypot(noise_std, answer_std))


def answer_pairs(terms: TriangleTerms, owner: int, friends: Integers, noise: Noise) -> Answers:
    """Randomised answers of one hub about each other hub, for others none: the truth in `keep` of c cases."""
    listed, answers = set(friends.tolist()), {}
    for other in terms.hubs if owner in terms.hubs else ():
        if other != owner:
            turned = noise.below(ANSWER_GRID) < terms.flip
            answers[owner, other] = int((other in listed) != turned)
    return answers


def three_hubs(terms: TriangleTerms, answers: Answers) -> float:
    """Triangles of three hubs, estimated without bias; pairs nobody answered for count as no friends."""
    guess = {pair: weight / terms.weight for pair, weight in terms.pair_weights(answers).items()}
    return sum(
        guess.get((i, j), 0.0) * guess.get((i, k), 0.0) * guess.get((j, k), 0.0)
        for i, j, k in combinations(sorted(terms.hubs), 3)
    )


def answers_std(terms: TriangleTerms, noisy_degrees: Integers) -> float:
    """Standard deviation that answers about hub pairs add, if they share at most three quarters of a list."""
    p = terms.keep / ANSWER_GRID
    smaller = [min(noisy_degrees[i], noisy_degrees[j]) for i, j in terms.hub_pairs]
    spread = p * (1 - p) / (2 * p - 1) ** 2 / 2
    return math.sqrt(spread) * MOST_COMMON_FRIENDS * float(np.linalg.norm(smaller)) if smaller else 0.0
