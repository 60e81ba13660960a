"""Running a mechanism many times.

A mechanism is any callable `mechanism(input)` that returns one output. If it has a parameter `count`, it is called
once for many runs and returns that many outputs; if it has a parameter `noise`, it gets the auditor's noise source.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from graphveil.audit.reading import read_outputs
from graphveil.errors import ParameterError
from graphveil.mechanisms.source import Noise

Mechanism: TypeAlias = Callable[..., Any]

PROBE = 256
TELLING = 20  # outputs other than the commonest; by chance they all come back with probability below 2^-20


@dataclass(frozen=True, slots=True)
class Sampler:
    """Draws independent outputs of a mechanism."""

    mechanism: Mechanism
    noise: Noise
    in_bulk: bool

    def __call__(self, given: Any, count: int) -> Sequence[Any]:
        """That many outputs on this input."""
        return self._bulk(given, count) if self.in_bulk else [self._single(given) for _ in range(count)]

    def _bulk(self, given: Any, count: int) -> Sequence[Any]:
        outputs: Sequence[Any] = self.mechanism(given, count=count, **self._extra())
        if len(outputs) != count:
            raise ParameterError(f"the mechanism returned {len(outputs)} outputs when asked for {count}")
        return outputs

    def _single(self, given: Any) -> Any:
        if _has_parameter(self.mechanism, "count"):
            return self._bulk(given, 1)[0]
        return self.mechanism(given, **self._extra())

    def _extra(self) -> dict[str, Noise]:
        return {"noise": self.noise} if _has_parameter(self.mechanism, "noise") else {}


def make_sampler(mechanism: Mechanism, given: Any, noise: Noise) -> Sampler:
    """A sampler for a mechanism, tried on one input.

    A mechanism that draws the same noise at every call would pass as sound if one call were taken for many runs, so it
    is then called once for every run: its outputs repeat, and the audit sees it.
    """
    if not _has_parameter(mechanism, "count"):
        return Sampler(mechanism, noise, in_bulk=False)
    sampler = Sampler(mechanism, noise, in_bulk=True)
    return Sampler(mechanism, noise, in_bulk=not _replays(sampler(given, PROBE), sampler(given, PROBE)))


def _replays(first: Sequence[Any], second: Sequence[Any]) -> bool:
    columns = read_outputs([*first, *second]).columns
    before, after = columns[:PROBE], columns[PROBE:]
    if not np.array_equal(before, after, equal_nan=True):
        return False
    _, counts = np.unique(before, axis=0, return_counts=True)
    return PROBE - int(counts.max()) >= TELLING


def _has_parameter(mechanism: Mechanism, name: str) -> bool:
    try:
        return name in inspect.signature(mechanism).parameters
    except (TypeError, ValueError):  # some built-in callables have no signature
        return False
