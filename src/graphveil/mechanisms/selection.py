"""Choosing one of several candidates by score: exponential mechanism, permute-and-flip, report noisy max.

Papers: McSherry and Talwar 2007; McKenna and Sheldon 2020; Dwork and Roth 2014 and Ding et al. 2021 (one-sided noise).

Sensitivity: between neighbours each score moves by at most `sensitivity` (D below). All three use the rate
r = epsilon / 2D, or epsilon / D where the scores are **monotone**: going to any one neighbour, none of them falls or
none of them rises. Counts are (all degrees when an edge is added); differences from a target are not.

- Exponential mechanism, P(i) ~ exp(r q_i): the weight of i moves by e^(r D) at most, and so does the sum of weights.
  Monotone scores move both the same way, so their ratio moves by e^(r D) instead of e^(2 r D).
- Report noisy max adds noise z with P(z >= x) = e^(-r x), x >= 0, to integer scores; the first largest wins. Given the
  other noises, i wins where z_i reaches a threshold, which moves by 2D at most (by D for monotone scores, as the best
  of the others and q_i move the same way); P(z >= x) moves by e^r at most with each step of x.
- Permute-and-flip takes the candidates in random order and accepts i with probability exp(-r (max - q_i)). It is
  report noisy max with continuous one-sided noise (Ding et al. 2021), so the same argument holds; its expected error is
  never above that of the exponential mechanism. Flipping all coins and picking one of the heads evenly is the same.

Error: a candidate that is c worse than the best wins with probability at most e^(-r c), in each of the three.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.additive import LARGEST, integer_vector
from graphveil.mechanisms.noise.bernoulli import flip_exp_coins, sample_uniform
from graphveil.mechanisms.noise.bulk import LIMIT, bulk_geometric
from graphveil.mechanisms.noise.inversion import sample_exp_weights
from graphveil.mechanisms.noise.samplers import bernoulli_exp
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure, exact, exact_epsilon


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(ABC):
    """Public parameters of a choice; `monotone` drops the factor 2 and is valid only as stated above."""

    epsilon: Fraction
    sensitivity: Fraction
    monotone: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        object.__setattr__(self, "sensitivity", exact(self.sensitivity, "sensitivity"))
        if self.sensitivity <= 0:
            raise ParameterError(f"sensitivity must be above 0, not {self.sensitivity}")

    @property
    def loss(self) -> Pure:
        """One choice costs pure epsilon."""
        return Pure(self.epsilon)

    @property
    def rate(self) -> Fraction:
        """How fast the chance of a candidate falls with the distance from the best."""
        return self.epsilon / self.sensitivity / (1 if self.monotone else 2)

    @abstractmethod
    def select(self, scores: ArrayLike, noise: Noise, runs: int) -> Integers:
        """Choose independently so many times; an entry is the number of the candidate chosen.

        Scores are integers or Fractions, the higher the better.
        """

    def error_bound(self, n_candidates: int, confidence: float) -> float:
        """How much worse than the best the choice is at most, with this probability."""
        if not 0 < confidence < 1:
            raise ParameterError(f"confidence must lie between 0 and 1, not {confidence}")
        return math.log(n_candidates / (1 - confidence)) / float(self.rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExponentialMechanism(Selection):
    """P(i) proportional to exp(rate score_i).

    >>> ExponentialMechanism(epsilon=1, sensitivity=1).select([0, 30, 10], SeededNoise(1), runs=3).tolist()
    [1, 1, 1]
    """

    def select(self, scores: ArrayLike, noise: Noise, runs: int) -> Integers:
        """Draw a level of scores for every run, then one of its candidates."""
        gaps = _gaps(scores)
        levels, counts = _levels(gaps)
        drawn = sample_exp_weights(noise, [self.rate * gap for gap in levels], counts, runs)
        choices = np.empty(runs, dtype=np.int64)
        for level in np.unique(drawn).tolist():
            mine = np.flatnonzero(drawn == level)
            places = sample_uniform(noise, counts[level], len(mine))
            choices[mine] = np.flatnonzero(gaps == levels[level])[places]
        return choices


@dataclass(frozen=True, slots=True, kw_only=True)
class PermuteAndFlip(Selection):
    """Candidates in random order; the first whose coin exp(-rate (best - score)) falls heads.

    >>> PermuteAndFlip(epsilon=1, sensitivity=1, monotone=True).select([0, 30, 10], SeededNoise(1), runs=3).tolist()
    [1, 1, 1]
    """

    def select(self, scores: ArrayLike, noise: Noise, runs: int) -> Integers:
        """Flip the coins of all runs, pick one of the heads of each; fractions count in their common denominator."""
        gaps = _gaps(scores)
        unit = 1 if gaps.dtype == np.int64 else math.lcm(*(Fraction(gap).denominator for gap in gaps))
        rate, whole = self.rate / unit, gaps * unit
        if gaps.dtype != np.int64 and (rate.denominator > LIMIT or whole.max() > LARGEST):
            flipped = np.array([bernoulli_exp(noise, self.rate * gap) for _ in range(runs) for gap in gaps])
        else:
            flipped = flip_exp_coins(noise, np.tile(whole.astype(np.int64), runs), rate)
        coins = flipped.reshape(runs, len(gaps))
        run, candidate = np.nonzero(coins)
        heads = np.bincount(run)
        picked = np.cumsum(heads) - heads
        for count in np.unique(heads).tolist():
            mine = np.flatnonzero(heads == count)
            picked[mine] += sample_uniform(noise, count, len(mine))
        choices: Integers = candidate[picked]
        return choices


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportNoisyMax(Selection):
    """The largest of the integer scores after one-sided geometric noise.

    Integers only: the noise lives on the grid of the scores, which has to be public.

    >>> ReportNoisyMax(epsilon=1, sensitivity=1).select([0, 30, 10], SeededNoise(1), runs=3).tolist()
    [1, 1, 1]
    """

    def select(self, scores: ArrayLike, noise: Noise, runs: int) -> Integers:
        """Add noise in every run, take the first largest."""
        gaps = _gaps(scores)
        if gaps.dtype != np.int64:
            raise ParameterError("report noisy max needs integer scores; multiply them by a public denominator first")
        return self.select_rows(np.broadcast_to(-gaps, (runs, len(gaps))), noise)

    def select_rows(self, scores: Integers, noise: Noise) -> Integers:
        """A choice for every row of integer scores, each as from `select`; their losses are the caller's to add."""
        noisy = bulk_geometric(noise, self.rate, scores.size).reshape(scores.shape) + scores
        choices: Integers = np.argmax(noisy, axis=1)
        return choices


