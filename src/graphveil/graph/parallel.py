"""Sums over many sources, spread over threads.

Kernels run without the interpreter lock, so plain threads use all cores. The caller says how large the parts are, not
how many threads there are, and the parts are added in order: a sum of floats is the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from graphveil.arrays import AnyArray
from graphveil.errors import ParameterError

Run = Callable[..., Iterable[Any]]  # `map`, or that of a pool


@contextmanager
def mapping(threads: int) -> Iterator[Run]:
    """`map`, or that of a pool of threads: for small work, a thread costs more than it saves."""
    if threads == 1:
        yield map
    else:
        with ThreadPoolExecutor(threads) as pool:
            yield pool.map


def sum_over_parts(
    total_of: Callable[[AnyArray], AnyArray], items: AnyArray, part_size: int, threads: int | None
) -> AnyArray:
    """The sum of `total_of(part)` over consecutive parts of `items`; on all cores if `threads` is None."""
    if threads is not None and threads < 1:
        raise ParameterError(f"threads is {threads}; give at least 1, or None for all cores")
    parts = [items[first : first + part_size] for first in range(0, max(1, len(items)), part_size)]
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        totals = pool.map(total_of, parts)
        result = next(totals).copy()
        for total in totals:
            result += total
    return result
