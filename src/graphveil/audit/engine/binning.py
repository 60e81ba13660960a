"""Columns of numbers turned into small integer codes, by cut points learned on training outputs.

A column with few values keeps them all. Any other is cut at quantiles, with fine steps in both tails, because that is
where neighbouring inputs differ most. A value that repeats in a column of otherwise unique numbers (a failure that
prints something exact, a clamped end) gets a code of its own. Missing entries (NaN) do too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.float64]
Codes = NDArray[np.uint8]

MAX_VALUES = 64  # a column with at most so many values keeps each of them
MAX_ATOMS = 16
ATOM_REPEATS = 5
TAILS = np.array([0.0005, 0.001, 0.002, 0.005, 0.01, 0.02])
LEVELS = np.concatenate((TAILS, np.linspace(0, 1, 21)[1:-1], 1 - TAILS))


@dataclass(frozen=True, slots=True, eq=False)
class Binning:
    """Cut points of every column: code c means a value in (cuts[c - 1], cuts[c]]."""

    cuts: tuple[Columns, ...]

    @property
    def n_codes(self) -> int:
        """One more than the largest code of any column."""
        return max(len(cuts) for cuts in self.cuts) + 1

    def encode(self, columns: Columns) -> Codes:
        """The codes of every row."""
        codes = np.empty(columns.shape, dtype=np.uint8)
        for j, cuts in enumerate(self.cuts):
            codes[:, j] = np.searchsorted(cuts, columns[:, j])
        return codes


def learn_binning(columns: Columns) -> Binning:
    """Cut points that suit these rows."""
    return Binning(tuple(_cuts(columns[:, j]) for j in range(columns.shape[1])))


def _cuts(column: Columns) -> Columns:
    present = column[~np.isnan(column)]
    values, counts = np.unique(present, return_counts=True)
    cuts = values
    if len(values) > MAX_VALUES:
        quantiles = np.quantile(present, LEVELS, method="inverted_cdf")
        cuts = np.concatenate((quantiles, _atom_cuts(values, counts)))
    return np.unique(np.append(cuts, np.inf))  # whatever is missing sorts after infinity


def _atom_cuts(values: Columns, counts: NDArray[np.int64]) -> Columns:
    """Cuts on both sides of every value that repeats where others do not."""
    if np.median(counts) > 1:
        return np.empty(0)
    repeated = np.flatnonzero(counts >= ATOM_REPEATS)
    atoms = values[repeated[np.argsort(-counts[repeated], kind="stable")[:MAX_ATOMS]]]
    return np.concatenate((atoms, np.nextafter(atoms, -np.inf)))
