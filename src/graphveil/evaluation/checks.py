"""Ways to try a sentence about curves: which is lower, by how much, whether it rises or falls."""

from __future__ import annotations

from collections.abc import Sequence
from operator import gt, lt

from graphveil.evaluation.statements import Check, Finding, View, makes_checks

SHOWN = 3  # exceptions that are spelled out
TOLERANCE = 0.10  # of a stated percentage, in percentage points: lines are read off with about that


def lower(
    series: str, than: Sequence[str], metrics: Sequence[str], xs: Sequence[float] = (), *, most: bool = False
) -> Check:
    """A series has a smaller value than all others at every x, or at more than half of all comparisons."""
    return _ranked("lower", series, than, metrics, xs, most=most)


def higher(series: str, than: Sequence[str], metrics: Sequence[str], xs: Sequence[float] = ()) -> Check:
    """A series has a larger value than each of the others at every x."""
    return _ranked("higher", series, than, metrics, xs)


@makes_checks
def _ranked(
    view: View,
    word: str,
    series: str,
    than: Sequence[str],
    metrics: Sequence[str],
    xs: Sequence[float],
    *,
    most: bool = False,
) -> Finding | None:
    wins = lt if word == "lower" else gt
    cases = _cases(view, series, than, metrics, xs)
    if not cases:
        return None
    lost = [words for words, own, other in cases if not wins(own, other)]
    won = len(cases) - len(lost)
    holds = won > len(cases) / 2 if most else not lost
    return Finding(holds, f"{word} in {won} of {len(cases)} comparisons{_except(lost)}")


@makes_checks
def gains(
    view: View, series: str, than: Sequence[str], metrics: Sequence[str], *, loses: bool = False
) -> Finding | None:
    """The value of a series over that of each other is smaller at the right end than at the left (or larger)."""
    words, right = [], []
    for metric in metrics:
        for other in than:
            pairs = [(own, its) for _, own, its in _pairs(view, series, other, metric, ()) if its > 0]
            if len(pairs) >= 2:
                first, last = pairs[0][0] / pairs[0][1], pairs[-1][0] / pairs[-1][1]
                right.append(last > first if loses else last < first)
                words.append(f"{metric} {first:.3g} of {other}'s at the left end, {last:.3g} at the right")
    return Finding(all(right), "; ".join(words)) if words else None


@makes_checks
def reduced(
    view: View, series: str, than: Sequence[str], metric: str, low: float, high: float, xs: Sequence[float] = ()
) -> Finding | None:
    """The value of a series is lower than that of others by `low` to `high` (shares of theirs; negative: higher).

    It holds if our smallest and our largest reduction lie within ten percentage points of the stated ones.
    """
    cases = [(own, other) for _, own, other in _cases(view, series, than, (metric,), xs) if other > 0]
    if not cases:
        return None
    reductions = [1 - own / other for own, other in cases]
    return Finding(_near(reductions, low, high), f"{metric} lower by {_span(reductions)}")


@makes_checks
def increased(view: View, series: str, than: Sequence[str], metric: str, low: float, high: float) -> Finding | None:
    """The value of a series is above that of others by `low` to `high`, of theirs or of its own: papers say neither."""
    cases = [(own, other) for _, own, other in _cases(view, series, than, (metric,), ()) if own > 0 and other > 0]
    if not cases:
        return None
    of_theirs, of_own = [own / other - 1 for own, other in cases], [1 - other / own for own, other in cases]
    near = [_near(shares, low, high) for shares in (of_theirs, of_own)]
    text = f"{metric} higher by {_span(of_theirs)} of theirs, {_span(of_own)} of its own"
    return Finding(any(near), text)


@makes_checks
def rises(view: View, series: Sequence[str], metric: str, *, falls: bool = False) -> Finding | None:
    """The value at the right end is above (or below) that at the left end, in every one of these series."""
    changes = {}
    for name in series:
        ends = [view.value(name, x, metric) for x in view.xs(name, metric)]
        known = [value for value in ends if value is not None]
        if len(known) >= 2 and known[0] > 0:
            changes[name] = known[-1] / known[0]
    if not changes:
        return None
    right = [change < 1 if falls else change > 1 for change in changes.values()]
    word = "falls" if falls else "rises"
    text = f"{word} in {sum(right)} of {len(right)} lines, to {min(changes.values()):.3g} to "
    return Finding(all(right), text + f"{max(changes.values()):.3g} times the value at the left end")


@makes_checks
def lowest_at(view: View, series: Sequence[str], metric: str, best: float) -> Finding | None:
    """Every one of these series has its smallest value at this x."""
    places = []
    for name in series:
        line = [(value, x) for x in view.xs(name, metric) if (value := view.value(name, x, metric)) is not None]
        if len(line) > 1:
            places.append(min(line)[1])
    if not places:
        return None
    text = f"smallest at {', '.join(f'{x:g}' for x in sorted(set(places)))} in {len(places)} lines"
    return Finding(set(places) == {best}, text)


@makes_checks
def within(view: View, series: str, of: str, metric: str, share: float, xs: Sequence[float] = ()) -> Finding | None:
    """A series stays within a share of the value of another."""
    off = [(x, own / other - 1) for x, own, other in _pairs(view, series, of, metric, xs) if other != 0]
    if not off:
        return None
    words = ", ".join(f"{_percent(value, sign=True)} at {x:g}" for x, value in off)
    return Finding(all(abs(value) <= share for _, value in off), words)


@makes_checks
def nearer(view: View, series: str, than: Sequence[str], target: str, metric: str) -> Finding | None:
    """A series is nearer to a target than each of the others at every x."""
    won, lost = 0, []
    for other in than:
        for x, own, goal in _pairs(view, series, target, metric, ()):
            rival = view.value(other, x, metric)
            if rival is None:
                continue
            if abs(own - goal) < abs(rival - goal):
                won += 1
            else:
                lost.append(f"{x:g} against {other} ({own:.4g} and {rival:.4g}, goal {goal:.4g})")
    if not won and not lost:
        return None
    return Finding(not lost, f"nearer in {won} of {won + len(lost)} comparisons{_except(lost)}")


def _pairs(view: View, series: str, other: str, metric: str, xs: Sequence[float]) -> list[tuple[float, float, float]]:
    found = []
    for x in xs or view.xs(series, metric):
        own, its = view.value(series, x, metric), view.value(other, x, metric)
        if own is not None and its is not None:
            found.append((x, own, its))
    return found


def _cases(
    view: View, series: str, than: Sequence[str], metrics: Sequence[str], xs: Sequence[float]
) -> list[tuple[str, float, float]]:
    return [
        (f"{x:g} ({metric}, {other})", own, its)
        for metric in metrics
        for other in than
        for x, own, its in _pairs(view, series, other, metric, xs)
    ]


def _except(lost: Sequence[str]) -> str:
    more = f" and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
    return f", not at {', '.join(lost[:SHOWN])}{more}" if lost else ""


def _near(shares: Sequence[float], low: float, high: float) -> bool:
    return abs(min(shares) - low) <= TOLERANCE and abs(max(shares) - high) <= TOLERANCE


def _span(shares: Sequence[float]) -> str:
    return f"{_percent(min(shares))} to {_percent(max(shares))}"


def _percent(share: float, *, sign: bool = False) -> str:
    return f"{100 * share:+.3g} %" if sign else f"{100 * share:.3g} %"
