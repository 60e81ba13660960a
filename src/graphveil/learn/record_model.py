"""The model that noisy gradients and noisy rows make under the record unit: post-processing, which sees no graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.learn.descent import Descent, misses, on_grid
from graphveil.learn.softmax import log_normalised

LENGTH = 2.0  # of everybody's words together
CONSTANT = 0.5  # the feature that everybody has
WORD_RATE, WORD_PULL = 2.0, 1e-3
SCALE_RATE = 0.3
PARTS = 4  # log-probabilities from features, and three transforms of a row


@dataclass(frozen=True, slots=True)
class WordModel:
    """Log-probabilities of classes from words: a softmax regression on words of equal weight."""

    words: Any
    n_classes: int

    def descent(self, people: float) -> Descent:
        """From no weights at all."""
        return Descent(np.zeros((self.words.shape[1] + 1, self.n_classes)), WORD_RATE, people, WORD_PULL)

    def gradient(self, weights: Floats, chosen: Integers, classes: Integers) -> Integers:
        """The sum of the gradients of these people on the grid; each has length 1 at most."""
        missed = misses(self.scores(weights)[chosen], classes)
        share, held = self._shares()[chosen, None], self._held()[chosen, None]
        n_classes = self.n_classes
        weight = np.hstack((np.repeat(held, n_classes, axis=1), np.ones_like(missed, dtype=np.int64)))
        whole = on_grid(np.hstack((share * missed, CONSTANT * missed)), weight)
        words = np.asarray(self.words[chosen].T @ whole[:, :n_classes])
        summed: Integers = np.vstack((words, whole[:, n_classes:].sum(axis=0))).ravel()
        return summed

    def scores(self, weights: Floats) -> Floats:
        """Everybody's log-probabilities of all classes by these weights."""
        summed = np.asarray(self.words @ weights[:-1]) * self._shares()[:, None]
        return log_normalised(summed + CONSTANT * weights[-1])

    def _held(self) -> Integers:
        held: Integers = np.diff(self.words.indptr).astype(np.int64)
        return held

    def _shares(self) -> Floats:
        shares: Floats = LENGTH / np.sqrt(np.maximum(self._held(), 1))
        return shares


def row_parts(prior: Floats, rows: Floats, deviation: float) -> Floats:
    """What a person's scores are made of: the prior, and three transforms of the noisy row, for each class."""
    middle = rows - rows.mean(axis=1, keepdims=True)
    total = np.abs(rows).sum(axis=1, keepdims=True) + deviation * rows.shape[1]
    return np.stack(
        (prior, np.tanh(middle / (2 * deviation)), np.clip(middle / deviation, -6, 6) / 2, 3 * middle / total), axis=2
    )


def scale_descent(n_classes: int, people: float) -> Descent:
    """From the prior alone: its coefficient 1, those of the row and the biases 0."""
    return Descent(np.r_[1.0, np.zeros(PARTS - 1 + n_classes)], SCALE_RATE, people)


def scale_scores(parts: Floats, scales: Floats) -> Floats:
    """Log-probabilities from parts and their coefficients."""
    return log_normalised(parts @ scales[:PARTS] + scales[PARTS:])


def scale_gradient(parts: Floats, classes: Integers, scales: Floats) -> Integers:
    """The sum of the gradients by the coefficients, on the grid; each has length 1 at most."""
    missed = misses(scale_scores(parts, scales), classes)
    summed: Integers = on_grid(np.hstack((np.einsum("na,naj->nj", missed, parts), missed))).sum(axis=0)
    return summed


def fitted(descent: Descent, noisy: Sequence[Integers]) -> Floats:
    """The weights that follow from these noisy sums."""
    for each in noisy:
        descent.step(each)
    return descent.result()
