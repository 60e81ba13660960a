"""What was measured of degrees under node privacy, and what follows: a histogram, upper ends, words about both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.central.node.degree_bound import DegreeBound
from graphveil.central.node.smooth_histogram import fit_smooth_histogram
from graphveil.mechanisms.accuracy import LEVELS, Band, discrete_laplace_std
from graphveil.statistics.degrees.monotone_tiles import FloatArray, distances
from graphveil.statistics.degrees.node_tile_bounds import PeopleBelow
from graphveil.statistics.degrees.node_tiles import GapTiles


@dataclass(frozen=True, slots=True)
class MeasuredDegrees:
    """What was released of the degrees: the bound, the noisy number of people, what it cost, the noisy tiles."""

    bound: DegreeBound
    rough_people: int  # which the tiles follow from
    people: int
    people_rate: Fraction
    tiles: GapTiles

    def estimate(self) -> tuple[float, ...]:
        """The smooth histogram, cut where less than half a person is left above; sums to the noisy number of people."""
        fitted = fit_smooth_histogram(self.tiles, self.people, discrete_laplace_std(self.people_rate))
        left = fitted[::-1].cumsum()[::-1]
        kept = fitted[: max(1, int(np.count_nonzero(left >= 0.5)))]
        entries: list[float] = (kept * (self.people / kept.sum())).tolist()
        return tuple(entries)

    @property
    def below(self) -> PeopleBelow:
        """What bounds the people up to a degree."""
        return PeopleBelow(self.tiles, self.people, self.people_rate)

    def upper_bands(self, value: tuple[float, ...], most: list[FloatArray]) -> tuple[Band, ...]:
        """Bands of these values from the ends of all people below 1, 2, ... neighbours, at each of LEVELS."""
        return tuple(
            Band(level, math.inf, distances(np.array(value), padded, padded)[1])
            for level, ends in zip(LEVELS, most, strict=True)
            for padded in (np.pad(ends, (0, max(0, len(value) - len(ends))), "edge")[: len(value)],)
        )

    @property
    def derived(self) -> dict[str, int]:
        """The noisy values that were paid for on the way."""
        values = {"max_degree": self.bound.value, "rough_people": self.rough_people, "people": self.people}
        return values if self.bound.h_index is None else values | {"h_index": self.bound.h_index}

    @property
    def bias(self) -> str:
        """What the estimate does to the truth."""
        cut = self.bound.value
        return f"smoothed; edges beyond a person's first {cut} are not seen, and the tail above is drawn out"

    @property
    def scope(self) -> str:
        """What the bands speak of."""
        return (
            "one-sided: at most so many people have degree d (in fact, degree d or less); a lower end or a last degree "
            f"needs the promise that nobody has more than {self.bound.value} neighbours"
        )
