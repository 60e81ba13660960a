"""What the shell offers for the values of options: the names that the registries know, by option and command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def complete(ctx: Any, parameter: Any, incomplete: str) -> list[str]:
    """The names that go on from what was typed; of a list such as `edges,tri` the last one."""
    before, comma, last = incomplete.rpartition(",")
    names = VALUES[parameter.name](ctx.command.name)
    return [f"{before}{comma}{name}" for name in dict.fromkeys(names) if name.startswith(last)]


def _queries(command: str) -> Iterable[str]:
    from graphveil.registry import Job, rows

    jobs = (Job.RELEASE, Job.COLLECT) if command == "benchmark" else (Job.RELEASE,)
    return [row.query for job in jobs for row in rows(job)] + (["graph"] if command == "benchmark" else [])


def _statistics(_command: str) -> Iterable[str]:
    from graphveil.registry import Job, rows

    return [row.query for row in rows(Job.COLLECT)]


def _protocols(_command: str) -> Iterable[str]:
    from graphveil.registry import Job, rows

    return [row.name for row in rows(Job.COLLECT)]


def _methods(command: str) -> Iterable[str]:
    from graphveil.registry import Job, rows

    if command in ("anonymize", "certify"):
        from graphveil.anonymity.methods import METHODS

        return [*METHODS, "k-anonymity"]
    return [row.name for row in rows(Job.SYNTHESIZE if command == "synthesize" else Job.RELEASE)]


def _attacks(_command: str) -> Iterable[str]:
    from graphveil.audit.attacks.attack import ATTACKS

    return [*ATTACKS, "all", "homogeneity"]


def _subjects(command: str) -> Iterable[str]:
    if command != "audit":
        return []
    from graphveil.audit.registry import subjects

    return [subject.name for subject in subjects()]


def _names(command: str) -> Iterable[str]:
    """Two parameters are called `name`: the algorithm of `algorithms`, and the option `--attack` of `attack`."""
    if command == "algorithms":
        from graphveil.release.catalogue import catalogue

        return [row.name for row in catalogue()]
    return _attacks(command) if command == "attack" else []


def _formats(_command: str) -> Iterable[str]:
    from graphveil.graph.files.formats import BINARY_SUFFIXES, TEXT_SUFFIXES

    return [suffix.removeprefix(".") for suffix in (*TEXT_SUFFIXES, *BINARY_SUFFIXES)]


VALUES: dict[str, Callable[[str], Iterable[str]]] = {
    "query": _queries,
    "statistic": _statistics,
    "protocol": _protocols,
    "method": _methods,
    "name": _names,
    "names": _subjects,
    "file_format": _formats,
    "unit": lambda _command: ("edge", "node", "5-edge"),
    "engine": lambda _command: ("memory", "spark"),
    "equal": lambda _command: ("friendship", "entry"),
    "sep": lambda _command: ("tab", "comma", "semicolon", "space", "bar", "colon"),
}
