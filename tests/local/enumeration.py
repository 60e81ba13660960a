"""Exact laws of real code: every way its coins and dice can fall is played through, with its exact probability."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np
import pytest

from graphveil.local.degrees import two_stage
from graphveil.mechanisms import response, square_wave, subset, unary
from graphveil.mechanisms.noise.bernoulli import GRID

DRAWING = (response, unary, square_wave, subset, two_stage)


class _Script:
    """One path through a tree of choices; after a run, `advance` turns to the next path."""

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.sizes: list[int] = []
        self.place = 0
        self.probability = Fraction(1)

    def choose(self, odds: list[Fraction]) -> int:
        if self.place == len(self.taken):
            self.taken.append(0)
            self.sizes.append(len(odds))
        branch = self.taken[self.place]
        self.place += 1
        self.probability *= odds[branch]
        return branch

    def advance(self) -> bool:
        while self.taken and self.taken[-1] == self.sizes[-1] - 1:
            self.taken.pop()
            self.sizes.pop()
        self.place, self.probability = 0, Fraction(1)
        if not self.taken:
            return False
        self.taken[-1] += 1
        return True


def exact_law(run: Callable[[], Hashable]) -> dict[Hashable, Fraction]:
    """The probability of every output of `run`, which draws through `flip_coins` and `sample_uniform` only."""
    script = _Script()

    def flip_coins(noise, threshold: int, size: int) -> np.ndarray:
        heads = Fraction(threshold, GRID)
        return np.array([script.choose([1 - heads, heads]) == 1 for _ in range(size)], dtype=np.bool_)

    def sample_uniform(noise, bound: int, size: int) -> np.ndarray:
        return np.array([script.choose([Fraction(1, bound)] * bound) for _ in range(size)], dtype=np.int64)

    law: dict[Hashable, Fraction] = defaultdict(Fraction)
    with pytest.MonkeyPatch.context() as patch:
        for module in DRAWING:
            patch.setattr(module, "flip_coins", flip_coins, raising=False)
            patch.setattr(module, "sample_uniform", sample_uniform, raising=False)
        while True:
            law[run()] += script.probability
            if not script.advance():
                return dict(law)


def worst_ratio(laws: list[dict[Hashable, Fraction]]) -> Fraction | float:
    """The largest ratio between the probabilities of one output under two inputs."""
    worst: Fraction | float = Fraction(0)
    for one in laws:
        for other in laws:
            for output, probability in one.items():
                if probability:
                    below = other.get(output, Fraction(0))
                    worst = max(worst, probability / below if below else float("inf"))
    return worst
