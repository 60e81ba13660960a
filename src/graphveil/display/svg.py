"""Charts as SVG text: lines with bands, points with intervals, and the bar of a budget.

They need no plotting library and nothing from outside. Colours are Okabe and Ito's, which people with colour-blindness
can tell apart, and lines also differ in their dashes. Each chart carries its description for those who do not see it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

BLUE, SKY, ORANGE = "#0072B2", "#56B4E9", "#D55E00"
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#E69F00", SKY)
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "12 4")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 480, 260, 78, 14, 14, 46  # letters stay legible on a phone
LEGEND_STEP, LETTER, HEADROOM = 17, 8, 0.05
_TEXT = 'font-family="system-ui, sans-serif" font-size="13" fill="currentColor"'


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale of a chart: values from `low` to `high` on pixels from `start` to `end`; a logarithmic one has no 0."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    @classmethod
    def over(
        cls, values: Sequence[float], start: float, end: float, *, logarithmic: bool = False, zero: bool = False
    ) -> Axis:
        """An axis that shows all finite values, and 0 where it is asked for."""
        finite = [value for value in values if math.isfinite(value) and not (logarithmic and value <= 0)]
        if zero and not logarithmic:
            finite.append(0.0)
        low, high = (min(finite), max(finite)) if finite else (1.0, 2.0)
        if low == high:
            low, high = (low / 2, high * 2) if logarithmic else (low - 1, high + 1)
        return cls(low, high, start, end, logarithmic)

    def place(self, value: float) -> float:
        """The pixel of a value; one outside lies at the nearer end."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def marks(self, most: int = 6) -> list[float]:
        """Round values within the axis, at most about so many."""
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = (1, 2, 5) if len(powers) <= 3 else (1,)
            inside = [step * 10.0**power for power in powers for step in steps]
            inside = [value for value in inside if self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)]
            return inside[:: max(1, math.ceil(len(inside) / most))] or [self.low]
        step = _round_step((self.high - self.low) / most)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def mark_text(value: float) -> str:
    """The text at a mark: few digits, thousands apart.

    >>> mark_text(20000.0), mark_text(0.1 + 0.2), mark_text(1e7)
    ('20,000', '0.3', '1e+07')
    """
    if abs(value) >= 10**7:
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.3g}"


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart, and the band around it if there is one."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = field(default=())
    high: Sequence[float] = field(default=())


def lines(
    drawn: Sequence[Line],
    *,
    title: str,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
    points: bool = False,
    names: Mapping[int, str] | None = None,
) -> str:
    """Lines over common axes, and a legend below where there are several; `points` draws dots with intervals.

    `names` are those of places on the horizontal axis, which are then marked instead of round numbers.
    """
    across = Axis.over([v for line in drawn for v in line.x], LEFT, WIDTH - RIGHT, logarithmic=log_x)
    values = [v for line in drawn for part in (line.y, line.low, line.high) for v in part]
    if points and values:  # room above the highest one
        values.append(max(values) + HEADROOM * (max(values) - min(0.0, *values)))
    upward = Axis.over(values, HEIGHT - BOTTOM, TOP, logarithmic=log_y, zero=not log_y)
    parts = [*_grid(across, upward, x, y, _spread(names or {}))]
    for place, line in enumerate(drawn):
        colour, dash = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
        spots = [
            (across.place(a), upward.place(b))
            for a, b in zip(line.x, line.y, strict=True)
            if _drawable(a, log=log_x) and _drawable(b, log=log_y)
        ]
        dots = points or len(line.x) == 1
        parts += _intervals(line, across, upward, colour) if dots else [_band(line, across, upward, colour)]
        if dots:
            parts += [f'<circle cx="{a}" cy="{b}" r="3" fill="{colour}"/>' for a, b in spots]
        else:
            path = " ".join(f"{a},{b}" for a, b in spots)
            parts.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
            )
    legend = _legend(drawn, points=points) if len(drawn) > 1 else []
    return _svg(title, HEIGHT + LEGEND_STEP * len(drawn) * bool(legend), [*parts, *legend])


def ranges(rows: Sequence[tuple[str, float, float, float]], *, title: str, x: str) -> str:
    """A row for each (name, value, low, high): a dot with its interval, under a common axis."""
    left, step = min(WIDTH / 2, max(150, LETTER * max((len(name) for name, *_ in rows), default=0))), 30
    height = TOP + step * len(rows) + BOTTOM
    across = Axis.over([v for _, *values in rows for v in values], left, WIDTH - RIGHT, zero=True)
    parts = []
    for mark in across.marks():
        at = across.place(mark)
        parts.append(_rule(at, at, TOP, height - BOTTOM))
        parts.append(_label(at, height - BOTTOM + 16, mark_text(mark), "middle"))
    for number, (name, value, low, high) in enumerate(rows):
        y = TOP + step * (number + 0.5)
        ends = [across.place(end) for end in (low, high)]
        parts.append(_label(left - 10, y + 4, _cut(name, int(left / LETTER)), "end"))
        parts.append(f'<line x1="{ends[0]}" x2="{ends[1]}" y1="{y}" y2="{y}" stroke="{SKY}" stroke-width="7"/>')
        parts.append(f'<circle cx="{across.place(value)}" cy="{y}" r="4" fill="{BLUE}"/>')
    parts.append(_label((left + WIDTH - RIGHT) / 2, height - 8, x, "middle"))
    return _svg(title, height, parts)


