"""Public parameters of an algorithm, as a caller gave them: exact numbers or a refusal."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact

LARGEST = 2**31 - 1  # people or friends: more than any graph here has


def public_parameter(name: str, value: Any, kind: str) -> Any:
    """A value for a field of this type, as exact as the noise scaled by it: never a float, nor one that may overflow.

    >>> public_parameter("max_degree", 7, "int"), public_parameter("share", "0.1", "Fraction")
    (7, Fraction(1, 10))
    """
    if kind.startswith("Fraction"):
        return exact(value, name)
    if not kind.startswith("int") or (value is None and kind.endswith("None")):
        return value
    if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) <= LARGEST:
        raise ParameterError(f"{name} must be a whole number from 0 to {LARGEST:,}, not {value!r}")
    return int(value)
