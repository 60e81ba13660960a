"""Draws of one query on one graph: how wrong they are, how often their intervals hold, how long these are.

A run is timed as in a session. After that, statistics that do not depend on noise are remembered from draw to draw, so
that hundreds of draws are cheap on large graphs too, and only the bands that are looked at are made; the law of the
answers is the same. There are 4000 draws where they are cheap, else at least 400, and where these take long at least
100, so that right intervals seldom look wrong.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy.stats import binom

from graphveil.central.ladder_count import width_rules
from graphveil.central.query import Answer, Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run

REMEMBERED = (
    "exact_triangles", "exact_k_stars", "neighbour_front", "star_front", "heaviest_change", "total_clustering",
    "exact_class_sums", "count_soft_cells", "neighbour_degree_sums", "exact_degree_products", "exact_components",
    "exact_degeneracy", "exact_sequence", "truncated_degrees",
)  # fmt: skip
ROUNDING = 1e-6
MOST = 4000
SECONDS_FOR = {400: 1.0, 100: 8.0}  # so many draws are enough once they took so long
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


Reading = Callable[[Query, Graph, Answer, np.ndarray], Statement]


def as_it_stands(_page: Query, _graph: Graph, answer: Answer, truth: np.ndarray) -> Statement:
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
    """What was seen."""

    errors: np.ndarray
    held: int
    length: float  # of the 95 % interval, the mean
    seconds: float

    @property
    def chance(self) -> float:
        """Probability that an interval which holds in 94 % of all draws holds in as few of these, or fewer."""
        return float(binom.cdf(self.held, len(self.errors), 0.94))


def draw(page: Query, graph: Graph, truth: Any, error: Callable[[Any, Any], float] | None, reading: Reading) -> Draws:
    """Seeded runs; `reading` says what the interval speaks of, and by `error` how wrong a value is."""
    noise, target = SeededNoise(2026), np.asarray(truth, dtype=np.float64)
    run(page, graph, noise)  # compiled before the clock starts
    start = time.process_time()
    run(page, graph, noise)
    seconds = time.process_time() - start
    errors, lengths, held = [], [], 0
    with exact_statistics_remembered():
        run(page, graph, noise)
        start = time.process_time()
        while not enough(len(errors), time.process_time() - start):
            answer = run(page, graph, noise)
            statement = reading(page, graph, answer, np.atleast_1d(target))
            errors.append(statement.truth[0] if error is None else error(np.asarray(answer.value), target))
            lengths.append(statement.length)
            held += statement.holds
    return Draws(np.array(errors), held, float(np.mean(lengths)), seconds)


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
