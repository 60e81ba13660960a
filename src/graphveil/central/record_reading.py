"""Classes of people from private records: degree-weighted reading, (epsilon, delta) for one person's whole record.

Paper      ours; aggregation with Gaussian noise follows GAP (Sajadmanesh and others 2023), whose sampling of neighbours
           has no bounded sensitivity: with v among D + 1 neighbours of N people, N / (D + 1) leave w's row
Unit       record: one person's edges, label and features are blanked; the list of people is public
Trust      central; joint: everything but a person's own row and own prediction hides that person's record
Guarantee  (epsilon, delta), by zCDP
Cost       O(m), n c noisy numbers, 40 noisy gradients twice

Labelled people contribute, those to predict and a tenth of the labelled read; the other nine tenths teach the features.
Let d_u be the number of u's neighbours that read u. Each of them gets min(1, D / d_u) in the cell of u's class, floored
to the grid 2^-20.

Sensitivity. Let D be at least the h-index of the d_u, and blank v. The cells that v fed fall by a vector a of squared
length d_v min(1, D / d_v)^2 <= D. For a neighbour u of v that v reads, d_u falls by one. If d_u <= D nothing changes;
else u's weight rises by D / (d_u (d_u - 1)) for d_u - 1 others, a vector of length below 1 / sqrt(D). At most D such u
exist, as there are at most h <= D people with d_u > D. So all rises b have length sqrt(D) at most. Both vectors are
nowhere negative, so |b - a|^2 <= |a|^2 + |b|^2 <= 2 D. Flooring makes a no longer and b longer by less than one step of
the grid in n entries for each of D people: by D sqrt(n) steps.

The h-index of the d_u changes by at most 1, as for degrees. D is drawn with noise and so far above that it is below the
h-index with probability at most delta / 4, under both neighbours. Classes are those whose noisy count is so high that a
class held by one person passes with probability at most delta / 4. The other half of delta converts rho. Below epsilon
3, a public rule, nothing is read from edges. Nor is it where the drawn h-index is less than 1.5 deviations of the noise
that rows would get, or where labelled people are too few to fit coefficients of rows; features then get all the rest.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.learn.descent import GRID, STEPS
from graphveil.learn.people import MOST_CLASSES, in_order_of, natural_order
from graphveil.learn.record_model import WordModel, fitted, row_parts, scale_descent, scale_gradient, scale_scores
from graphveil.learn.records import READER_SHARE, PeopleRecords
from graphveil.mechanisms.gaussian import GaussianVector, Interactive
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurement
from graphveil.privacy.convert import largest_concentrated
from graphveil.privacy.loss import Approximate, exact_delta, exact_epsilon
from graphveil.privacy.rounding import log_up, sqrt_up

EDGES_HELP = 3  # epsilon from which on edges may be read
LEAST_H = 1.5  # deviations of a row's noise: on five graphs .5 to 1.4 of them made predictions worse, 1.7 to 6.7 better
BOUND_SHARE = Fraction(2, 25)  # of epsilon, for D
COUNT_SHARE = Fraction(1, 25)  # of epsilon, whose rho is for the classes; twice that where no edge may be read
RIGHT_SHARE = Fraction(1, 50)  # of rho, for how many readers are predicted right
STRONG = 8  # epsilon from which on most of rho goes to the rows
ASSUMED = (
    "the list of people and the names of the columns are public",
    "every prediction is shown to its own person only, or that person agreed: it is made from their own record",
)


@dataclass(frozen=True, slots=True)
class RecordReading:
    """Everything that is measured of private records and edges, and the model that follows from it."""

    records: PeopleRecords
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if not exact_delta(self.delta) > 0:
            raise ParameterError("learning from private records needs a delta above 0, such as 1e-6 (--delta)")
        if min(self.shares(reads=self.may_read_edges)) <= 0:
            raise ParameterError(f"epsilon {float(self.epsilon):g} is too small for private records: give 0.1 or more")

    @property
    def may_read_edges(self) -> bool:
        """Whether edges may be read at this epsilon, by a public rule."""
        return self.epsilon >= EDGES_HELP

    @property
    def count_rho(self) -> Fraction:
        """What the counts of classes cost; one record changes one of them by 1."""
        return (self.epsilon * COUNT_SHARE * (1 if self.may_read_edges else 2)) ** 2 / 2

    @property
    def rho(self) -> Fraction:
        """All that the measurements may cost."""
        return largest_concentrated(Approximate(self.epsilon, self.delta / 2)).rho

    def shares(self, *, reads: bool) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """The rho of the prior, of the rows, of their coefficients and of the count of right predictions."""
        left = self.rho - self.count_rho
        if self.may_read_edges:
            left -= (self.epsilon * BOUND_SHARE) ** 2 / 2
        if not reads:
            return left * (1 - RIGHT_SHARE), left, left, left * RIGHT_SHARE
        rows, prior = (Fraction(68, 100), Fraction(20, 100))
        if self.epsilon < STRONG:
            rows = prior = Fraction(44, 100)
        return prior * left, rows * left, left / 10, RIGHT_SHARE * left

    def measure(self, graph: Graph) -> tuple[Interactive]:
        """All measurements as one, which costs (epsilon, delta) at most."""
        ordered = in_order_of(self.records.names, graph)
        return (
            Interactive(
                what="classes, gradients of models and weighted classes among neighbours",
                program=lambda: self._program(ordered),
                rho=self.rho,
                tail=self.delta / 2,
                failure=self.delta / 2,
            ),
        )

    def _program(self, graph: Graph) -> Generator[Measurement, Any, None]:
        records = self.records
        candidates = records.classes or tuple(sorted(set(records.labels) - {""}, key=natural_order))
        counts = np.array([records.labels.count(name) for name in candidates], dtype=np.int64)
        noisy = yield _ClassCounts(candidates, counts, self.count_rho, self._threshold())
        classes, people = tuple(noisy), _people(noisy)
        if not classes:
            return
        labels = records.numbers(classes)
        labelled, may_read = labels >= 0, records.may_read()
        readers, taught = np.flatnonzero(labelled & may_read), np.flatnonzero(labelled & ~may_read)
        reads, drawn = ~labelled | may_read, 0
        if self.may_read_edges:
            read_by = np.where(labelled, _count_readers(graph, reads), 0)
            drawn = yield NoisyInteger(
                what="h-index of how many people read each person",
                exact=_h_index(read_by),
                sensitivity=1,
                epsilon=self.epsilon * BOUND_SHARE,
            )
        edges_help = self._edges_help(drawn, people)
        prior_rho, rows_rho, scale_rho, right_rho = self.shares(reads=edges_help)
        model = WordModel(records.words, len(classes))
        descent = model.descent(people * (1 - READER_SHARE))
        for _ in range(STEPS):
            exact = model.gradient(descent.weights, taught, labels[taught])
            descent.step((yield _gradient(exact, prior_rho)))
        scores = prior = model.scores(descent.result())
        if edges_help:
            bound = self._bound(drawn)
            cells = weighted_rows(graph, labels, read_by, reads, len(classes), bound)
            squared = squared_sensitivity(bound, graph.n_nodes)
            rows = yield GaussianVector(
                what="weighted classes among neighbours", exact=cells.ravel(), squared_sensitivity=squared, rho=rows_rho
            )
            parts = row_parts(prior, rows.reshape(cells.shape) / GRID, self._deviation(bound))
            scales = scale_descent(len(classes), max(1.0, people * READER_SHARE))
            for _ in range(STEPS):
                exact = scale_gradient(parts[readers], labels[readers], scales.weights)
                scales.step((yield _gradient(exact, scale_rho)))
            scores = scale_scores(parts, scales.result())
        right = [int((each[readers].argmax(axis=1) == labels[readers]).sum()) for each in (scores, prior)]
        yield GaussianVector(
            what="readers who are predicted right, with edges and without, and readers",
            exact=np.array([*right, len(readers)], dtype=np.int64),
            squared_sensitivity=3,
            rho=right_rho,
        )

    def conclude(self, outcomes: list[Any]) -> RecordPredictions:
        """Everybody's probabilities from noisy outcomes and, for each person, their own words."""
        (noisy, *rest) = outcomes[0]
        classes, people = tuple(noisy), _people(noisy)
        if not rest:
            return RecordPredictions((), noisy, np.zeros((len(self.records.names), 0)), None, (0, 0, 0), 0.0)
        drawn = rest.pop(0) if self.may_read_edges else 0
        edges_help = self._edges_help(drawn, people)
        model = WordModel(self.records.words, len(classes))
        scores = prior = model.scores(fitted(model.descent(people * (1 - READER_SHARE)), rest[:STEPS]))
        bound = None
        if edges_help:
            bound = self._bound(drawn)
            rows = rest[STEPS].reshape(prior.shape) / GRID
            scales = fitted(scale_descent(len(classes), max(1.0, people * READER_SHARE)), rest[STEPS + 1 : -1])
            scores = scale_scores(row_parts(prior, rows, self._deviation(bound)), scales)
        right, alone, tried = (int(each) for each in rest[-1])
        deviation = math.sqrt(3 / (2 * self.shares(reads=edges_help)[3]))
        return RecordPredictions(classes, noisy, scores, bound, (right, alone, tried), deviation)

    def _threshold(self) -> int:
        """The noisy count from which on a class is shown; all are where they were declared.

        A class of one person passes with probability delta / 4 at most: P(X >= x) <= exp(-x^2 / (2 sigma^2)) (Canonne,
        Kamath and Steinke 2020), and sigma^2 is 1 / (2 rho).
        """
        if self.records.classes:
            return -(2**60)
        return 1 + math.ceil(sqrt_up(log_up(4 / self.delta) / self.count_rho))

    def _bound(self, drawn: int) -> int:
        """D from the noisy h-index; below the true one with probability delta / 4 at most, under both neighbours."""
        rate = self.epsilon * BOUND_SHARE
        return max(1, int(drawn) + math.ceil(log_up(2 / self.delta) / rate) + 1)

    def _edges_help(self, drawn: int, people: float) -> bool:
        """Whether rows say enough beside their noise, and readers beside that of gradients, by noisy numbers."""
        gradient_noise = math.sqrt(STEPS / (2 * self.shares(reads=True)[2]))
        tells = drawn >= LEAST_H * self._deviation(self._bound(drawn))
        return self.may_read_edges and tells and people * READER_SHARE >= 3 * gradient_noise

    def _deviation(self, bound: int) -> float:
        """Of the noise on a row's counts."""
        squared = squared_sensitivity(bound, len(self.records.names))
        return math.sqrt(squared / (2 * self.shares(reads=True)[1])) / GRID


