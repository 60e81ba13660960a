"""The building blocks ready to be audited: noise on numbers, choices by score, statistics of records, responses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.mechanisms.clipped import ClippedMean, ClippedSum, ClippingGrid, KnownSizeMean
from graphveil.mechanisms.gaussian import GaussianVector
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import BinaryResponse, KaryResponse
from graphveil.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax, Selection
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.subset import SubsetSelection
from graphveil.mechanisms.unary import OptimalUnary, SymmetricUnary
from graphveil.privacy.unit import Adjacency

GAUSSIAN_DELTA = Fraction(1, 100)
GRID = ClippingGrid(lower=Fraction(0), upper=Fraction(10), step=Fraction(1))


def _noisy_counts(epsilon: Fraction) -> Mechanism:
    return measured(lambda given: (NoisyVector(what="counts", exact=np.array(given), sensitivity=2, epsilon=epsilon),))


def _gaussian_counts(epsilon: Fraction) -> Mechanism:
    rho = concentrated_budget(epsilon, GAUSSIAN_DELTA)
    return measured(
        lambda given: (GaussianVector(what="counts", exact=np.array(given), squared_sensitivity=2, rho=rho),)
    )


def concentrated_budget(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A rho, rounded down, with rho + 2 sqrt(rho ln(1/delta)) <= epsilon (Bun and Steinke 2016)."""
    log = math.log(1 / delta)
    return Fraction(math.floor((math.sqrt(log + float(epsilon)) - math.sqrt(log)) ** 2 * 10**6), 10**6)


def _selection(make: type[Selection], *, monotone: bool) -> Build:
    """A choice: the input is the list of scores."""

    def build(epsilon: Fraction) -> Mechanism:
        selection = make(epsilon=epsilon, sensitivity=Fraction(1), monotone=monotone)
        return lambda given, count, noise: selection.select(given, noise, count)

    return build


def _records(make: Any, **options: Any) -> Build:
    """A statistic of records: the input is the list of numbers."""
    return lambda epsilon: measured(make(epsilon=epsilon, grid=GRID, **options).measure)


def _counts() -> list[Pair]:
    return [
        Pair((3, 5, 2), (4, 6, 2), "counts 3 5 2 or 4 6 2"),
        Pair((3, 5, 2), (5, 5, 2), "counts 3 5 2 or 5 5 2"),
        Pair((3, 5, 2), (2, 6, 2), "counts 3 5 2 or 2 6 2"),
    ]


def _gaussian_pairs() -> list[Pair]:
    return [Pair((3, 5, 2), (4, 6, 2), "counts 3 5 2 or 4 6 2"), Pair((3, 5, 2), (4, 5, 2), "counts 3 5 2 or 4 5 2")]


def _scores() -> list[Pair]:
    return [
        Pair((4, 4, 4), (5, 3, 3), "scores 4 4 4 or 5 3 3"),
        Pair((2, 9, 9), (3, 8, 8), "scores 2 9 9 or 3 8 8"),
        Pair((5, 0), (4, 1), "scores 5 0 or 4 1"),
        Pair((8, 4, 0), (7, 5, 1), "scores 8 4 0 or 7 5 1"),
    ]


def _monotone_scores() -> list[Pair]:
    return [
        Pair((4, 4, 4), (5, 4, 4), "scores 4 4 4 or 5 4 4"),
        Pair((0, 9, 9), (0, 10, 10), "scores 0 9 9 or 0 10 10"),
        Pair((3, 0), (4, 0), "scores 3 0 or 4 0"),
        Pair((8, 4, 0), (8, 5, 1), "scores 8 4 0 or 8 5 1"),
    ]


def _record_lists() -> list[Pair]:
    return [
        Pair((5, 5), (5, 5, 10), "one record of 10 more"),
        Pair((10,), (10, 10), "one or two records of 10"),
        Pair((5, 5), (5, 5, 0), "one record of 0 more"),
    ]


def _replaced_records() -> list[Pair]:
    return [Pair((5, 5, 0), (5, 5, 10), "the third record 0 or 10")]


N_VALUES = 41


def _response(make: Any, **options: Any) -> Build:
    """Randomised response: the input is one person's value."""

    def build(epsilon: Fraction) -> Mechanism:
        response = make(epsilon=epsilon, **options)
        return lambda given, count, noise: response.perturb(np.full(count, given), noise)

    return build


def _subsets(epsilon: Fraction) -> Mechanism:
    """Subset selection, each set as one bit a value."""
    response = SubsetSelection(epsilon=epsilon, n_values=N_VALUES)

    def run(given: int, count: int, noise: Noise) -> Bits:
        bits = np.zeros((count, N_VALUES), dtype=np.bool_)
        np.put_along_axis(bits, response.perturb(np.full(count, given), noise), values=True, axis=1)
        return bits

    return run


def _values() -> list[Pair]:
    last = N_VALUES - 1
    return [Pair(9, 10, "value 9 or 10"), Pair(3, 30, "value 3 or 30"), Pair(0, last, f"value 0 or {last}")]


def _bits() -> list[Pair]:
    return [Pair(0, 1, "bit 0 or 1")]


_MECHANISM = SubjectKind.MECHANISM
MECHANISM_SUBJECTS = (
    Subject("discrete-laplace", _MECHANISM, "integer Laplace noise on three counts", _noisy_counts, _counts),
    Subject(
        "discrete-gaussian",
        _MECHANISM,
        "integer Gaussian noise on three counts",
        _gaussian_counts,
        _gaussian_pairs,
        delta=GAUSSIAN_DELTA,
    ),
    *(
        Subject(
            name + ("-monotone" if monotone else ""), _MECHANISM, summary, _selection(make, monotone=monotone), pairs
        )
        for name, summary, make in (
            ("exponential-mechanism", "choice by exponential weights", ExponentialMechanism),
            ("permute-and-flip", "choice by coins in random order", PermuteAndFlip),
            ("report-noisy-max", "choice of the largest noisy score", ReportNoisyMax),
        )
        for monotone, pairs in ((False, _scores), (True, _monotone_scores))
    ),
    Subject(
        "clipped-sum",
        _MECHANISM,
        "sum of clipped numbers, one record more or less",
        _records(ClippedSum, adjacency=Adjacency.ADD_REMOVE),
        _record_lists,
    ),
    Subject(
        "clipped-mean",
        _MECHANISM,
        "mean of clipped numbers, one record more or less",
        _records(ClippedMean),
        _record_lists,
    ),
    Subject(
        "known-size-mean",
        _MECHANISM,
        "mean of clipped numbers, one record replaced",
        _records(KnownSizeMean, n_records=3),
        _replaced_records,
    ),
    Subject("binary-response", _MECHANISM, "Warner's randomised response", _response(BinaryResponse), _bits),
    Subject(
        "kary-response",
        _MECHANISM,
        "randomised response on 41 values",
        _response(KaryResponse, n_values=N_VALUES),
        _values,
    ),
    Subject("symmetric-unary", _MECHANISM, "SUE over 0..40", _response(SymmetricUnary, n_values=N_VALUES), _values),
    Subject("optimal-unary", _MECHANISM, "OUE over 0..40", _response(OptimalUnary, n_values=N_VALUES), _values),
    Subject("square-wave", _MECHANISM, "Square Wave over 41 places", _response(SquareWave, n_values=N_VALUES), _values),
    Subject("subset-selection", _MECHANISM, "subset selection over 0..40", _subsets, _values),
)
