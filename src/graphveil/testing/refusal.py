"""Something that must be refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def refused(error: type[Exception], saying: str = "") -> Iterator[None]:
    """Fail unless the block raises this error, with these words in its message."""
    try:
        yield
    except error as refusal:
        assert saying in str(refusal), f"the refusal does not say {saying!r}: {refusal}"
        return
    raise AssertionError(f"nothing was refused, though {error.__name__} was to be expected")
