"""The shortest interval that would have held: what the width of an interval is measured against.

An interval of a list holds if it holds for all entries at once. The shortest that would is a band of fixed distances
around the released values, cut to the range that is known for public reasons, which held for all entries at once in 95
% of the draws, and whose mean width is smallest. Distances are found on draws that are not those on which they must
hold: the shape on one half (for each entry a quantile or the mean of its errors, and their spread, nowhere below a
floor), the factor by which all of them are stretched on the other half. Whoever makes this band knows the truth, which
no interval of a release does: a degree that nobody has is estimated well, but a release cannot know that it is. Where
other graphs are known with the same law of released values (`graphveil.statistics.degrees.gap_twins`), the shortest
must hold for each of them, as intervals are made of released values and have the same law, too. Distances are the same
in all draws; where the degree bound differs from draw to draw, a release can do better by lengths that follow it.

A one-sided interval of a list is measured by how far its ends lie from the truth, and so is the shortest: ends at fixed
distances from the released values, found in the same way, and not on the other side of them. That of a single number,
which bounds what was cut off under node privacy, is measured from the released value, and compared with the 95 %
quantile of the errors around their mean: what is cut off shifts all answers alike, and no release knows by how much.
Of two-sided intervals of single numbers the shortest is the 95 % quantile of the errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.95
RISKS = (0.3, 0.1, 0.05, 0.02, 0.01, 0.0)  # of a single entry, for the shape
FLOORS = (0.0, 0.02, 0.1, 0.25, 0.5, 1.0, 2.0)  # over the mean distance of a shape
TINY = 1e-9


@dataclass(frozen=True)
class Seen:
    """Released values and what the intervals speak of, a row a draw; the public range of the latter.

    There may be several truths, of graphs with the same law of released values; lengths are those for the first. Lists
    have not all the same length: only of entries that are `said` does an interval say anything.
    """

    values: np.ndarray
    truths: list[np.ndarray]
    said: np.ndarray
    support: tuple[float, float]

    def two_sided(self) -> float:
        """Mean half-width of the shortest band."""
        return min(self._half_width(distances) for distances in _bands([np.abs(each) for each in self._errors]))

    def one_sided(self, sign: int) -> float:
        """Mean distance from the truth to the nearest end above (1) or below (-1)."""
        errors = [sign * each for each in self._errors]
        if self.values.shape[1] == 1:
            return max(float(np.quantile(each - each.mean(), CONFIDENCE)) for each in errors)
        return min(self._one_width(sign, np.maximum(distances, 0)) for distances in _bands(errors))

    @property
    def _errors(self) -> list[np.ndarray]:
        return [truths - self.values for truths in self.truths]

    def _one_width(self, sign: int, distances: np.ndarray) -> float:
        ends = np.clip(self.values + sign * distances, *self.support)
        return float((self.said * sign * (ends - self.truths[0])).mean())

    def _half_width(self, distances: np.ndarray) -> float:
        low, high = self.support
        ends = np.minimum(self.values + distances, high) - np.maximum(self.values - distances, low)
        return float((self.said * ends).mean() / 2)


def _bands(errors: list[np.ndarray]) -> list[np.ndarray]:
    """Distances for every entry that were passed anywhere in 5 % of the draws of one half, shapes from the other."""
    largest = np.maximum.reduce(errors)
    if largest.shape[1] == 1:
        return [np.max([np.quantile(each, CONFIDENCE, axis=0) for each in errors], axis=0)]
    found = largest[::2]
    spread = found.std(axis=0)
    bands = []
    for start in (found.mean(axis=0), *np.quantile(found, [1 - risk for risk in RISKS], axis=0)):
        for floor in FLOORS:
            stretch = np.maximum(np.maximum(np.abs(start), spread), max(TINY, floor * np.abs(start).mean()))
            held_out = [((each[1::2] - start) / stretch).max(axis=1) for each in errors]
            bands.append(start + max(np.quantile(each, CONFIDENCE) for each in held_out) * stretch)
    return bands
