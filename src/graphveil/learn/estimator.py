"""A classifier of people on a release of class rows, with the conventions of scikit-learn.

It holds a release and a table of people and never a graph. So fitting, cloning, cross-validation and the search for
parameters are post-processing: whatever is done here, the guarantee of the release holds and nothing is spent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import scipy

from graphveil.arrays import AnyArray, Floats, Integers
from graphveil.errors import ParameterError
from graphveil.learn.inference import Posterior, Setting, replay
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import RIDGE, Roles, prior_from, prior_of
from graphveil.mechanisms.release import Release

TAIL = 0.025  # on each side of an interval of 95 %


class ReleaseClassifier:
    """What scikit-learn asks of a classifier that is made with a release; subclasses list their parameters."""

    _estimator_type = "classifier"
    parameters: ClassVar[tuple[str, ...]]
    classes_: AnyArray

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002 - as scikit-learn calls it
        """What the classifier was made with, by name."""
        return {name: getattr(self, name) for name in self.parameters}

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name; `fit` has to follow."""
        for name, value in params.items():
            if name not in self.parameters:
                known = ", ".join(self.parameters)
                raise ParameterError(f"{type(self).__name__} has no parameter {name!r}; it has {known}")
            setattr(self, name, value)
        return self

    def __sklearn_clone__(self) -> Self:
        """An unfitted classifier with the same parameters; a release is immutable, so it is shared and not copied."""
        return type(self)(**self.get_params())

    def __sklearn_tags__(self) -> Any:
        """What `is_classifier`, GridSearchCV and cross_val_score ask for; only scikit-learn calls it."""
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        names = InputTags(two_d_array=True, one_d_array=True, string=True)
        return Tags("classifier", TargetTags(required=False), classifier_tags=ClassifierTags(), input_tags=names)

    def predict_proba(self, X: Iterable[Any]) -> Floats:
        """The probability of every class, in the order of `classes_`, for the people named."""
        raise NotImplementedError

    def predict(self, X: Iterable[Any]) -> AnyArray:
        """The most probable class of the people named."""
        chances = self.predict_proba(X)
        found: AnyArray = self.classes_[chances.argmax(axis=1)]
        return found

    def score(self, X: Iterable[Any], y: Iterable[Any]) -> float:
        """The share of the people named whose class is predicted right."""
        return float((self.predict(X) == np.array([str(label) for label in y])).mean())


