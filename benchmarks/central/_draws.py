"""Draws of one page on one graph: how wrong they are, how often their intervals hold, how long these are.

A run is timed as in a session. After that, statistics that do not depend on noise are remembered from draw to draw, so
that hundreds of draws are cheap on large graphs too, and only the bands that are looked at are made; the law of the
answers is the same. There are 4000 draws where they are cheap, else at least 400, and where these take long at least
100, so that right intervals seldom look wrong. A hundred draws tell how often an interval held, but not how long the
shortest one-sided band of a list would be: from 130 draws that differs by a sixth from one hundred to the next. It
is found from at least 4000, whose own bands, which are most of the work, are not made.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from benchmarks.central._shortest import Seen
from scipy.stats import binom

from graphveil.central.ladder_count import width_rules
from graphveil.central.old_page import Answer, Page
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.statistics.degrees import node_tile_bounds as gap_bounds

REMEMBERED = (
    "exact_triangles", "exact_k_stars", "neighbour_front", "star_front", "heaviest_change", "total_clustering",
    "exact_class_sums", "count_soft_cells", "neighbour_degree_sums", "exact_degree_products", "exact_components",
    "exact_degeneracy", "exact_sequence", "cut_degrees",
)  # fmt: skip
ROUNDING = 1e-6
LONG = 10_000  # lists with more entries, whose entries are small, are kept in single precision
MOST = 4000
SECONDS_FOR = {400: 1.0, 100: 8.0}  # so many draws are enough once they took so long
FOR_SHORTEST = 4000  # values, for the shortest one-sided band of a list
BANDS = (0.95, 0.999)  # one to look at, and the widest: a list goes on to where that ends


@dataclass(frozen=True)
class Statement:
    """What an interval says: a released value, its ends, and the truth it speaks of, entry by entry.

    It must hold everywhere; its length is taken over the entries that the truth has, as few lists go far beyond it.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    truth: np.ndarray
    sides: tuple[bool, bool]  # whether there is a lower and an upper end
    size: int  # of the truth
    twins: tuple[np.ndarray, ...] = ()  # the truths of graphs that the release cannot tell from this one

    @property
    def holds(self) -> bool:
        return bool(np.all(self.low <= self.truth + ROUNDING) and np.all(self.truth <= self.high + ROUNDING))

    @property
    def length(self) -> float:
        """Half the mean width; of a one-sided list how far its ends are from the truth, of a number from the value."""
        origin = self.value if self.size == 1 else self.truth
        low, high, origin = (column[: self.size] for column in (self.low, self.high, origin))
        if all(self.sides):
            return float((high - low).sum() / 2 / self.size)
        return float((high - origin if self.sides[1] else origin - low).sum() / self.size)


Reading = Callable[[Page, Graph, Answer, np.ndarray], Statement]


def as_it_stands(_page: Page, _graph: Graph, answer: Answer, truth: np.ndarray) -> Statement:
    """The interval speaks of the statistic itself; a list says that there is nothing beyond its end."""
    value = np.atleast_1d(np.asarray(answer.value, dtype=np.float64))
    low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in answer.accuracy.interval(0.95))
    band = answer.accuracy.band(0.95)
    sides = tuple(bool(np.all(np.isfinite(side))) for side in (band.below, band.above))
    size = max(len(value), len(truth))
    columns = (np.pad(column, (0, size - len(column))) for column in (value, low, high, np.atleast_1d(truth)))
    return Statement(*columns, sides, len(truth))


@dataclass(frozen=True)
class Draws:
    """What was seen; widths are relative to the shortest interval that would have held in 95 % of the draws."""

    errors: np.ndarray
    held: int
    width: float  # mean length over that of the shortest for this graph and those the release cannot tell from it
    known: float  # the same over the shortest for one who knows the graph; either is no number where that is 0
    seconds: float

    @property
    def chance(self) -> float:
        """Probability that an interval which holds in 94 % of all draws holds in as few of these, or fewer."""
        return float(binom.cdf(self.held, len(self.errors), 0.94))