def budget_bar(spent: Sequence[tuple[str, float]], budget: float, *, title: str) -> str:
    """What was spent, part by part, of a budget, and what is left."""
    total, height, parts, start = max(budget, sum(part for _, part in spent)), 74, [], 0.0
    width = WIDTH - 2 * RIGHT
    for number, (name, part) in enumerate(spent):
        begin, length = RIGHT + width * start / total, width * part / total
        colour = (BLUE, SKY)[number % 2]
        parts.append(
            f'<rect x="{begin:.1f}" y="10" width="{length:.1f}" height="26" fill="{colour}">'
            f"<title>{escape(name)}: epsilon {part:g}</title></rect>"
        )
        start += part
    parts.append(
        f'<rect x="{RIGHT}" y="10" width="{width * budget / total:.1f}" height="26" fill="none" stroke="currentColor"/>'
    )
    parts.append(_label(RIGHT, 56, f"spent: epsilon {min(start, total):.6g}", "start"))
    parts.append(_label(WIDTH - RIGHT, 56, f"left: {max(0.0, budget - start):.6g} of {budget:.6g}", "end"))
    return _svg(title, height, parts)


def _spread(names: Mapping[int, str]) -> dict[float, str]:
    """Names that have room side by side: all, or every second, every third and so on."""
    most = max(1, (WIDTH - LEFT - RIGHT) // (LETTER * max(map(len, names.values()), default=1) + LETTER))
    return {place: names[place] for place in sorted(names)[:: max(1, math.ceil(len(names) / most))]}


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _grid(across: Axis, upward: Axis, x: str, y: str, names: Mapping[float, str]) -> list[str]:
    parts = []
    for mark, text in (names or {mark: mark_text(mark) for mark in across.marks()}).items():
        at = across.place(mark)
        parts.append(_rule(at, at, TOP, HEIGHT - BOTTOM))
        parts.append(_label(min(at, WIDTH - LETTER * len(text) / 2), HEIGHT - BOTTOM + 16, text, "middle"))
    for mark in upward.marks():
        at = upward.place(mark)
        parts.append(_rule(LEFT, WIDTH - RIGHT, at, at))
        parts.append(_label(LEFT - 8, at + 4, mark_text(mark), "end"))
    parts.append(_label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<g transform="rotate(-90 14 {middle})">{_label(14, middle, y, "middle")}</g>')
    return parts


def _band(line: Line, across: Axis, upward: Axis, colour: str) -> str:
    if not line.low:
        return ""
    upper = [(across.place(a), upward.place(b)) for a, b in zip(line.x, line.high, strict=True)]
    lower = [(across.place(a), upward.place(b)) for a, b in zip(line.x, line.low, strict=True)]
    path = " ".join(f"{a},{b}" for a, b in [*upper, *lower[::-1]])
    return f'<polygon points="{path}" fill="{colour}" opacity=".2"/>'


def _intervals(line: Line, across: Axis, upward: Axis, colour: str) -> list[str]:
    return [
        f'<line x1="{across.place(a)}" x2="{across.place(a)}" y1="{upward.place(low)}" y2="{upward.place(high)}" '
        f'stroke="{colour}" stroke-width="4" opacity=".35"/>'
        for a, low, high in zip(line.x, line.low, line.high, strict=False)
    ]


def _legend(drawn: Sequence[Line], *, points: bool) -> list[str]:
    parts = []
    for place, line in enumerate(drawn):
        y, colour, dash = HEIGHT + LEGEND_STEP * place + 4, COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
        parts.append(
            f'<circle cx="{LEFT + 16}" cy="{y}" r="3" fill="{colour}"/>'
            if points or len(line.x) == 1
            else f'<line x1="{LEFT}" x2="{LEFT + 32}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
        parts.append(_label(LEFT + 40, y + 4, line.name, "start"))
    return parts


def _rule(x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}" stroke="currentColor" opacity=".13"/>'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {_TEXT}>{escape(text)}</text>'


def _drawable(value: float, *, log: bool) -> bool:
    return math.isfinite(value) and not (log and value <= 0)


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    told = escape(title, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img" '
        f'aria-label="{told}" style="max-width:100%;height:auto"><title>{told}</title>{"".join(parts)}</svg>'
    )
