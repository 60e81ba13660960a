"""Predictions from private records, with the conventions of scikit-learn.

All of the budget went into one model, so there is nothing to refit: `fit()` only reads what is stored, and labels for
validation are refused, as the model has seen them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Floats
from graphveil.errors import ParameterError
from graphveil.learn.estimator import ReleaseClassifier, places_of
from graphveil.mechanisms.release import Release

NORMAL = 1.96  # deviations on each side of an interval of 95 %


class RecordClassifier(ReleaseClassifier):
    """Predicts the classes of the people of a release by their names; it holds no graph, no label and no feature."""

    parameters = ("release", "names")

    def __init__(self, release: Release, names: AnyArray) -> None:
        self.release = release
        self.names = names

    def fit(self, X: Iterable[Any] | None = None, y: Iterable[Any] | None = None) -> RecordClassifier:
        """Read the stored predictions; labels are refused: a model of private records is fitted once."""
        if X is not None or y is not None:
            raise ParameterError(
                "labels were private and are used up: call fit() without any; cross-validation would pay again"
            )
        stored = self.release.provenance.derived
        classes = tuple(stored["classes"])
        if len(classes) < 1:
            raise ParameterError(
                "no class was held by enough people to be shown; the budget is spent; declare classes= (--classes) or "
                "give a larger epsilon"
            )
        self.classes_ = np.array(classes)
        self.probabilities_ = np.array(stored["probabilities"], dtype=np.float64).reshape(-1, len(classes))
        if len(self.probabilities_) != len(self.names):
            raise ParameterError("the release was not made of this list of people: give the list it was made with")
        return self

    def predict_proba(self, X: Iterable[Any]) -> Floats:
        """The probability of every class, in the order of `classes_`, for the people named."""
        if not hasattr(self, "probabilities_"):
            raise ParameterError("this classifier is not fitted yet: call fit() first")
        found: Floats = self.probabilities_[places_of(self.names, X)]
        return found

    def accuracy(self) -> tuple[float, float, float]:
        """A noisy share of labelled people with rows who are predicted right, with a 95 % interval."""
        return self._share(0)

    def floor(self) -> tuple[float, float, float]:
        """The same for features alone."""
        return self._share(1)

    def _share(self, place: int) -> tuple[float, float, float]:
        *right, tried = self.release.provenance.derived["right"]
        noise = float(self.release.provenance.derived["right_deviation"])
        people = max(1.0, float(tried))
        share = min(max(right[place] / people, 0.0), 1.0)
        spread = NORMAL * np.sqrt(share * (1 - share) / people + 2 * (noise / people) ** 2)
        return share, float(max(0.0, share - spread)), float(min(1.0, share + spread))

    def __repr__(self) -> str:
        return f"RecordClassifier({len(self.names)} people)"
