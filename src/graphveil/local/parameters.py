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
    if kind == "tuple[str, ...]" and isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        return tuple(value)
    if kind != {int: "int", str: "str"}.get(type(value)):
        raise ParameterError(f"{name} must be of type {kind}, not {value!r}")
    return value


def plain_parameter(value: Any) -> Any:
    """A parameter as it appears in JSON."""
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
