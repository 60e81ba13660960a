"""From degrees and soft joint degrees, both noisy, to a whole joint degree table: post-processing only.

The expected number of edges between degrees x and y is taken to be

    E(x, y) = n_x n_y x y α_x α_y R(x, y) / 2m,    at most the n_x n_y pairs of people,

R being interpolated between the knots 1, 2, 4, … in both directions. R = 1 is what the degrees alone would give. R and
α are fitted in turns (iterative proportional fitting): R to the noisy soft cells, α to the ends that each degree has.
Soft cells are first drawn towards what degrees alone give, the more the smaller their difference is against their
noise. Whole counts are made by rounding running sums, so no count is off by more than 1, nor is their total.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.statistics.joint_degrees.soft import SoftJointDegrees, cell_std
from graphveil.synthetic.veil.degree_scale import Hats

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

ROUNDS = 60
RATIO_RANGE = 4.0  # R moves by no more than this factor in a round


@dataclass(frozen=True, slots=True)
class JointFit:
    """`table[i, j]` edges are expected between people of `degrees[i]` and `degrees[j]`; twice that on the diagonal."""

    degrees: Integers
    people: Integers
    table: Floats

    def whole(self, seed: int) -> tuple[Integers, Integers]:
        """(rows of two degrees, counts): the table in whole edges."""
        low, high = np.triu_indices(len(self.degrees))
        expected = self.table[low, high] * np.where(low == high, 0.5, 1.0)
        start = np.random.default_rng(seed).random()
        counts = np.diff(np.floor(np.cumsum(expected) + start), prepend=0.0).astype(np.int64)
        used = counts > 0
        return np.stack((self.degrees[low], self.degrees[high]), axis=1)[used], counts[used]


def fit_joint_table(sequence: Integers, measured: SoftJointDegrees) -> JointFit:
    """Fit the table to a degree sequence and to noisy soft cells."""
    degrees, people = np.unique(sequence[sequence > 0], return_counts=True)
    hats = Hats.of_people(len(sequence))
    shares = hats.at(np.eye(len(hats.knots)), degrees)  # a row for each degree, a column for each knot
    ends = (degrees * people).astype(np.float64)
    pairs = np.outer(people, people).astype(np.float64)
    np.fill_diagonal(pairs, people * (people - 1))
    neutral = _fit(ends, pairs, shares, None)
    wanted = _towards(shares.T @ neutral @ shares, measured, ends.sum())
    return JointFit(degrees, people, _fit(ends, pairs, shares, wanted))


def _towards(neutral: Floats, measured: SoftJointDegrees, total: float) -> Floats:
    """Soft cells, twice on the diagonal like `neutral`, drawn towards it; their sum is that of the ends."""
    noisy = np.zeros_like(neutral)
    first, second = measured.cells.T
    inside = second < len(neutral)
    np.add.at(noisy, (first[inside], second[inside]), measured.counts[inside])
    np.add.at(noisy, (second[inside], first[inside]), measured.counts[inside])
    variance = cell_std(measured.epsilon) ** 2 * (1 + 3 * np.eye(len(neutral)))
    gap = noisy - neutral
    spread = max(0.0, float(((gap**2 - variance) * neutral).sum() / max(1e-12, (neutral**3).sum())))
    expected = spread * neutral**2 + 0.5 * neutral
    cells: Floats = np.maximum(neutral + gap * expected / (expected + variance), 1e-3 * neutral)
    cells *= total / max(1e-12, float(cells.sum()))
    return cells


def _fit(ends: Floats, pairs: Floats, shares: Floats, wanted: Floats | None) -> Floats:
    """The table with these ends and, if wanted, these soft cells."""
    ratio = np.ones((shares.shape[1],) * 2)
    factor = np.ones(len(ends))
    base = np.outer(ends, ends) / max(1.0, float(ends.sum()))
    table: Floats = base
    for _ in range(ROUNDS):
        if wanted is not None:
            cells = shares.T @ table @ shares
            step = np.divide(wanted, cells, out=np.ones_like(cells), where=cells > 1e-9)
            ratio *= np.clip(step, 1 / RATIO_RANGE, RATIO_RANGE)
        shape = base * (shares @ ratio @ shares.T)
        table = np.minimum(shape * np.outer(factor, factor), pairs)
        rows = np.maximum(table.sum(axis=1), 1e-12)
        factor = np.clip(factor * np.sqrt(ends / rows), 1e-6, 1e6)
        table = np.minimum(shape * np.outer(factor, factor), pairs)
    return table
