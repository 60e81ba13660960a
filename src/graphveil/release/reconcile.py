"""Answers released together are made to agree: free, because only released values are used.

- Histogram and number of people: the histogram is scaled to sum to the number that was released on its own.
- Triangles and degrees: every triangle closes three 2-stars, so there are at most a third as many triangles as 2-stars,
  whether those were released themselves or follow from released degrees; a larger number is cut to that. Of the 2-stars
  the upper end of the 95 % interval is taken: a precise number is not moved by the noise of another. Where degrees were
  cut there is none, and nothing is said.

A value that moves keeps its bands where they were: they speak of the truth, not of the value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from graphveil.central.query import Answer, Stage
from graphveil.mechanisms.accuracy import Accuracy, Band, Spread, Value

CONFIDENCE = 0.95


def reconcile(answers: Mapping[str, Answer], people: float = math.inf) -> dict[str, Answer]:
    """The same answers by query, made to agree with each other; `people` is their number where it is public."""
    agreed = dict(answers)
    if "nodes" in agreed and "degree-histogram" in agreed:
        agreed["degree-histogram"] = _scaled_to(agreed["degree-histogram"], _number(agreed["nodes"].value))
    if "triangles" in agreed:
        told = {query: answer for query, answer in agreed.items() if answer.accuracy.bands}  # a plug-in may have none
        stars = min(_most_two_stars(told, people), default=math.inf)
        if stars < math.inf:
            agreed["triangles"] = _at_most(agreed["triangles"], math.floor(stars / 3))
    return agreed


def _most_two_stars(answers: Mapping[str, Answer], people: float) -> Iterator[float]:
    """How many 2-stars there can be, by each of the answers that speak of them."""
    if "2-stars" in answers:
        yield _number(answers["2-stars"].accuracy.interval(CONFIDENCE)[1])
    if "degree-sequence" in answers:
        yield math.fsum(d * (d - 1) / 2 for d in _numbers(answers["degree-sequence"].accuracy.interval(CONFIDENCE)[1]))
    for query, each in (("degree-histogram", 1), ("degree-distribution", people)):
        if query in answers and _is_two_sided(answers[query]):
            yield each * _stars_of_histogram(answers[query])


def _is_two_sided(answer: Answer) -> bool:
    """Otherwise degrees were cut, and people may have more neighbours than the histogram goes on to."""
    below = answer.accuracy.band(CONFIDENCE).below
    return all(map(math.isfinite, below if isinstance(below, tuple) else (below,)))


def _stars_of_histogram(answer: Answer) -> float:
    """Everybody has as high a degree as the upper ends of the entries allow."""
    left, stars = math.fsum(_numbers(answer.value)), 0.0
    for degree, most in reversed(list(enumerate(_numbers(answer.accuracy.interval(CONFIDENCE)[1])))):
        here = min(left, most)
        left -= here
        stars += here * degree * (degree - 1) / 2
    return stars


def _at_most(answer: Answer, limit: int) -> Answer:
    value = _number(answer.value)
    if value <= limit:
        return answer
    stage = Stage("cut to a third of the 2-stars that there can be by what was released with it")
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
