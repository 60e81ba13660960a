"""Draws of one query on one graph: how wrong they are, how often their intervals hold, how long these are.

A run is timed as in a session. After that the graph is measured once and its measurements are drawn many times, so that
hundreds of draws are cheap on large graphs too, and only the bands that are looked at are made; the law of the answers
is the same. There are 4000 draws where they are cheap, else at least 400, and where these take long at least 100, so
that right intervals seldom look wrong.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy.stats import binom

from graphveil.central.ladder_count import width_rules
from graphveil.central.query import Answer, PublicFacts, Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import measured
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import draw_and_conclude, run

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


def as_it_stands(_query: Query, _graph: Graph, answer: Answer, truth: np.ndarray) -> Statement:
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


def draw(query: Query, graph: Graph, truth: Any, error: Callable[[Any, Any], float] | None, reading: Reading) -> Draws:
    """Seeded runs; `reading` says what the interval speaks of, and by `error` how wrong a value is."""
    noise, target = SeededNoise(2026), np.asarray(truth, dtype=np.float64)
    run(query, graph, noise)  # compiled before the clock starts
    start = time.process_time()
    run(query, graph, noise)
    seconds = time.process_time() - start
    errors, lengths, held = [], [], 0
    measurements, facts = measured(query, graph), PublicFacts.of(graph, query.unit)
    with few_bands():
        start = time.process_time()
        while not enough(len(errors), time.process_time() - start):
            answer = draw_and_conclude(query, measurements, facts, noise)
            statement = reading(query, graph, answer, np.atleast_1d(target))
            errors.append(statement.truth[0] if error is None else error(np.asarray(answer.value), target))
            lengths.append(statement.length)
            held += statement.holds
    return Draws(np.array(errors), held, float(np.mean(lengths)), seconds)


def enough(draws: int, seconds: float) -> bool:
    """Whether there are as many draws as can be afforded."""
    return draws >= MOST or any(draws >= some and seconds >= limit for some, limit in SECONDS_FOR.items())


@contextmanager
def few_bands() -> Iterator[None]:
    """Of the levels of confidence only BANDS are computed."""
    with ExitStack() as patches:
        for key, module in list(sys.modules.items()):
            if key.startswith("graphveil.") and hasattr(module, "LEVELS"):
                patches.enter_context(patch.object(module, "LEVELS", BANDS))
        width_rules.cache_clear()  # they were made for all levels, and are now for BANDS
        patches.callback(width_rules.cache_clear)
        yield
