"""Sums over many sources, spread over threads.

Kernels run without the interpreter lock, so plain threads use all cores. The items are cut into the same parts whatever
the number of threads, and the parts are added in order: a sum of floats is the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError

PARTS = 8


def sum_over_parts(
    total_of: Callable[[NDArray[Any]], NDArray[Any]], items: NDArray[Any], threads: int | None
) -> NDArray[Any]:
    """The sum of `total_of(part)` over consecutive parts of `items`; all cores by default."""
    if threads is not None and threads < 1:
        raise ParameterError(f"threads is {threads}; give at least 1, or None for all cores")
    parts = [part for part in np.array_split(items, PARTS) if len(part)] or [items]
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        totals = pool.map(total_of, parts)
        result = next(totals).copy()
        for total in totals:
            result += total
    return result
