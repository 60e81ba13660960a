"""The names of several statistics as one text: separated by commas, in one order, each once."""

from __future__ import annotations

from collections.abc import Sequence

from graphveil.errors import ParameterError, unknown_name


def check_names(given: Sequence[str], offered: Sequence[str]) -> tuple[str, ...]:
    """The given statistics in the order in which they are offered; all of them where none is given.

    >>> check_names(("clustering", "triangles"), ("triangles", "triangle-sequence", "clustering"))
    ('triangles', 'clustering')
    """
    for name in given:
        if name not in offered:
            raise unknown_name("statistic", name, offered, where="of those that are collected together")
    if len(set(given)) < len(given):
        raise ParameterError(f"a statistic is named twice in {','.join(given)}; name each once")
    if len(given) == 1:
        raise ParameterError(f"{given[0]} alone is no joint campaign; name two or more of {', '.join(offered)}")
    return tuple(name for name in offered if not given or name in given)