def _levels(gaps: AnyArray) -> tuple[list[Any], list[int]]:
    """The different gaps from the least, 0, and how many candidates have each."""
    levels = sorted(Counter(gaps.tolist()).items())
    return [gap for gap, _ in levels], [count for _, count in levels]


def _gaps(scores: ArrayLike) -> AnyArray:
    """How far each score lies below the best: 64-bit integers, or Fractions where the scores are."""
    array = np.asarray(scores)
    if array.ndim != 1 or not len(array):
        raise ParameterError("scores must be a list with an entry for each candidate")
    if np.issubdtype(array.dtype, np.integer):
        array = integer_vector(array)
    elif not all(isinstance(score, int | Fraction) for score in array):
        raise ParameterError(f"scores must be integers or Fractions, not {array.dtype}")
    gaps: AnyArray = np.max(array) - array
    return gaps


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoisyChoice:
    """The number of one candidate, chosen by private scores: a measurement."""

    what: str
    mechanism: Selection
    scores: ArrayLike

    @property
    def loss(self) -> Pure:
        """The epsilon of the mechanism."""
        return self.mechanism.loss

    @property
    def text(self) -> str:
        """What is chosen, and how much a score can change."""
        return (
            f"chose the {self.what} by noisy scores, each of which changes by at most "
            f"{float(self.mechanism.sensitivity):g}"
        )

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The candidate chosen, many times."""
        return self.mechanism.select(self.scores, noise, runs)
