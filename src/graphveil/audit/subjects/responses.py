"""Randomised responses of one person, ready to be audited."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import BinaryResponse, KaryResponse
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.subset import SubsetSelection
from graphveil.mechanisms.unary import OptimalUnary, SymmetricUnary

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

    def run(given: int, count: int, noise: Noise) -> NDArray[np.bool_]:
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
RESPONSE_SUBJECTS = (
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
    Subject(
        "subset-selection",
        _MECHANISM,
        "subset selection over 0..40",
        _subsets,
        _values,
    ),
)
