"""One table for the benchmarks of central releases: a line for every page, graph and epsilon."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from benchmarks.central._draws import Draws, draw
from scipy.stats import binom

from graphveil.central.page import Answer, Page
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset

FALSE_ALARM = 1e-3


@dataclass(frozen=True)
class Line:
    """A page, the truth, how errors are measured, and the targets at epsilon 1 by graph."""

    title: str
    page: type[Page]
    truth: Callable[[Graph], Any]
    error: Callable[[Any, Any], float]
    targets: Mapping[str, float] = field(default_factory=dict)
    of_mean: bool = False  # the target is for the mean error, not the median
    spoken_of: Callable[[Graph, Answer], Any] | None = None


def relative(released: Any, truth: Any) -> float:
    """Relative error of a count."""
    return abs(float(released) - float(truth)) / max(1.0, float(truth))


def distance(released: Any, truth: Any) -> float:
    """Absolute error."""
    return abs(float(released) - float(truth))


def print_table(lines: list[Line], count: Callable[[Graph], int], unit_of_time: Callable[[Graph], float]) -> None:
    """All lines on all graphs; epsilons from the command line, 1 by default."""
    epsilons = [argument for argument in sys.argv[1:] if argument.replace(".", "").isdigit()] or ["1"]
    columns = f"{'mean':>9} {'s.e.':>8} {'median':>9} {'worst':>9} {'held':>5} {'width':>6} {'time':>6} {'target':>8}"
    print(f"{'page':22} {'graph':13} {'eps':>4} {columns}")
    for name in DATASETS:
        graph = load_dataset(name)
        draws, once = count(graph), unit_of_time(graph)
        for epsilon in map(Fraction, epsilons):
            for line in lines:
                try:
                    page = line.page(epsilon=epsilon)
                except ParameterError:  # refused at this epsilon
                    continue
                row = draw(page, graph, line.truth(graph), line.error, draws, line.spoken_of)
                target = line.targets.get(name) if epsilon == 1 else None
                print(f"{line.title:22} {name:13} {float(epsilon):4g} {_row(row, once, line, target)}", flush=True)
        least = binom.ppf(FALSE_ALARM, draws, 0.95) / draws
        print(
            f"{'':22} {name:13} of {draws} draws; right intervals hold in less than {least:.3f} with probability .001"
        )


def _row(seen: Draws, once: float, line: Line, target: float | None) -> str:
    errors = seen.errors
    mean, median = errors.mean(), np.median(errors)
    spread = errors.std(ddof=1) / math.sqrt(len(errors))
    width = "-" if math.isnan(seen.width) else f"{seen.width:.2f}"
    verdict = (
        "" if target is None else f"{target:8g} {'met' if (mean if line.of_mean else median) <= target else 'MISSED'}"
    )
    numbers = f"{mean:9.6f} {spread:8.6f} {median:9.6f} {errors.max():9.5f}"
    return f"{numbers} {seen.held:5.3f} {width:>6} {seen.seconds / once:6.3f} {verdict}"