class GraphClassifier(ReleaseClassifier):
    """Predicts the classes of people by their names.

    `fit()` uses all labels of the table; `fit(names, labels)` those of the people named, so that others can serve for
    validation. Readers, people with a label and a row, are what cross-validation says something about: of anchors
    nothing but features is known.

    `ridge` is the penalty of the model of features; `correct` allows the correction that is fitted on readers.
    """

    parameters = ("release", "people", "ridge", "correct")

    def __init__(self, release: Release, people: LabelledPeople, *, ridge: float = RIDGE, correct: bool = True) -> None:
        self.release = release
        self.people = people
        self.ridge = ridge
        self.correct = correct

    def fit(self, X: Iterable[Any] | None = None, y: Iterable[Any] | None = None) -> GraphClassifier:
        """Predict everybody from the stored counts; `X` are names and `y` their labels, or all of the table's."""
        people = self.people
        recorded = self.release.provenance.parameters
        if "table" in recorded:  # of a campaign, whose text names people and labels alone
            fits = recorded["table"] == people.without_features().digest
        else:
            fits = recorded.get("people", {}).get("sha256") == people.digest
        if self.release.query != "class-rows" or not fits:
            raise ParameterError("the release was not made of this table of people: give the table it was made with")
        labels = people.labels if X is None else self._labels_of(X, y)
        if labels is people.labels:
            prior = prior_of(people, float(self.ridge))
        else:
            prior = prior_from(people, labels, float(self.ridge))
        self.posterior_ = self._replayed(labels, prior)
        self.floor_ = _right_of(prior, labels)
        self.classes_ = np.array(people.classes)
        self.labels_ = labels
        return self

    def _replayed(self, labels: Integers, prior: Floats) -> Posterior:
        """Run the program of the readings on the stored answers."""
        stored = self.release.provenance.derived
        roles = Roles.parse(str(stored.get("roles", "")), self.people)
        passes = int(stored["passes"])
        rate = float(Fraction(str(stored["rate"])))
        cells: Integers = np.array(self.release.value, dtype=np.int64)
        return replay(Setting(roles, labels, prior, rate, passes, self.correct), cells)

    def predict_proba(self, X: Iterable[Any]) -> Floats:
        """The probability of every class, in the order of `classes_`, for the people named."""
        probabilities: Floats = np.exp(self._fitted().log_probabilities[self._places(X)])
        return probabilities

    def accuracy(self) -> tuple[float, float, float]:
        """A forecast of the share of the people to predict that is predicted right, with a 95 % interval.

        It is the share of readers, each predicted by coefficients that were fitted on the others, plus how much surer
        the model is of the people to predict, who count more friends. The interval holds both. It needs that who has a
        label is as good as random. What rows mean for a class was estimated with some of these readers, so it is a
        little too high where they are few.
        """
        found = self._fitted()
        share, low, high = share_interval(found.right, found.tried, self._to_predict())
        ends = max(0.0, low + min(0.0, found.surer)), min(1.0, high + max(0.0, found.surer))
        return min(max(share + found.surer, ends[0]), ends[1]), *ends

    def floor(self) -> tuple[float, float, float]:
        """The same for features alone, on all labelled people."""
        self._fitted()
        return share_interval(*self.floor_, self._to_predict())

    def _to_predict(self) -> int:
        return max(1, int((self.labels_ < 0).sum()))

    def _fitted(self) -> Posterior:
        if not hasattr(self, "posterior_"):
            raise ParameterError("this classifier is not fitted yet: call fit() first")
        return self.posterior_

    def _places(self, names: Iterable[Any]) -> Integers:
        return places_of(self.people.names, names)

    def _labels_of(self, names: Iterable[Any], given: Iterable[Any] | None) -> Integers:
        number = {name: place for place, name in enumerate(self.people.classes)}
        places, texts = self._places(names), [str(label) for label in (() if given is None else given)]
        if len(texts) != len(places):
            raise ParameterError(f"{len(places)} people need as many labels, not {len(texts)}")
        unknown = next((text for text in texts if text not in number), None)
        if unknown is not None:
            raise ParameterError(f"{unknown!r} is none of the classes {', '.join(self.people.classes)}")
        labels = np.full(len(self.people.names), -1, dtype=np.int64)
        labels[places] = [number[text] for text in texts]
        return labels

    def __repr__(self) -> str:
        return f"GraphClassifier({len(self.people.names)} people, ridge={self.ridge:g}, correct={self.correct})"


def places_of(known: AnyArray, names: Iterable[Any]) -> Integers:
    """Where these people stand in a list of names."""
    place = {name: number for number, name in enumerate(known.tolist())}
    wanted = [_name(name) for name in names]
    unknown = next((name for name in wanted if name not in place), None)
    if unknown is not None:
        raise ParameterError(f"{unknown!r} is not among the {len(place):,} people of the release")
    return np.array([place[name] for name in wanted], dtype=np.int64)


def share_interval(right: int, tried: int, others: float = math.inf) -> tuple[float, float, float]:
    """A share with a 95 % interval for the same share of so many other people.

    For infinitely many others it is the exact binomial interval (Clopper and Pearson). Among few the share varies by
    chance as well: it follows a beta-binomial law, whose mean and variance are those of a beta law from fewer trials.
    The ends are then shares that so many others can have, the next ones outside.

    >>> [round(end, 3) for end in share_interval(9, 10)]
    [0.9, 0.555, 0.997]
    >>> [round(end, 3) for end in share_interval(9, 10, others=20)]
    [0.9, 0.45, 1.0]
    """
    if tried == 0:
        return 0.0, 0.0, 1.0
    fewer = ((tried + 2) / (1 + (tried + 1) / others) - 1) / (tried + 1)
    hits, rest = fewer * right, fewer * (tried - right)
    low = float(scipy.special.betaincinv(hits, rest + fewer, TAIL)) if hits else 0.0
    high = float(scipy.special.betaincinv(hits + fewer, rest, 1 - TAIL)) if rest else 1.0
    if math.isfinite(others):
        low, high = math.floor(low * others) / others, math.ceil(high * others) / others
    return right / tried, low, high


def _right_of(prior: Floats, labels: Integers) -> tuple[int, int]:
    known = labels >= 0
    return int((prior[known].argmax(axis=1) == labels[known]).sum()), int(known.sum())


def _name(given: Any) -> str:
    """A name as it stands in a list, or in a table with one column."""
    if isinstance(given, np.ndarray | list | tuple):
        if len(given) != 1:
            raise ParameterError("people are given by their names, one a row")
        given = given[0]
    return str(given)
