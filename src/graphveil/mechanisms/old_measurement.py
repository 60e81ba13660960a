"""The private step of an algorithm as data: a list of measurements, each with the law of its noise.

An algorithm that lists its measurements computes everything else from their outcomes. A run draws each of them once; an
audit draws the same list many times over, at the speed of the noise instead of that of the algorithm. The measurements
themselves are in `noisy_numbers` and `choices`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise

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


def draw_all(measurements: Measurements, noise: Noise) -> list[Any]:
    """The outcomes of one run."""
    return [measurement.draw(noise) for measurement in measurements]


def draws_of_all(measurements: Measurements, noise: Noise, runs: int) -> Integers:
    """The outcomes of many runs, a row each."""
    return np.column_stack(
        [getattr(measurement, "rows", measurement.draws)(noise, runs) for measurement in measurements]
    )
