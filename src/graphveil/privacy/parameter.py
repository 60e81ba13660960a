"""Public parameters of an algorithm, as a caller or a file gave them: exact values of the declared types, or a refusal.

An algorithm is a dataclass whose fields are its public parameters. The type of a field says what it takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cache
from numbers import Integral
from typing import Any, get_type_hints

from graphveil.errors import ParameterError, unknown_name
from graphveil.privacy.loss import exact

LARGEST = 2**31 - 1  # people or friends: more than any graph here has


def parameter_types(cls: Any) -> dict[str, Any]:
    """The names and types of all public parameters of an algorithm, in the order of its fields.

    >>> from graphveil.central.choices.top_people import TopPeople
    >>> parameter_types(TopPeople)
    {'epsilon': <class 'fractions.Fraction'>, 'k': <class 'int'>}
    """
    return dict(_types(cls))


@cache
def _types(cls: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(cls)
    return tuple((field.name, hints[field.name]) for field in fields(cls) if field.init)


def read_parameters(cls: Any, given: Mapping[str, Any], *, owner: str = "") -> dict[str, Any]:
    """The given parameters with the types that the fields of an algorithm declare; unknown names are refused."""
    known = parameter_types(cls)
    for name in sorted(set(given) - set(known)):
        options = [known_name for known_name in known if known_name not in ("epsilon", "n_people")]
        raise unknown_name("option", name, options, where=f"of {owner or cls.__name__}")
    return {name: read_parameter(name, value, known[name]) for name, value in given.items()}


def read_parameter(name: str, value: Any, kind: Any) -> Any:
    """A value of this type, as exact as the noise scaled by it: never a float, nor a number that may overflow.

    >>> read_parameter("max_degree", 7, int), read_parameter("share", "0.1", Fraction)
    (7, Fraction(1, 10))
    """
    if value is None and kind == int | None:
        return None
    if kind is Fraction:
        return exact(value, name)
    if kind in (int, int | None):
        return _whole_number(name, value)
    if kind == tuple[str, ...]:
        return _texts(name, value)
    if kind is str and not isinstance(value, str):
        raise ParameterError(f"{name} must be a text, not {value!r}")
    return value


def _whole_number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) <= LARGEST:
        raise ParameterError(f"{name} must be a whole number from 0 to {LARGEST:,}, not {value!r}")
    return int(value)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts; one text, as on a command line, may hold several between commas."""
    given = str(value).split(",") if isinstance(value, str | int) else value
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) for text in given):
        raise ParameterError(f"{name} must be a list of texts, or one text with commas, not {value!r}")
    return tuple(text.strip() for text in given)


def plain_parameters(algorithm: Any) -> dict[str, Any]:
    """The public parameters of an algorithm by name, as they appear in JSON."""
    return {name: _plain(getattr(algorithm, name)) for name in parameter_types(algorithm.__class__)}


def plain_defaults(cls: Any) -> dict[str, Any]:
    """The defaults of the public parameters of an algorithm that have one, as they appear in JSON.

    >>> from graphveil.central.choices.top_people import TopPeople
    >>> plain_defaults(TopPeople)
    {'k': 10}
    """
    return {field.name: _plain(field.default) for field in fields(cls) if field.init and field.default is not MISSING}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