def draw(page: Page, graph: Graph, truth: Any, error: Callable[[Any, Any], float] | None, reading: Reading) -> Draws:
    """Seeded runs; `reading` says what the interval speaks of, and by `error` how wrong a value is."""
    noise, target = SeededNoise(2026), np.asarray(truth, dtype=np.float64)
    run(page, graph, noise)  # compiled before the clock starts
    start = time.process_time()
    run(page, graph, noise)
    seconds = time.process_time() - start
    errors, statements = [], Statements()
    with exact_statistics_remembered():
        run(page, graph, noise)
        start = time.process_time()
        while not enough(len(errors), time.process_time() - start):
            answer = run(page, graph, noise)
            statement = reading(page, graph, answer, np.atleast_1d(target))
            errors.append(statement.truth[0] if error is None else error(np.asarray(answer.value), target))
            statements.add(statement, (0.0, math.inf) if error is None else answer.accuracy.support)
        with patch.object(gap_bounds, "DRAWS", 1):  # which is too few for any band
            while statements.too_few:
                statements.add_value(reading(page, graph, run(page, graph, noise), np.atleast_1d(target)))
    return Draws(np.array(errors), statements.held, statements.width(twins=True), statements.width(), seconds)


def enough(draws: int, seconds: float) -> bool:
    """Whether there are as many draws as can be afforded."""
    return draws >= MOST or any(draws >= some and seconds >= limit for some, limit in SECONDS_FOR.items())


@contextmanager
def exact_statistics_remembered() -> Iterator[None]:
    """Functions of the graph alone are computed once; of the levels of confidence only BANDS."""
    modules = [module for key, module in sys.modules.items() if key.startswith("graphveil.")]
    found = [(module, name) for module in modules for name in REMEMBERED if hasattr(module, name)]
    remembered = {name: cache(getattr(module, name)) for module, name in found}
    with ExitStack() as patches:
        for module, name in found:
            patches.enter_context(patch.object(module, name, remembered[name]))
        for module in modules:
            if hasattr(module, "LEVELS"):
                patches.enter_context(patch.object(module, "LEVELS", BANDS))
        width_rules.cache_clear()  # they were made for all levels, and are now for BANDS
        patches.callback(width_rules.cache_clear)
        yield


class Statements:
    """The statements of all draws."""

    def __init__(self) -> None:
        self.values: list[np.ndarray] = []
        self.truths: list[np.ndarray] = []
        self.twins: list[tuple[np.ndarray, ...]] = []
        self.lengths: list[float] = []
        self.held = 0

    def add(self, statement: Statement, support: tuple[float, float]) -> None:
        """Note one draw."""
        self.add_value(statement)
        self.lengths.append(statement.length)
        self.held += statement.holds
        self.support, self.sides = support, statement.sides

    def add_value(self, statement: Statement) -> None:
        """Note the value alone."""
        kept = np.float64 if statement.size < LONG else np.float32
        self.values.append(statement.value[: statement.size].astype(kept))
        self.truths.append(statement.truth[: statement.size].astype(kept))
        self.twins.append(tuple(twin[: statement.size].astype(kept) for twin in statement.twins))
        self.size = statement.size

    @property
    def too_few(self) -> bool:
        """Whether the shortest band needs more values."""
        return not all(self.sides) and self.values[0].size > 1 and len(self.values) < FOR_SHORTEST

    def width(self, *, twins: bool = False) -> float:
        """Mean length over that of the shortest for this graph, and for its twins if there are some."""
        truths = [self.truths, *map(list, zip(*self.twins, strict=True))] if twins else [self.truths]
        said = np.array([np.arange(self.size) < len(row) for row in self.values])
        seen = Seen(_padded(self.values, self.size), [_padded(rows, self.size) for rows in truths], said, self.support)
        shortest = seen.two_sided() if all(self.sides) else seen.one_sided(1 if self.sides[1] else -1)
        return float(np.mean(self.lengths)) / shortest if shortest else math.nan


def _padded(rows: list[np.ndarray], size: int) -> np.ndarray:
    return np.array([np.pad(row, (0, size - len(row))) for row in rows])
