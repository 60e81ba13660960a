"""Draws of one page on one graph: how wrong they are, how often their intervals hold, how long these are.

A run is timed as in a session. After that, statistics that do not depend on noise are remembered from draw to draw, so
that hundreds of draws are cheap on large graphs too; the law of the answers is the same.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

from graphveil.central.page import Answer, Page
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SeededNoise

REMEMBERED = (
    "exact_triangles", "exact_k_stars", "neighbour_front", "star_front", "heaviest_change", "total_clustering",
    "exact_class_sums", "count_soft_cells", "neighbour_degree_sums", "exact_degree_products", "exact_components",
    "exact_degeneracy",
)  # fmt: skip
ROUNDING = 1e-6
FLOORS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)  # over the mean root mean square error of an entry


@dataclass(frozen=True)
class Draws:
    """What was seen. `width` is relative to the shortest interval that would have held in 95 % of the draws."""

    errors: np.ndarray
    held: float
    width: float
    seconds: float


def draw(
    page: Page, graph: Graph, truth: Any, error: Callable[[Any, Any], float], count: int,
    spoken_of: Callable[[Graph, Answer], Any] | None = None,
) -> Draws:  # fmt: skip
    """So many seeded runs; `spoken_of` is what the interval speaks of where that is not the truth itself."""
    noise, target = SeededNoise(2026), np.asarray(truth, dtype=np.float64)
    page.run(graph, noise)  # compiled before the clock starts
    start = time.process_time()
    page.run(graph, noise)
    seconds = time.process_time() - start
    errors, held, widths = [], 0, Widths()
    with exact_statistics_remembered():
        for _ in range(count):
            answer = page.run(graph, noise)
            errors.append(error(np.asarray(answer.value), target))
            known = target if spoken_of is None else np.asarray(spoken_of(graph, answer), dtype=np.float64)
            held += widths.add(answer, np.atleast_1d(known))
    return Draws(np.array(errors), held / count, widths.ratio(), seconds)


@contextmanager
def exact_statistics_remembered() -> Iterator[None]:
    """Functions of the graph alone are computed once."""
    found = [
        (module, name)
        for module in [module for key, module in sys.modules.items() if key.startswith("graphveil.")]
        for name in REMEMBERED
        if hasattr(module, name)
    ]
    remembered = {name: cache(getattr(module, name)) for module, name in found}
    patches = [patch.object(module, name, remembered[name]) for module, name in found]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


class Widths:
    """Half-widths and errors, entry by entry; of a one-sided interval the distance of its end.

    An interval of a vector holds if it holds for all entries at once. The shortest that would have is searched among
    bands of half-width c max(s_i, f), s_i the root mean square error of entry i, c the 95 % quantile of the largest
    ratio; for single numbers it is the 95 % quantile of the errors. A vector with upper ends only has none to compare.
    """

    def __init__(self) -> None:
        self.errors: list[np.ndarray] = []
        self.widths: list[np.ndarray] = []
        self.comparable = True

    def add(self, answer: Answer, truth: np.ndarray) -> bool:
        """Note one draw; whether its interval holds."""
        value = np.atleast_1d(np.asarray(answer.value, dtype=np.float64))
        low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in answer.accuracy.interval(0.95))
        band = answer.accuracy.band(0.95)
        one_sided = [not np.all(np.isfinite(side)) for side in (band.below, band.above)]
        self.comparable &= len(value) == 1 or not any(one_sided)
        size = len(truth)
        known = np.pad(truth, (0, max(0, len(value) - size)))[: len(value)]
        width = (high - low) / 2 if not any(one_sided) else (high - value if one_sided[0] else value - low)
        self.errors.append(_sized(value, size, 0.0) - truth)
        self.widths.append(_sized(width, size, math.nan))
        return bool(np.all(low <= known + ROUNDING) and np.all(known <= high + ROUNDING))

    def ratio(self) -> float:
        """Mean half-width over that of the shortest band."""
        if not self.comparable:
            return math.nan
        errors = np.abs(np.array(self.errors))
        return float(np.nanmean(np.array(self.widths)) / shortest_half_width(errors))


def shortest_half_width(errors: np.ndarray) -> float:
    """Mean half-width of a band that holds in 95 % of these draws (rows) for all entries at once."""
    if errors.shape[1] == 1:
        return float(np.quantile(errors, 0.95))
    spread = np.sqrt((errors**2).mean(axis=0))
    shapes = [np.maximum(spread, max(floor * spread.mean(), 1e-12)) for floor in FLOORS]
    return min(float(np.quantile((errors / shape).max(axis=1), 0.95) * shape.mean()) for shape in shapes)


def _sized(values: np.ndarray, size: int, fill: float) -> np.ndarray:
    return np.concatenate([values[:size], np.full(max(0, size - len(values)), fill)])
