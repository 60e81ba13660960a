"""Running a mechanism many times.

A mechanism is any callable `mechanism(input)` that returns one output. If it has a parameter `count`, it is called
once for many runs and returns that many outputs; if it has a parameter `noise`, it gets the auditor's noise source.

Of an algorithm that lists what it measures, the outcomes of the measurements are all there is to audit (`measured`):
its answer is computed from these alone. What is exact about an input is computed once; after that only noise is drawn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from graphveil.arrays import Integers
from graphveil.audit.reading.reading import read_outputs
from graphveil.errors import ParameterError
from graphveil.mechanisms.measurement import draw_rows
from graphveil.mechanisms.noise.source import Noise

Mechanism: TypeAlias = Callable[..., Any]

PROBE = 256
WIDTH = 64  # rows of measurements are padded to a multiple of it
TELLING = 20  # outputs other than the commonest; by chance they all come back with probability below 2^-20


@dataclass(frozen=True, slots=True)
class Sampler:
    """Draws independent outputs: of `call(input)` once a run, or of `call(input, count=…)` in bulk."""

    call: Mechanism
    noise: Noise
    in_bulk: bool

    def __call__(self, given: Any, count: int) -> Sequence[Any]:
        """That many outputs on this input."""
        if not self.in_bulk:
            return [self.call(given) for _ in range(count)]
        outputs: Sequence[Any] = self.call(given, count=count)
        if not isinstance(outputs, (list, tuple, np.ndarray)):
            kind = type(outputs).__name__
            raise ParameterError(f"the mechanism returned one {kind} when asked for {count} outputs (`count`): return "
                                 "a list or an array of so many")  # fmt: skip
        if len(outputs) != count:
            raise ParameterError(f"the mechanism returned {len(outputs)} outputs when asked for {count}")
        return outputs


def make_sampler(mechanism: Mechanism, given: Any, noise: Noise) -> Sampler:
    """A sampler for a mechanism, tried on one input.

    A mechanism that draws the same noise at every call would pass as sound if one call were taken for many runs, so it
    is then called once for every run: its outputs repeat, and the audit sees it.
    """
    _check(mechanism)
    call = partial(mechanism, noise=noise) if _has_parameter(mechanism, "noise") else mechanism
    if not _has_parameter(mechanism, "count"):
        return Sampler(call, noise, in_bulk=False)
    sampler = Sampler(call, noise, in_bulk=True)
    if not _replays(sampler(given, PROBE), sampler(given, PROBE)):
        return sampler
    return Sampler(lambda given: call(given, count=1)[0], noise, in_bulk=False)


def _replays(first: Sequence[Any], second: Sequence[Any]) -> bool:
    columns = read_outputs([*first, *second]).columns
    before, after = columns[:PROBE], columns[PROBE:]
    if not np.array_equal(before, after, equal_nan=True):
        return False
    _, counts = np.unique(before, axis=0, return_counts=True)
    return PROBE - int(counts.max()) >= TELLING


def _check(mechanism: Mechanism) -> None:
    """Whether it can be called with one input; the error says what to do otherwise."""
    if not callable(mechanism):
        raise ParameterError(f"a mechanism is a function of one input, not {mechanism!r}")
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    required = [p.name for p in _parameters(mechanism).values() if p.default is p.empty and p.kind not in several]
    extra = [name for name in required[1:] if name not in ("count", "noise")]
    if extra:
        raise ParameterError(f"a mechanism takes one input, `count` and `noise`: fix {', '.join(extra)} beforehand")


def _has_parameter(mechanism: Mechanism, name: str) -> bool:
    return name in _parameters(mechanism)


def _parameters(mechanism: Mechanism) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(mechanism).parameters
    except (TypeError, ValueError):  # some built-in callables have no signature
        return {}


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
