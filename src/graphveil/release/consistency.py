"""Answers released together are made to agree: free, because only released values are used.

- Histogram and number of people: the histogram is scaled to sum to the number that was released on its own.
- Triangles and degrees: every triangle closes three 2-stars, so there are at most a third as many triangles as 2-stars,
  whether those were released themselves or follow from released degrees; a larger number is cut to that.

A value that moves keeps its bands where they were: they speak of the truth, not of the value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from graphveil.central.page import Answer, Stage
from graphveil.mechanisms.accuracy import Accuracy, Band, Spread, Value


def reconcile(answers: Mapping[str, Answer]) -> dict[str, Answer]:
    """The same answers by query, made to agree with each other."""
    agreed = dict(answers)
    if "nodes" in agreed and "degree-histogram" in agreed:
        agreed["degree-histogram"] = _scaled_to(agreed["degree-histogram"], _number(agreed["nodes"].value))
    stars = _two_stars(agreed)
    if "triangles" in agreed and stars is not None:
        agreed["triangles"] = _at_most(agreed["triangles"], math.floor(stars / 3))
    return agreed


def _two_stars(answers: Mapping[str, Answer]) -> float | None:
    """2-stars, as released or as degrees imply them."""
    if "2-stars" in answers:
        return _number(answers["2-stars"].value)
    if "degree-sequence" in answers:
        return math.fsum(d * (d - 1) / 2 for d in _numbers(answers["degree-sequence"].value))
    if "degree-histogram" in answers:
        people = _numbers(answers["degree-histogram"].value)
        return math.fsum(count * d * (d - 1) / 2 for d, count in enumerate(people))
    return None


def _at_most(answer: Answer, limit: int) -> Answer:
    value = _number(answer.value)
    if value <= limit:
        return answer
    stage = Stage("cut to a third of the 2-stars that were released with it, the most there can be")
    accuracy = _moved(answer.accuracy, limit, (value - limit,))
    return replace(answer, value=limit, accuracy=accuracy, stages=(*answer.stages, stage))


def _scaled_to(answer: Answer, people: float) -> Answer:
    values = _numbers(answer.value)
    total = math.fsum(values)
    if total <= 0 or total == people:
        return answer
    scaled = tuple(value * people / total for value in values)
    stage = Stage("scaled to the number of people that was released with it")
    shifts = tuple(old - new for old, new in zip(values, scaled, strict=True))
    return replace(
        answer, value=scaled, accuracy=_moved(answer.accuracy, scaled, shifts), stages=(*answer.stages, stage)
    )


def _moved(accuracy: Accuracy, value: Value, shifts: tuple[float, ...]) -> Accuracy:
    """The same bands around a value that lies lower by `shifts`; they are stretched to hold it."""
    bands = tuple(
        Band(band.confidence, _shifted(band.below, shifts, -1), _shifted(band.above, shifts, 1))
        for band in accuracy.bands
    )
    return replace(accuracy, value=value, bands=bands)


def _shifted(spread: Spread, shifts: tuple[float, ...], sign: int) -> Spread:
    distances = spread if isinstance(spread, tuple) else (spread,) * len(shifts)
    moved = tuple(max(0.0, distance + sign * shift) for distance, shift in zip(distances, shifts, strict=True))
    return moved if isinstance(spread, tuple) or len(moved) > 1 else moved[0]


def _number(value: Value) -> float:
    assert isinstance(value, int | float)
    return value


def _numbers(value: Value) -> list[float]:
    assert isinstance(value, tuple)
    return [_number(entry) for entry in value]
