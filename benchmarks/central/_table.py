"""One table for the benchmarks of central releases: a line for every page, graph and epsilon."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from benchmarks.central._draws import Draws, Reading, as_it_stands, draw

from graphveil.central.query import Query
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset

SELDOM = 1e-3  # an interval that holds in 94 % of all draws is called too short with this probability


@dataclass(frozen=True)
class Line:
    """A page, the truth, how errors are measured, and the targets at epsilon 1 by graph."""

    title: str
    page: Callable[..., Query]
    truth: Callable[[Graph], Any]
    error: Callable[[Any, Any], float] | None  # none: the interval speaks of the error
    targets: Mapping[str, float] = field(default_factory=dict)
    of_mean: bool = False  # the target is for the mean error, not the median
    reading: Reading = as_it_stands  # what the interval speaks of
    slowest: float = math.inf  # a run may take so many units of time
    options: Callable[[Graph], Mapping[str, Any]] = lambda _: {}  # public parameters that go with a graph


def relative(released: Any, truth: Any) -> float:
    """Relative error of a count."""
    return abs(float(released) - float(truth)) / max(1.0, float(truth))


def distance(released: Any, truth: Any) -> float:
    """Absolute error."""
    return abs(float(released) - float(truth))


def print_table(lines: list[Line], unit_of_time: Callable[[Graph], float]) -> None:
    """All lines on all graphs at epsilon 1, or those lines, graphs and epsilons that the command line names."""
    lines, names, epsilons = _asked_for(lines)
    print(
        f"{'page':20} {'graph':12} {'eps':>4} {'draws':>5} {'mean':>9} {'s.e.':>8} {'median':>9} {'worst':>8} "
        f"{'held':>5} {'chance':>7} {'length':>9} {'time':>6} {'target':>7}"
    )
    verdicts: list[str] = []
    for name in names:
        graph = load_dataset(name)
        once = unit_of_time(graph)
        for epsilon in epsilons:
            for line in lines:
                try:
                    page = line.page(epsilon=epsilon, **line.options(graph))
                except ParameterError:  # refused at this epsilon
                    continue
                seen = draw(page, graph, line.truth(graph), line.error, line.reading)
                verdicts.append(_verdict(seen, once, line, line.targets.get(name) if epsilon == 1 else None))
                row = f"{_row(seen, once)} {verdicts[-1]}"
                print(f"{line.title:20} {name:12} {float(epsilon):4g} {row}", flush=True)
    failed = sum(verdict != verdict.lower() for verdict in verdicts)
    print(f"{len(verdicts)} lines, {failed} with a missed target, an interval too short, or a run too slow")


def _asked_for(lines: list[Line]) -> tuple[list[Line], list[str], list[Fraction]]:
    """Lines, graphs and epsilons that the command line names, in any order; where it names none of a kind, all."""
    titles = [line.title.strip() for line in lines]
    parser = argparse.ArgumentParser(
        description="Errors, intervals and times of central releases, a line for every page and graph.",
        epilog=f"Pages: {', '.join(map(repr, titles))}. Graphs: {', '.join(DATASETS)}. `length` is the mean "
        "half-width of the 95 % interval, or its distance from the truth (lists) or value where it is one-sided.",
    )
    parser.add_argument("only", nargs="*", help="pages, graphs and epsilons (default: all of them, at epsilon 1)")
    only = parser.parse_args().only
    numbers = {word: number for word in only if (number := _positive(word))}
    if unknown := sorted(set(only) - {*titles, *DATASETS, *numbers}):
        parser.error(f"neither a page nor a graph nor an epsilon: {', '.join(map(repr, unknown))}; see --help")
    asked = [line for line, title in zip(lines, titles, strict=True) if title in only]
    graphs = [name for name in DATASETS if name in only]
    return asked or lines, graphs or list(DATASETS), list(numbers.values()) or [Fraction(1)]


def _positive(word: str) -> Fraction | None:
    try:
        return Fraction(word) if Fraction(word) > 0 else None
    except (ValueError, ZeroDivisionError):
        return None


def _row(seen: Draws, once: float) -> str:
    errors = seen.errors
    spread = errors.std(ddof=1) / math.sqrt(len(errors))
    numbers = f"{errors.mean():9.6f} {spread:8.6f} {np.median(errors):9.6f} {errors.max():8.5f}"
    share = seen.held / len(errors)
    return f"{len(errors):5} {numbers} {share:5.3f} {seen.chance:7.4f} {seen.length:9.4g} {seen.seconds / once:6.3f}"


def _verdict(seen: Draws, once: float, line: Line, target: float | None) -> str:
    """What was asked, and in capitals what is not so."""
    words = []
    if target is not None:
        reached = seen.errors.mean() if line.of_mean else np.median(seen.errors)
        words.append(f"{target:7g} {'met' if reached <= target else 'MISSED'}")
    if seen.chance < SELDOM:
        words.append("SHORT")
    if seen.seconds > line.slowest * once:
        words.append("SLOW")
    return " ".join(words)
