"""Public parameters of a protocol: what a campaign's document may hold, read and written exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact


def checked_parameter(name: str, kind: str, value: Any) -> Any:
    """A parameter as its field declares it; a campaign read from a file may hold anything."""
    if kind == "Fraction":
        return exact(value, name)
    if kind == "tuple[str, ...]":
        return _texts(name, value)
    if kind != {int: "int", str: "str"}.get(type(value)):
        raise ParameterError(f"{name} must be of type {kind}, not {value!r}")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts; one text, as on a command line, may hold several between commas."""
    given = str(value).split(",") if isinstance(value, str | int) else value
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) for text in given):
        raise ParameterError(f"{name} must be a list of texts, or one text with commas, not {value!r}")
    return tuple(text.strip() for text in given)


def plain_parameter(value: Any) -> Any:
    """A parameter as it appears in JSON."""
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
