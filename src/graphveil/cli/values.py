"""What releases print: every entry of a list with its label, value and 95 % interval, and of a ledger that is new."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from graphveil.cli.output import note, print_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from graphveil.mechanisms.release import Release

WIDTH = 110
MOST_LINES = 40  # on a terminal; the rest has a command that prints it

_HEADINGS = {
    "degree-histogram": "degree: people [95 % interval]",
    "degree-distribution": "degree: share of people [95 % interval]",
    "degree-sequence": "place: degree [95 % interval]",
    "in-degree-histogram": "pointed at by so many: people [95 % interval]",
    "out-degree-histogram": "points at so many: people [95 % interval]",
    "strength-histogram": "strength: people [95 % interval]",
    "dyads": "pairs [95 % interval]",
    "joint-degrees": "about so many friends at either end: edges [95 % interval]",
    "attribute-histogram": "value: people [95 % interval]",
    "mixing": "groups at either end: edges [95 % interval]",
    "group-triangles": "groups at the corners: triangles [95 % interval]",
    "clustering-by-degree": "about so many friends: mean clustering [95 % interval]",
}


def print_lists(releases: Sequence[Release], *, rest: str | None) -> None:
    """Print every list of some releases; a long one is cut where `rest` says which command prints all of it."""
    for item in releases:
        if isinstance(item.value, tuple) and item.value:
            lines = list_lines(item)
            shown = lines if rest is None else lines[:MOST_LINES]
            heading = _HEADINGS.get(item.query, "")
            print_line(f"{item.title}, {heading}" if heading else f"{item.title}:")
            for line in shown:
                print_line(f"  {line}")
            if len(shown) < len(lines):
                print_line(f"  … {len(lines) - len(shown)} more lines; all of them: {rest}")


def list_lines(item: Release) -> list[str]:
    """The entries of a list in columns, as many in a line as fit."""
    cells = _cells(item)
    width = max(map(len, cells)) + 2
    columns = max(1, WIDTH // width)
    rows = (cells[start : start + columns] for start in range(0, len(cells), columns))
    return ["".join(cell.ljust(width) for cell in row).rstrip() for row in rows]


def _cells(item: Release) -> list[str]:
    """Each entry with its label, and its interval where it has one of its own."""
    from graphveil.mechanisms.release import short
    from graphveil.privacy.rounding import lower_end, upper_end

    values: Any = item.value
    if item.accuracy.center is not None or any(isinstance(entry, str | tuple) for entry in values):
        return [" - ".join(map(str, entry)) if isinstance(entry, tuple) else str(entry) for entry in values]
    labels, intervals = _labels(item), [""] * len(values)
    if item.accuracy.bands:
        lows, highs = item.accuracy.interval(0.95)
        if isinstance(lows, tuple) and isinstance(highs, tuple):
            least, most = item.accuracy.support
            intervals = [
                f" [{lower_end(low)}, {upper_end(high)}]{' unknown' if least >= low and high >= most else ''}"
                for low, high in zip(lows, highs, strict=True)
            ]
    texts = [f"{short(value)}{end}" for value, end in zip(values, intervals, strict=True)]
    return _joined(labels, texts)


def _joined(labels: list[str], texts: list[str]) -> list[str]:
    """Labels with their texts; neighbours with the same text share a cell."""
    cells = []
    for text, run in groupby(zip(labels, texts, strict=True), key=lambda pair: pair[1]):
        names = [label for label, _ in run]
        alike = len(names) > 2 and all(name.isdecimal() for name in names)
        cells += [f"{names[0]} to {names[-1]}: {text}"] if alike else [f"{name}: {text}" for name in names]
    return cells


def _labels(item: Release) -> list[str]:
    """What each entry speaks of, as tables have it: a number, a name, or two of them."""
    from graphveil.mechanisms.entries import label_columns, last_name

    if named := item.provenance.derived.get("labels"):
        return list(named)
    labels = [" and ".join(map(str, row)) for row in zip(*label_columns(item).values(), strict=True)]
    return [*labels[:-1], last_name(item) or labels[-1]]


def note_new_ledger(ledger: Path | None) -> None:
    """Say on stderr that a ledger will be made beside others: perhaps its name was mistyped."""
    from graphveil.release.account import other_ledgers

    if ledger is not None and not ledger.exists() and (others := other_ledgers(ledger)):
        note(
            f"warning: {ledger} will be a new ledger with a budget of its own{others}: people who are in several "
            "ledgers lose the sum of their budgets"
        )
