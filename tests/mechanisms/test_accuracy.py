"""What an accuracy says of a value: bands that hold, for all entries at once, cut to what is possible."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_accuracy

RATE = Fraction(1, 4)


def beyond(k: float) -> float:
    """P(|X| > k) for discrete Laplace noise, summed up."""
    r = math.exp(-float(RATE))
    return sum(2 * (1 - r) / (1 + r) * r**x for x in range(int(k) + 1, 400))


@pytest.mark.parametrize("entries", [1, 7])
def test_bands_hold_for_all_entries_together_and_are_the_shortest_that_do(entries: int) -> None:
    accuracy = discrete_laplace_accuracy((0,) * entries, RATE, entries=entries)
    assert [band.confidence for band in accuracy.bands] == list(LEVELS)
    for band in accuracy.bands:
        assert band.below == band.above
        assert entries * beyond(band.above) <= 1 - band.confidence
        assert entries * beyond(band.above - 1) > 1 - band.confidence


def test_ends_are_cut_to_the_support_and_to_nothing_else() -> None:
    bands = (Band(0.95, 8.0, 2.0),)
    assert Accuracy(5, 1.0, bands).interval() == (-3, 7)
    assert Accuracy(5, 1.0, bands, support=(0, 6)).interval() == (0, 6)
    assert Accuracy((5, 1), 1.0, (Band(0.95, (8.0, 1.0), 2.0),)).interval() == ((-3, 0), (7, 3))


def test_the_next_level_answers_and_none_beyond_the_last() -> None:
    accuracy = Accuracy(0, None, (Band(0.5, 1.0, 1.0), Band(0.9, 3.0, 3.0)))
    assert accuracy.interval(0.5) == (-1, 1)
    assert accuracy.interval(0.51) == accuracy.interval(0.9) == (-3, 3)
    for wrong in (0, 0.91, 1):
        with pytest.raises(ParameterError):
            accuracy.interval(wrong)


def test_what_is_not_known_is_null_in_json() -> None:
    told = Accuracy(4, math.inf, (Band(0.95, math.inf, 2.0),)).to_json()
    assert told == {"std": None, "interval95": [None, 6.0], "simultaneous": False, "bias": "none", "scope": ""}
    assert Accuracy((4, 5), None, ()).to_json()["simultaneous"] is False
    assert Accuracy((4, 5), None, (Band(0.95, 1.0, 1.0),)).to_json()["simultaneous"] is True
