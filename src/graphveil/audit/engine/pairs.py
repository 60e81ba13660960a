"""Pairs of neighbouring inputs, with words a reader can follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphveil.errors import ParameterError

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs that the guarantee promises to keep apart no better than e^epsilon."""

    first: Any
    second: Any
    words: str = ""

    def __post_init__(self) -> None:
        if not self.words:
            object.__setattr__(self, "words", f"{_short(self.first)} or {_short(self.second)}")


def as_pair(pair: Pair | tuple[Any, Any]) -> Pair:
    """A pair given as such, or as two inputs."""
    if isinstance(pair, Pair):
        return pair
    try:
        first, second = pair
    except (TypeError, ValueError):
        raise ParameterError(f"a pair holds two neighbouring inputs, not {_short(pair)}") from None
    return Pair(first, second)


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
