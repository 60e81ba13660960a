"""Measurements that are whole numbers with noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.heavy_tail import sample_heavy_tail, sample_heavy_tail_vector
from graphveil.mechanisms.ladder_sampler import Rungs, sample_ladder, sample_ladder_vector
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Integers


@dataclass(frozen=True, slots=True)
class NoisyInteger:
    """A whole number with discrete Laplace noise of this rate."""

    exact: int
    rate: Fraction

    def draw(self, noise: Noise) -> int:
        """The number with noise."""
        return add_discrete_laplace(noise, self.exact, self.rate)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, many times."""
        return add_discrete_laplace(noise, np.full(runs, self.exact), self.rate)


@dataclass(frozen=True, slots=True, eq=False)
class NoisyVector:
    """Whole numbers with independent discrete Laplace noise of one rate."""

    exact: Integers
    rate: Fraction

    def draw(self, noise: Noise) -> Integers:
        """The numbers with noise."""
        return add_discrete_laplace(noise, self.exact, self.rate)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, a row a run."""
        return add_discrete_laplace(noise, np.tile(self.exact, (runs, 1)), self.rate)


@dataclass(frozen=True, slots=True)
class OnLadder:
    """A whole number drawn from rungs around the exact one."""

    exact: int
    rungs: Rungs

    def draw(self, noise: Noise) -> int:
        """A number on one of the rungs."""
        return sample_ladder(noise, self.exact, self.rungs)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, many times."""
        return sample_ladder_vector(noise, self.exact, self.rungs, runs)


@dataclass(frozen=True, slots=True)
class HeavyTailed:
    """A whole number with heavy-tailed noise of this scale."""

    exact: int
    scale: Fraction

    def draw(self, noise: Noise) -> int:
        """The number with noise."""
        return self.exact + sample_heavy_tail(noise, self.scale)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, many times."""
        return self.exact + sample_heavy_tail_vector(noise, self.scale, runs)
