"""Mistakes made on purpose. An auditor that does not find every one of them is not to be trusted.

Each claims epsilon and looks right at first sight; `CONTROLS` says what is wrong with it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import Noise, SeededNoise
from graphveil.mechanisms.unary import OptimalUnary

N_VALUES = 20
FAILURE = Fraction(1, 1000)


def half_scale_laplace(epsilon: Fraction) -> Mechanism:
    """A count with noise of scale 1 / (2 epsilon)."""
    return lambda given, count, noise: given + bulk_discrete_laplace(noise, 2 * epsilon, count)


def failing_degree(epsilon: Fraction) -> Mechanism:
    """A noisy degree that comes without noise, and says so, once in a thousand runs (delta = 0 is claimed)."""

    def run(given: int, count: int, noise: Noise) -> Integers:
        noisy = given + bulk_discrete_laplace(noise, epsilon, count)
        fails = flip_coins(noise, int(FAILURE * GRID), count)
        return np.column_stack((np.where(fails, given, noisy), fails))

    return run


def seeded_count(epsilon: Fraction) -> Mechanism:
    """A count whose noise is the same in every run."""
    return lambda given, count: given + bulk_discrete_laplace(SeededNoise(2024), epsilon, count)


def float_laplace(epsilon: Fraction) -> Mechanism:
    """A count with the textbook's floating-point Laplace noise, of the right scale."""

    def run(given: int, count: int, noise: Noise) -> Floats:
        uniform = (noise.words(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        sign = np.where(noise.words(count) & np.uint64(1), 1.0, -1.0)
        return given - sign * np.log1p(-uniform) / float(epsilon)

    return run


def off_by_one_unary(epsilon: Fraction) -> Mechanism:
    """A unary encoder whose loop over the bits ends one too early: the last bit is sent as it is."""
    encoder = OptimalUnary(epsilon=epsilon, n_values=N_VALUES)

    def run(given: int, count: int, noise: Noise) -> Bits:
        bits = encoder.perturb(np.full(count, given), noise)
        bits[:, -1] = given == N_VALUES - 1
        return bits

    return run


def relationship_counted_once(epsilon: Fraction) -> Mechanism:
    """Noisy degrees, at the epsilon of one list, claimed for a friendship that both ends report."""
    from graphveil.audit.subjects.local import N_PEOPLE, both_ends
    from graphveil.local.degrees.noisy import NoisyDegrees

    return both_ends(NoisyDegrees(epsilon=epsilon, n_people=N_PEOPLE))


def _relationships() -> list[Pair]:
    from graphveil.audit.subjects.local import relationships

    return relationships()


def _degrees() -> list[Pair]:
    return [Pair(3, 4, "3 friends or 4")]


def _values() -> list[Pair]:
    last = N_VALUES - 1
    pairs = ((0, 1), (9, 10), (last - 1, last), (0, last))
    return [Pair(one, other, f"value {one} or {other}") for one, other in pairs]


def _control(name: str, summary: str, build: Any, pairs: Any) -> Subject:
    return Subject(f"control-{name}", SubjectKind.CONTROL, summary, build, pairs, AuditVerdict.REFUTED)


CONTROLS = (
    _control("half-scale-laplace", "half the noise a count needs", half_scale_laplace, _degrees),
    _control("fails-once-in-1000", "a degree without noise once in a thousand runs", failing_degree, _degrees),
    _control("seeded", "the same noise in every run", seeded_count, _degrees),
    _control("float-laplace", "floating-point Laplace noise", float_laplace, _degrees),
    _control("off-by-one-unary", "a unary encoder that skips the last bit", off_by_one_unary, _values),
    _control(
        "relationship-counted-once",
        "a friendship that both ends report, at the epsilon of one report",
        relationship_counted_once,
        _relationships,
    ),
)
