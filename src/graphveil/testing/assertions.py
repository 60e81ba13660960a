"""The head of a page: the keyed lines that readers, the list of algorithms and the docs rely on.

Something that must be refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def refused(error: type[Exception], saying: str = "") -> Iterator[None]:
    """Fail unless the block raises this error, with these words in its message."""
    try:
        yield
    except error as refusal:
        assert saying in str(refusal), f"the refusal does not say {saying!r}: {refusal}"
        return
    raise AssertionError(f"nothing was refused, though {error.__name__} was to be expected")
