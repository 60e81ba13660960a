"""The private step of an algorithm as data: what is measured, and the law of its noise.

An algorithm that lists its measurements computes everything else from their outcomes. A run draws each of them once; an
audit draws the same list many times over, at the speed of the noise instead of that of the algorithm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.graph.core import Graph
from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.heavy_tail import sample_heavy_tail, sample_heavy_tail_vector
from graphveil.mechanisms.ladder_sampler import Rungs, sample_ladder, sample_ladder_vector
from graphveil.mechanisms.selection import ReportNoisyMax, Selection
from graphveil.mechanisms.source import Noise

Integers: TypeAlias = NDArray[np.int64]


class Measurement(Protocol):
    """One or several whole numbers with noise."""

    def draw(self, noise: Noise) -> Any:
        """The outcome of one run."""
        ...

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The outcomes of that many independent runs: an entry or a row for each."""
        ...


Measurements: TypeAlias = tuple[Measurement, ...]


@runtime_checkable
class Measured(Protocol):
    """An algorithm that looks at the private graph only to list its measurements."""

    def measurements(self, graph: Graph) -> Measurements:
        """All of them, in the order in which they are drawn."""
        ...


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


@dataclass(frozen=True, slots=True)
class Adaptive:
    """A whole number, and measurements that depend on its outcome; outcomes that give one `key` have the same."""

    first: Measurement
    key: Callable[[int], int]
    following: Callable[[int], Measurements]

    def draw(self, noise: Noise) -> tuple[Any, ...]:
        """The first outcome and those that follow."""
        outcome = self.first.draw(noise)
        return outcome, *draw_all(self.following(self.key(outcome)), noise)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, a row a run; as many columns as the longest list of outcomes, the others end in zeros."""
        outcomes = self.first.draws(noise, runs)
        keys = np.array([self.key(int(outcome)) for outcome in outcomes])
        groups = [np.flatnonzero(keys == key) for key in np.unique(keys)]
        parts = [draws_of_all(self.following(int(keys[group[0]])), noise, len(group)) for group in groups]
        rows = np.zeros((runs, 1 + max(part.shape[1] for part in parts)), dtype=np.int64)
        rows[:, 0] = outcomes
        for group, part in zip(groups, parts, strict=True):
            rows[group, 1 : 1 + part.shape[1]] = part
        return rows


@dataclass(frozen=True, slots=True)
class StepByStep:
    """Noisy numbers each of which depends on those before, in a way that only `step` knows.

    `runs` draws many such lists, a row each, ending in zeros; a test has to show that it takes the same steps.
    """

    step: Callable[[Noise], Any]
    runs: Callable[[Noise, int], Integers]

    def draw(self, noise: Noise) -> Any:
        """What the step makes of its noisy numbers."""
        return self.step(noise)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The numbers, a row a run."""
        return self.runs(noise, runs)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of several candidates, chosen by score."""

    selection: Selection
    scores: ArrayLike

    def draw(self, noise: Noise) -> int:
        """The number of the candidate chosen."""
        return self.selection.select(self.scores, noise)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, many times."""
        return self.selection.select_many(self.scores, noise, runs)


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """A candidate for every row of integer scores, the largest after noise."""

    selection: ReportNoisyMax
    scores: Integers

    def draw(self, noise: Noise) -> Integers:
        """The number of the candidate chosen in each row."""
        return self.selection.select_rows(self.scores, noise)

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The same, a row a run."""
        rows, candidates = self.scores.shape
        repeated = np.broadcast_to(self.scores, (runs, rows, candidates)).reshape(runs * rows, candidates)
        return self.selection.select_rows(repeated, noise).reshape(runs, rows)


def draw_all(measurements: Measurements, noise: Noise) -> list[Any]:
    """The outcomes of one run."""
    return [measurement.draw(noise) for measurement in measurements]


def draws_of_all(measurements: Measurements, noise: Noise, runs: int) -> Integers:
    """The outcomes of many runs, a row each."""
    return np.column_stack([measurement.draws(noise, runs) for measurement in measurements])
