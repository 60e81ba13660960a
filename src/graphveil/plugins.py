"""What other packages add: algorithms and audits under entry points, one group for each table they enter.

    [project.entry-points."graphveil.central"]      a central query
    [project.entry-points."graphveil.local"]        a collection protocol
    [project.entry-points."graphveil.synthetic"]    a synthesizer
    [project.entry-points."graphveil.audit"]        a `Subject`: any mechanism with the pairs to try it on

A plug-in that cannot be used is left out with one warning; it never breaks what would work without it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

OWN = "graphveil"
GROUPS = ("graphveil.central", "graphveil.local", "graphveil.synthetic", "graphveil.audit")

Row = TypeVar("Row")


class PluginWarning(UserWarning):
    """A plug-in was left out; says which and why."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point that could be loaded: its name, `package` and `location` inside it, and what it names."""

    name: str
    package: str
    location: str
    value: Any


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """All of a group, in the order of their names."""
    return tuple(_loaded(group))


def _loaded(group: str) -> Iterator[Plugin]:
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        package, _, module = point.module.partition(".")
        try:
            yield Plugin(point.name, package, f"{module}:{point.attr}", point.load())
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module does, the command goes on
            leave_out(f"{point.name} = {point.value}", f"{type(error).__name__}: {error}")


def rows_of(
    group: str,
    base: Callable[[], type[Any]],
    make: Callable[[Plugin], Row],
    own: Iterable[Row],
    key: Callable[[Row], object],
) -> tuple[Row, ...]:
    """The rows that plug-ins add to a table; what is of another kind, or takes a name that is taken, is left out.

    `base` gives the class that a plug-in must be or derive from; it is loaded only if there is a plug-in.
    """
    rows: list[Row] = []
    taken = {key(row) for row in own}
    for plugin in plugins(group):
        named, wanted = f"{plugin.name} of package {plugin.package}", base()
        value = plugin.value
        if not (isinstance(value, wanted) or (isinstance(value, type) and issubclass(value, wanted))):
            leave_out(named, f"the group {group} wants a {wanted.__name__}")
            continue
        row = make(plugin)
        if key(row) in taken:
            leave_out(named, "that name is taken")
            continue
        taken.add(key(row))
        rows.append(row)
    return tuple(rows)


@cache
def leave_out(what: str, why: str) -> None:
    """Say in one line, once, that a plug-in is not used."""
    warnings.warn(f"plug-in {what} is left out: {' '.join(why.split())}", PluginWarning, stacklevel=2)


def foreign_package(module: str) -> str:
    """The package a module belongs to; empty for our own."""
    package, _, _ = module.partition(".")
    return "" if package == OWN else package


def proof_of(algorithm: type[Any]) -> str:
    """The module whose docstring proves what an algorithm promises."""
    return algorithm.__module__.removeprefix(f"{OWN}.")
