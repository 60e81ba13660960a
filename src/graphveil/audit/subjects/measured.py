"""Algorithms that list what they measure, drawn in bulk.

Everything else in an answer or a fit is computed from the outcomes of the measurements (tests see to that: with all
noise replaced by constants, answers and fits are the same whatever the graph was). So the outcomes are all there is to
audit. What is exact about an input, its counts and ladders, is computed once; after that only noise is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.audit.engine.sampling import Mechanism
from graphveil.mechanisms.measurement import draw_rows
from graphveil.mechanisms.noise.source import Noise

WIDTH = 64


def measured(measurements: Callable[[Any], Any]) -> Mechanism:
    """The mechanism that draws this list of measurements of an input, many times at a call."""
    listed: dict[int, tuple[Any, Any]] = {}  # inputs are kept, so that their ids stay theirs

    def run(given: Any, count: int, noise: Noise) -> Integers:
        if id(given) not in listed:
            listed[id(given)] = given, measurements(given)
        outcomes = draw_rows(listed[id(given)][1], noise, count)
        # a last measurement may need more numbers in some runs; how many came up must not differ between calls
        return np.pad(outcomes, ((0, 0), (0, -outcomes.shape[1] % WIDTH)))

    return run