@dataclass(frozen=True, slots=True)
class RecordPredictions:
    """What was learnt: classes, noisy counts of them, everybody's log-probabilities, D, and noisy right answers."""

    classes: tuple[str, ...]
    counts: Mapping[str, int]
    log_probabilities: Floats
    bound: int | None
    right: tuple[int, int, int]  # with edges, without, of how many readers
    deviation: float  # of the noise on each of the three


@dataclass(frozen=True, slots=True, eq=False)
class _ClassCounts:
    """Noisy counts of the classes that pass a threshold; one record changes one count by 1."""

    classes: tuple[str, ...]
    counts: Integers
    rho: Fraction
    threshold: int

    @property
    def _vector(self) -> GaussianVector:
        return GaussianVector(what="labelled people by class", exact=self.counts, squared_sensitivity=1, rho=self.rho)

    @property
    def loss(self) -> Any:
        return self._vector.loss

    @property
    def text(self) -> str:
        return f"{self._vector.text}; shown are those of {self.threshold} or more"

    def draws(self, noise: Any, runs: int) -> list[dict[str, int]]:
        drawn = self._vector.draws(noise, runs)
        passed = ({n: int(c) for n, c in zip(self.classes, row, strict=True) if c >= self.threshold} for row in drawn)
        return [dict(sorted(each.items(), key=lambda p: -p[1])[:MOST_CLASSES]) for each in passed]


