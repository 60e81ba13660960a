"""Boosted decision trees on small integer codes: a learner that sees how columns act together.

Logistic loss, Newton steps, trees of fixed depth stored as a heap (node a has the children 2a + 1 and 2a + 2). The sum
over the trees estimates the log-likelihood ratio of the two inputs (Friedman 2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.audit.engine.binning import Codes
from graphveil.kernels import kernel

MAX_TREES = 40
RATE = 0.15
RIDGE = 20.0  # draws the value of a leaf towards 0
LEAF_WEIGHT = 10.0  # a leaf speaks for at least forty runs
LEAST_GAIN = 10.0  # of a cut, about its chi-square on one degree of freedom: what chance offers is not learned


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees of one depth; `columns` lists the column every inner node looks at (-1: none)."""

    columns: NDArray[np.int64]
    cuts: NDArray[np.int64]
    values: NDArray[np.float64]
    gains: NDArray[np.float64]

    def score(self, codes: Codes) -> NDArray[np.float64]:
        """The estimated log-likelihood ratio of every row."""
        scores: NDArray[np.float64] = _walk(codes, self.columns, self.cuts, self.values)
        return scores


def grow_forest(codes: Codes, labels: NDArray[np.bool_], *, n_codes: int, depth: int) -> Forest:
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
