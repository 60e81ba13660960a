"""A release in plain words: what was done, what it cost, what it tells an attacker.

Numbers of a release in text: whole numbers stay whole, and the ends of an interval are rounded outwards.

A number that is no whole one is shown with six digits, a large one without those after the point. What is shown of an
interval therefore holds whatever the interval itself holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.measurement import Stage
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import text_up, tidy_down, tidy_up
from graphveil.privacy.unit import Kind, Trust
from graphveil.release.policy import says_nothing

if TYPE_CHECKING:
    from graphveil.release.release import Release


_LARGE = 100_000  # from here on six digits are all before the point


def lower_end(value: float) -> str:
    """A lower end, never above itself.

    >>> lower_end(1342293.0), lower_end(1342293.7), lower_end(12.3456789), lower_end(-2 / 3)
    ('1,342,293', '1,342,293', '12.3456', '-0.666667')
    """
    if math.isinf(value) or abs(value) >= _LARGE or float(value).is_integer():
        return _whole(value, math.floor)
    return f"{float(tidy_down(_as_printed(value), 6)):,g}"


def upper_end(value: float) -> str:
    """An upper end, never below itself.

    >>> upper_end(1342299.0), upper_end(1342299.2), upper_end(12.3456712), upper_end(0.1), upper_end(1e-9)
    ('1,342,299', '1,342,300', '12.3457', '0.1', '1e-09')
    """
    if math.isinf(value) or abs(value) >= _LARGE or float(value).is_integer():
        return _whole(value, math.ceil)
    return f"{float(tidy_up(_as_printed(value), 6)):,g}"


def nearest(value: float) -> str:
    """A value that is no end of anything.

    >>> nearest(1342293), nearest(1342293.5), nearest(2 / 3)
    ('1,342,293', '1,342,294', '0.666667')
    """
    if math.isinf(value) or abs(value) >= _LARGE or float(value).is_integer():
        return _whole(value, round)
    return f"{float(value):,.6g}"


def _whole(value: float, to_integer: Callable[[float], int]) -> str:
    return f"{value:g}" if math.isinf(value) else f"{to_integer(value):,}"


def _as_printed(value: float) -> Fraction:
    """The shortest decimal that stands for a float: 0.1 is not a little more than a tenth."""
    return Fraction(str(float(value)))


def explain(release: Release) -> str:
    """Stages with their cost, accuracy, and the reading of the guarantee."""
    return "\n".join(
        [
            f"{release.title}: how this answer was made",
            *stage_lines(release.stages, release.guarantee),
            "How accurate it is",
            *(f"  {line}" for line in _accuracy_lines(release)),
            *promise_lines(release.guarantee),
        ]
    )


def stage_lines(stages: Iterable[Stage], guarantee: Guarantee) -> list[str]:
    """A numbered line for each stage; a stage knows what it costs for one edge, a guarantee may be for several."""
    lines = []
    for number, stage in enumerate(stages, 1):
        cost = f" [epsilon {text_up(guarantee.unit.edges * stage.epsilon)}]" if stage.epsilon else ""
        lines.append(f"  {number}. {stage.text}{cost}")
    return lines


def _accuracy_lines(release: Release) -> list[str]:
    accuracy = release.accuracy
    if not accuracy.bands:
        return [accuracy.scope or "no interval is known"]
    lines = [f"with 95 % confidence {interval_words(accuracy)}"]
    if accuracy.bias != "none":
        lines.append(f"bias: {accuracy.bias}")
    if accuracy.scope and accuracy.center is None:
        lines.append(accuracy.scope)
    return [*lines, warning] if (warning := says_nothing(accuracy)) else lines


def interval_words(accuracy: Accuracy) -> str:
    """The 95 % interval as the end of a sentence."""
    low, high = accuracy.interval(0.95)
    if isinstance(low, tuple) or isinstance(high, tuple):
        return "all entries lie within their intervals at once"
    if accuracy.center is not None:
        if accuracy.faultless and high == 0:
            return accuracy.faultless
        return f"{lower_end(low)} to {upper_end(high)} {accuracy.scope}"
    if math.isinf(high):
        return f"the truth is at least {lower_end(low)}"
    return f"the truth lies between {lower_end(low)} and {upper_end(high)}"


def promise_lines(guarantee: Guarantee) -> list[str]:
    """What a guarantee says, what it protects and what not, and what it assumes."""
    lines = [str(guarantee)]
    if guarantee.status in (Status.PROVED, Status.UNREVIEWED):
        what, not_covered = _coverage(guarantee)
        lines.append(f"protected: {what}")
        lines.append(odds_sentence(guarantee.epsilon, delta=guarantee.delta))
        lines.append(f"not protected: {not_covered}")
        lines += [f"assumes: {assumption}" for assumption in guarantee.assumes]
    return ["What it promises", *(f"  {line}" for line in lines)]


def _coverage(guarantee: Guarantee) -> tuple[str, str]:
    """What an attacker hardly learns, and what the promise does not speak of."""
    if guarantee.trust is Trust.LOCAL:
        what = "anything in" if guarantee.unit.kind is Kind.NODE else "whether somebody stands in"
        return f"{what} one person's own list", "what the lists of others say of that person"
    if guarantee.unit.kind is Kind.NODE:
        what = "whether a given person is in the data, and whom they know"
        return what, "what is true of people in general, which would be learnt without this person too"
    k = guarantee.unit.edges
    what = "whether two given people are connected" + (f", and {k} such facts together" if k > 1 else "")
    return what, "that somebody is in the data, or what many edges of one person show together"
