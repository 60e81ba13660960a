"""Boosted decision trees on small integer codes: a learner that sees how columns act together.

Logistic loss, Newton steps, trees of fixed depth stored as a heap (node a has the children 2a + 1 and 2a + 2). The sum
over the trees estimates the log-likelihood ratio of the two inputs (Friedman 2001).

The codes are bins of numbers, by cut points learned on training outputs (`learn_binning`). A column with few values
keeps them all. Any other is cut at quantiles, with fine steps in both tails, because that is where neighbouring inputs
differ most. A value that repeats in a column of otherwise unique numbers (a failure that prints something exact, a
clamped end) gets a code of its own. Missing entries (NaN) do too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Bytes, Floats, Integers
from graphveil.kernels import kernel

MAX_VALUES = 64  # a column with at most so many values keeps each of them
MAX_ATOMS = 16
ATOM_REPEATS = 5
TAILS = np.array([0.0005, 0.001, 0.002, 0.005, 0.01, 0.02])
LEVELS = np.concatenate((TAILS, np.linspace(0, 1, 21)[1:-1], 1 - TAILS))


@dataclass(frozen=True, slots=True, eq=False)
class Binning:
    """Cut points of every column: code c means a value in (cuts[c - 1], cuts[c]]."""

    cuts: tuple[Floats, ...]

    @property
    def n_codes(self) -> int:
        """One more than the largest code of any column."""
        return max(len(cuts) for cuts in self.cuts) + 1

    def encode(self, columns: Floats) -> Bytes:
        """The codes of every row."""
        codes = np.empty(columns.shape, dtype=np.uint8)
        for j, cuts in enumerate(self.cuts):
            codes[:, j] = np.searchsorted(cuts, columns[:, j])
        return codes


def learn_binning(columns: Floats) -> Binning:
    """Cut points that suit these rows."""
    return Binning(tuple(_cuts(columns[:, j]) for j in range(columns.shape[1])))


def _cuts(column: Floats) -> Floats:
    present = column[~np.isnan(column)]
    values, counts = np.unique(present, return_counts=True)
    cuts = values
    if len(values) > MAX_VALUES:
        quantiles = np.quantile(present, LEVELS, method="inverted_cdf")
        cuts = np.concatenate((quantiles, _atom_cuts(values, counts)))
    return np.unique(np.append(cuts, np.inf))  # whatever is missing sorts after infinity


def _atom_cuts(values: Floats, counts: Integers) -> Floats:
    """Cuts on both sides of every value that repeats where others do not."""
    if np.median(counts) > 1:
        return np.empty(0)
    repeated = np.flatnonzero(counts >= ATOM_REPEATS)
    atoms = values[repeated[np.argsort(-counts[repeated], kind="stable")[:MAX_ATOMS]]]
    return np.concatenate((atoms, np.nextafter(atoms, -np.inf)))


MAX_TREES = 40
RATE = 0.15
RIDGE = 20.0  # draws the value of a leaf towards 0
LEAF_WEIGHT = 10.0  # a leaf speaks for at least forty runs
LEAST_GAIN = 10.0  # of a cut, about its chi-square on one degree of freedom: what chance offers is not learned


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees of one depth; `columns` lists the column every inner node looks at (-1: none)."""

    columns: Integers
    cuts: Integers
    values: Floats
    gains: Floats

    def score(self, codes: Bytes) -> Floats:
        """The estimated log-likelihood ratio of every row."""
        scores: Floats = _walk(codes, self.columns, self.cuts, self.values)
        return scores


def grow_forest(codes: Bytes, labels: Bits, *, n_codes: int, depth: int) -> Forest:
    """Learn to tell rows with a true label from the others, until nothing worth a cut is left."""
    columns = np.full((MAX_TREES, 2**depth - 1), -1, dtype=np.int64)
    cuts = np.zeros((MAX_TREES, 2**depth - 1), dtype=np.int64)
    values = np.zeros((MAX_TREES, 2**depth))
    gains = np.zeros(codes.shape[1])
    score = np.zeros(len(codes))
    n_trees = 0
    while n_trees < MAX_TREES:
        chance = 1 / (1 + np.exp(-score))
        tree = columns[n_trees], cuts[n_trees], values[n_trees]
        leaf = _grow(codes, labels - chance, chance * (1 - chance), n_codes, *tree, gains)
        if columns[n_trees, 0] < 0:
            break
        score += values[n_trees][leaf]
        n_trees += 1
    return Forest(columns[:n_trees], cuts[:n_trees], values[:n_trees], gains)


@kernel
def _grow(codes: Any, slope: Any, bend: Any, n_codes: Any, columns: Any, cuts: Any, values: Any, gains: Any) -> Any:
    """Grow one tree in place; returns the leaf of every row."""
    n_rows, n_columns = codes.shape
    node = np.zeros(n_rows, dtype=np.int64)
    start = 0
    while start < len(columns):
        width = start + 1
        sums = np.zeros((width, n_columns, n_codes, 2))
        for i in range(n_rows):
            for j in range(n_columns):
                cell = sums[node[i] - start, j, codes[i, j]]
                cell[0] += slope[i]
                cell[1] += bend[i]
        for a in range(width):
            column, cut, gain = _best_cut(sums[a])
            columns[start + a] = column
            cuts[start + a] = cut
            if column >= 0:
                gains[column] += gain
        for i in range(n_rows):
            node[i] = _child(codes, i, node[i], columns, cuts)
        start += width
    leaf_sums = np.zeros((len(values), 2))
    for i in range(n_rows):
        leaf_sums[node[i] - start, 0] += slope[i]
        leaf_sums[node[i] - start, 1] += bend[i]
    values[:] = RATE * leaf_sums[:, 0] / (leaf_sums[:, 1] + RIDGE)
    return node - start


@kernel
def _best_cut(sums: Any) -> Any:
    """The column and code after which a cut lowers the loss most: (column, code, gain); column -1 if none does."""
    slope, bend = sums[0, :, 0].sum(), sums[0, :, 1].sum()
    whole = slope * slope / (bend + RIDGE)
    best_column, best_cut, best_gain = -1, 0, LEAST_GAIN
    for j in range(sums.shape[0]):
        left_slope, left_bend = 0.0, 0.0
        for c in range(sums.shape[1] - 1):
            left_slope += sums[j, c, 0]
            left_bend += sums[j, c, 1]
            right_slope, right_bend = slope - left_slope, bend - left_bend
            if left_bend < LEAF_WEIGHT or right_bend < LEAF_WEIGHT:
                continue
            gain = left_slope**2 / (left_bend + RIDGE) + right_slope**2 / (right_bend + RIDGE) - whole
            if gain > best_gain:
                best_column, best_cut, best_gain = j, c, gain
    return best_column, best_cut, best_gain


@kernel
def _child(codes: Any, row: Any, node: Any, columns: Any, cuts: Any) -> Any:
    column = columns[node]
    if column >= 0 and codes[row, column] > cuts[node]:
        return 2 * node + 2
    return 2 * node + 1


@kernel
def _walk(codes: Any, columns: Any, cuts: Any, values: Any) -> Any:
    scores = np.zeros(len(codes))
    inner = columns.shape[1]
    for t in range(len(columns)):
        tree_columns, tree_cuts, tree_values = columns[t], cuts[t], values[t]
        for i in range(len(codes)):
            node = 0
            while node < inner:
                node = _child(codes, i, node, tree_columns, tree_cuts)
            scores[i] += tree_values[node - inner]
    return scores