def _people(noisy: Mapping[str, int]) -> float:
    return max(1.0, float(sum(noisy.values())))


def _gradient(exact: Integers, rho: Fraction) -> GaussianVector:
    return GaussianVector(what="gradient", exact=exact, squared_sensitivity=GRID**2, rho=rho / STEPS)


def _count_readers(graph: Graph, reads: Any) -> Integers:
    """How many neighbours of everybody read."""
    sums = np.r_[0, np.cumsum(reads[graph.indices], dtype=np.int64)]
    counted: Integers = sums[graph.indptr[1:]] - sums[graph.indptr[:-1]]
    return counted


def _h_index(values: Integers) -> int:
    falling = np.sort(values)[::-1]
    return int((falling >= np.arange(1, len(falling) + 1)).sum())


def weighted_rows(
    graph: Graph, labels: Integers, read_by: Integers, reads: Any, n_classes: int, bound: int
) -> Integers:
    """Everybody's row on the grid: min(1, bound / readers) for each labelled neighbour, in the cell of their class."""
    weights = np.minimum(GRID, bound * GRID // np.maximum(read_by, 1))
    readers = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    counted = reads[readers] & (labels[graph.indices] >= 0)
    rows = np.zeros(graph.n_nodes * n_classes, dtype=np.int64)
    cells = readers[counted] * n_classes + labels[graph.indices[counted]]
    np.add.at(rows, cells, weights[graph.indices[counted]])
    return rows.reshape(graph.n_nodes, n_classes)


def squared_sensitivity(bound: int, n_people: int) -> int:
    """In squared steps of the grid: D + (sqrt(D) + D sqrt(n) steps)^2, rounded up."""
    rises = math.isqrt(GRID**2 * bound) + 1 + math.isqrt(bound**2 * n_people) + 1
    return GRID**2 * bound + rises**2
