"""Measurements that are choices among candidates, by private scores."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Integers
from graphveil.mechanisms.selection import Selection


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
