"""Measurements that depend on earlier outcomes: what they cost is known in advance, whatever comes first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from graphveil.errors import GuaranteeMismatch
from graphveil.mechanisms.laplace import NoisyInteger, NoisyVector
from graphveil.mechanisms.measurement import Adaptive, Together, draw, draw_rows, stages_of, total_loss
from graphveil.mechanisms.noise.source import SeededNoise

HALF = Fraction(1, 2)


def number(exact: int, epsilon: Fraction = HALF) -> NoisyInteger:
    return NoisyInteger(what="number", exact=exact, sensitivity=1, epsilon=epsilon)


def vector(exact: list[int], epsilon: Fraction = HALF) -> NoisyVector:
    return NoisyVector(what="counts", exact=np.array(exact), sensitivity=1, epsilon=epsilon)


def exactly(kind: type[int]) -> Callable[[Any], int]:
    """A key that insists on numbers of Python."""

    def key(outcome: Any) -> int:
        assert type(outcome) is kind
        return outcome

    return key


def test_what_follows_is_chosen_by_the_first_outcome_and_paid_in_advance() -> None:
    sure = Fraction(1000)
    adaptive = Adaptive(number(7, sure), exactly(int), lambda key: (number(10 * (key % 5)),), HALF)
    assert total_loss((adaptive,)).epsilon == sure + HALF
    ((first, second),) = draw((adaptive,), SeededNoise(1))
    assert first == 7
    assert abs(second - 20) < 60
    assert [stage.epsilon for stage in stages_of((adaptive,))] == [sure, HALF]


def test_what_would_cost_more_is_refused_before_it_is_drawn() -> None:
    adaptive = Adaptive(number(0), lambda _: 0, lambda _: (number(0, Fraction(1)),), HALF)
    with pytest.raises(GuaranteeMismatch, match="may cost epsilon 1/2; these cost 1"):
        draw((adaptive,), SeededNoise(1))


def test_a_vector_may_decide_and_may_come_from_several_measurements() -> None:
    sure = Fraction(1000)
    first = Together((number(3, sure), vector([1, 4], sure)))
    adaptive = Adaptive(first, lambda outcome: outcome[1].tobytes(), lambda key: (vector([len(key)]),), HALF)
    assert adaptive.loss.epsilon == 2 * sure + HALF
    (((three, counts), noisy),) = draw((adaptive,), SeededNoise(1))
    assert (three, counts.tolist()) == (3, [1, 4])
    assert noisy.shape == (1,)
    assert [stage.epsilon for stage in stages_of((adaptive,))] == [sure, sure, HALF]


def test_many_runs_give_rows_of_numbers_by_their_own_keys_or_by_that_of_an_audit() -> None:
    own = Adaptive(number(0), lambda outcome: int(outcome > 0), lambda key: (number(1000 * key),) * (1 + key), 2 * HALF)
    rows = draw_rows((own,), SeededNoise(1), 500)
    assert rows.shape == (500, 3)
    assert (rows[rows[:, 0] > 0, 1:] > 500).all()
    assert not rows[rows[:, 0] <= 0, 2].any()
    fixed = Adaptive(
        vector([5, 6]), lambda noisy: noisy.tobytes(), lambda _: (vector([1, 2, 3]),), HALF, audit_key=b"x"
    )
    assert draw_rows((fixed,), SeededNoise(1), 500).shape == (500, 5)
