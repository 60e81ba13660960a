"""Ways of learning a score from outputs: the higher, the more an output looks like the second input's.

All are learned on training outputs and are fixed functions of an output afterwards. Boosted trees see how columns act
together and do best on nearly everything; the others are there for what trees are too coarse for: an output that comes
back exactly (`RowTable`), a rare value in a single column (`TellingValue`), a little evidence in every one of many
columns (`SummedEvidence`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphveil.arrays import Bits, Bytes, Floats, Integers, Words
from graphveil.audit.engine.trees import Binning, Forest, grow_forest, learn_binning

CAUTION = 1.0  # standard errors by which the evidence of counts is drawn towards none
DEPTHS = (2, 3)


class Scorer(Protocol):
    """A score learned on training outputs, and a fixed function of an output afterwards."""

    def score(self, columns: Floats) -> Floats:
        """One number for every row."""
        ...

    def looks_at(self) -> tuple[int, ...]:
        """The columns that matter most; empty if it is the row as a whole."""
        ...


def learn_scorers(first: Floats, second: Floats) -> tuple[Scorer, ...]:
    """Every kind of scorer, from training rows of both inputs."""
    rows = np.concatenate((first, second))
    labels = np.arange(len(rows)) >= len(first)
    binning = learn_binning(rows)
    codes = binning.encode(rows)
    forests = tuple(
        TreeScorer(binning, grow_forest(codes, labels, n_codes=binning.n_codes, depth=depth)) for depth in DEPTHS
    )
    return (*forests, *_learn_from_columns(binning, codes, labels), _learn_row_table(rows, labels))


@dataclass(frozen=True, slots=True, eq=False)
class TreeScorer:
    """Boosted trees on binned columns."""

    binning: Binning
    forest: Forest

    def score(self, columns: Floats) -> Floats:
        """The log-likelihood ratio of the two inputs as the trees estimate it, for every row."""
        return self.forest.score(self.binning.encode(columns))

    def looks_at(self) -> tuple[int, ...]:
        """The columns with the largest share of the gain."""
        gains = self.forest.gains
        order = np.argsort(-gains, kind="stable")[:3]
        return tuple(int(j) for j in order if gains[j] > 0.1 * gains.sum())


@dataclass(frozen=True, slots=True, eq=False)
class ColumnEvidence:
    """What every value of every column speaks for."""

    binning: Binning
    tables: Floats  # [column, code]

    def evidences(self, columns: Floats) -> Iterator[Floats]:
        """One column of the rows after the other."""
        codes = self.binning.encode(columns)
        return (table[column] for column, table in zip(codes.T, self.tables, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class SummedEvidence(ColumnEvidence):
    """Evidences of all columns added up: the log-likelihood ratio where columns are independent (naive Bayes)."""

    def score(self, columns: Floats) -> Floats:
        """The sum of the evidences of the row's values."""
        total = np.zeros(len(columns))
        for evidence in self.evidences(columns):
            total += evidence
        return total

    def looks_at(self) -> tuple[int, ...]:
        """No column more than others."""
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class TellingValue(ColumnEvidence):
    """The strongest single-column evidence in a row, for values too rare to move a tree."""

    def score(self, columns: Floats) -> Floats:
        """The entry of largest size among the evidences of the row's values."""
        strongest = np.zeros(len(columns))
        for evidence in self.evidences(columns):
            strongest = np.where(np.abs(evidence) > np.abs(strongest), evidence, strongest)
        return strongest

    def looks_at(self) -> tuple[int, ...]:
        """The column that holds the strongest evidence."""
        return (int(np.abs(self.tables).max(axis=1).argmax()),)


def _learn_from_columns(binning: Binning, codes: Bytes, labels: Bits) -> tuple[SummedEvidence, TellingValue]:
    """A sum lets errors cancel, so it takes the evidence as it is; a single value has to be cautious."""
    n = binning.n_codes
    counts = np.array([np.bincount(column + n * labels, minlength=2 * n).reshape(2, -1) for column in codes.T])
    first, second = counts[:, 0], counts[:, 1]
    summed = SummedEvidence(binning, _evidence(first, second, caution=0.0))
    return summed, TellingValue(binning, _evidence(first, second))


@dataclass(frozen=True, slots=True, eq=False)
class RowTable:
    """Evidence of whole rows that came up before."""

    keys: Words
    evidence: Floats

    def score(self, columns: Floats) -> Floats:
        """The evidence of the row; 0 for a row never seen."""
        keys = _row_hashes(columns)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.evidence[place], 0.0)

    def looks_at(self) -> tuple[int, ...]:
        """The row as a whole."""
        return ()


def _learn_row_table(rows: Floats, labels: Bits) -> RowTable:
    keys, place = np.unique(_row_hashes(rows), return_inverse=True)
    first = np.bincount(place[~labels], minlength=len(keys))
    second = np.bincount(place[labels], minlength=len(keys))
    return RowTable(keys, _evidence(first, second))


def _evidence(first: Integers, second: Integers, caution: float = CAUTION) -> Floats:
    """Log-likelihood ratio of counts, drawn towards 0 by its standard error, so that rare values do not boast."""
    a, b = first + 0.5, second + 0.5
    ratio = np.log(b / b.sum(axis=-1, keepdims=True)) - np.log(a / a.sum(axis=-1, keepdims=True))
    return np.asarray(np.sign(ratio) * np.maximum(np.abs(ratio) - caution * np.sqrt(1 / a + 1 / b), 0.0))


def _row_hashes(columns: Floats) -> Words:
    """A 64-bit mix of the numbers of every row (multiply and fold, as in splitmix)."""
    words = (columns + 0.0).view(np.uint64)  # adding 0 makes -0.0 equal to 0.0
    mixed = np.zeros(len(columns), dtype=np.uint64)
    for j in range(columns.shape[1]):
        mixed = (mixed ^ words[:, j]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed
