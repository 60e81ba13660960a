"""A choice by scores of sensitivity 1: the candidate whose score is nearest to a target is the likeliest.

    P(i) proportional to exp(-prior_i - epsilon / 2 * |score_i - target|)

Guarantee: pure epsilon, where one unit moves every score by at most 1. The exponent of a candidate then moves by at
most epsilon / 2, so its weight and the sum of all weights both change by a factor between e^(-epsilon / 2) and
e^(epsilon / 2), and their ratio by at most e^epsilon. Priors and targets are public. A target in the middle costs no
more than a maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.inversion import sample_exp_weights
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure, exact_epsilon


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeakChoice:
    """The number of a candidate whose score is near a target; each score changes by at most 1.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> scores = [Fraction(score) for score in (0, 40, 90)]
    >>> choice = PeakChoice(what="bound", scores=scores, target=Fraction(41), epsilon=Fraction(1))
    >>> choice.loss, choice.draws(SeededNoise(1), 3).tolist()
    (Pure(epsilon=Fraction(1, 1)), [1, 1, 1])
    """

    what: str
    scores: Sequence[Fraction]
    target: Fraction
    epsilon: Fraction
    prior: Fraction = Fraction(0)  # every candidate counts e^-prior less than the one before

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if not self.scores or not all(isinstance(score, int | Fraction) for score in self.scores):
            raise ParameterError(f"{self.what}: scores must be whole numbers or Fractions, one for each candidate")

    @property
    def loss(self) -> Pure:
        """Pure epsilon, whatever the scores are."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What is chosen, and how much a score can change."""
        return f"chose the {self.what} by scores near a target, each of which changes by at most 1"

    def exponents(self) -> list[Fraction]:
        """Minus the logarithms of the weights, the least of them 0."""
        rate = self.epsilon / 2
        raw = [place * self.prior + rate * abs(score - self.target) for place, score in enumerate(self.scores)]
        least = min(raw)
        return [value - least for value in raw]

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The candidate chosen, many times."""
        return sample_exp_weights(noise, self.exponents(), [1] * len(self.scores), runs)
