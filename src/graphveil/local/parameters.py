"""Public parameters of a protocol: what a campaign's document may hold, read and written exactly."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact


def check_parameters(page: Any) -> None:
    """Make every field of a page what it is declared as; a campaign read from a file may hold anything."""
    for entry in fields(page):
        object.__setattr__(page, entry.name, _checked(entry.name, str(entry.type), getattr(page, entry.name)))


def plain_parameters(page: Any) -> dict[str, Any]:
    """All of them by name, as they appear in JSON."""
    return {entry.name: _plain(getattr(page, entry.name)) for entry in fields(page)}


def _checked(name: str, kind: str, value: Any) -> Any:
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


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
