"""Measurements that are choices among candidates, by private scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Integers
from graphveil.mechanisms.selection import ReportNoisyMax, Selection


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
