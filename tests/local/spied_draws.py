"""What a protocol draws: the centre and the scale of every noise it adds, and the answers before they are flipped.

A person's messages are independent draws whose laws are known exactly (tests of the mechanisms), so the largest loss
between two lists follows from these numbers alone, without sampling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from graphveil.local import randomizers
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext


class Unflipped:
    """Words that make every answer true: above all that strangers need, below all that friends need."""

    kind = "seeded"

    def words(self, count: int) -> np.ndarray:
        return np.full(count, 2**63, dtype=np.uint64)


@dataclass
class Draws:
    """For every row of the lists: noisy numbers as (centre, scale), and true answers."""

    laplace: list[tuple[np.ndarray, Fraction | tuple[np.ndarray, np.ndarray]]]
    staircase: list[tuple[np.ndarray, np.ndarray, Fraction]]
    answers: list[np.ndarray]

    def loss(self, one: int, other: int, protocol, context: RoundContext) -> float:
        """Between the messages of two rows, in the worst case over everything that may be drawn."""
        total = 0.0
        for centres, rate in self.laplace:
            total += self.rate_of(rate, one, other) * abs(int(centres[one]) - int(centres[other]))
        for centres, widths, epsilon in self.staircase:
            assert widths[one] == widths[other]
            total += float(epsilon) * math.ceil(abs(int(centres[one]) - int(centres[other])) / int(widths[one]))
        if not self.answers:
            return total
        response = protocol.response(context)
        odds = math.log(response.friend_probability / response.flip_probability)
        for bits in self.answers:
            total += odds * int((bits[one] != bits[other]).sum())
        return total

    @staticmethod
    def rate_of(rate: Fraction | tuple[np.ndarray, np.ndarray], one: int, other: int) -> float:
        """The rate of both rows: one for everybody, or a numerator and a denominator for each row."""
        if isinstance(rate, Fraction):
            return float(rate)
        above, below = rate
        assert (above[one], below[one]) == (above[other], below[other])
        return float(Fraction(int(above[one]), int(below[one])))


def spy(protocol, context: RoundContext, lists: Lists) -> Draws:
    """Everything a round draws for these lists; parts of it that are for none of them are left out."""
    seen = Draws([], [], [])

    def laplace(noise, values, rate):
        if len(values):
            seen.laplace.append((np.array(values), rate))
        return np.array(values)

    def staircase(noise, values, epsilon, widths):
        if len(values):
            seen.staircase.append((np.array(values), np.array(widths), epsilon))
        return np.array(values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(randomizers, "add_personal_laplace", laplace)
        patch.setattr(randomizers, "add_personal_staircase", staircase)
        batch = protocol.perturb(context, lists, Unflipped())
    if isinstance(batch, dict) and "pairs" in batch:
        replies = batch["pairs"]
        seen.answers.append([replies.bits[a:b] for a, b in zip(replies.starts[:-1], replies.starts[1:], strict=True)])
    return seen
