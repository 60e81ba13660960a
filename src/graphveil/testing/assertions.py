"""What several suites assert: complete heads of modules, refusals, and sensitivities that hold on small graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphveil.audit.engine.pairs import edge_toggles, node_removals, seed_graphs
from graphveil.mechanisms.algorithm import Algorithm
from graphveil.mechanisms.laplace import NoisyInteger, NoisyVector
from graphveil.mechanisms.measurement import Adaptive, Together
from graphveil.privacy.unit import Kind
from graphveil.registry import Row

NEEDED = ("Paper", "Unit", "Trust", "Guarantee", "Estimator", "Cost")


def complete_header(row: Row, *, unit: str, trust: str) -> None:
    """Fail unless all lines are there, and say what the row says; the class has a docstring too."""
    header = row.header
    missing = [key for key in NEEDED if key not in header]
    assert not missing, f"the docstring of {row.module} lacks the lines {', '.join(missing)}"
    assert unit in header["Unit"].partition(";")[0], f"the Unit line of {row.module} must name {unit}"
    assert header["Trust"] == trust, f"the Trust line of {row.module} must say {trust}"
    assert row.cls.__doc__


def assert_within_sensitivity(algorithm: Algorithm) -> None:
    """Fail if a small change of a small graph changes a measurement with Laplace noise by more than its sensitivity."""
    changes = edge_toggles if algorithm.unit == Kind.EDGE else node_removals
    for pair in changes(seed_graphs()):
        _compare(algorithm.measure(pair.first), algorithm.measure(pair.second), pair.words)


def _compare(first: Iterable[Any], second: Iterable[Any], words: str) -> None:
    """What follows an adaptive measurement is compared for the key that audits take, where there is one."""
    for one, other in zip(first, second, strict=True):
        assert type(one) is type(other), f"another kind of measurement on a neighbour: {words}"
        if isinstance(one, Adaptive):
            _compare((one.first,), (other.first,), words)
            if one.audit_key is not None:
                _compare(one.following(one.audit_key), other.following(one.audit_key), words)
        elif isinstance(one, Together):
            _compare(one.measurements, other.measurements, words)
        elif isinstance(one, (NoisyInteger, NoisyVector)):
            weights = getattr(one, "weights", None)
            changes = np.abs(np.asarray(one.exact) - np.asarray(other.exact))
            change, allowed = np.sum(changes if weights is None else weights * changes), one.sensitivity
            assert other.sensitivity == allowed, f"the sensitivity of {one.what} depends on the graph: {words}"
            assert change <= allowed, f"{one.what} changes by {change}, its sensitivity is {allowed}: {words}"


@contextmanager
def refused(error: type[Exception], saying: str = "") -> Iterator[None]:
    """Fail unless the block raises this error, with these words in its message."""
    try:
        yield
    except error as refusal:
        assert saying in str(refusal), f"the refusal does not say {saying!r}: {refusal}"
        return
    raise AssertionError(f"nothing was refused, though {error.__name__} was to be expected")
