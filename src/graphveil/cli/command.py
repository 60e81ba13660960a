"""A command: its options in the help by topic, what the shell completes, and that no option is given twice."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

from typer.core import TyperCommand, TyperOption

from graphveil.errors import ParameterError


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
MANY = 20  # options; a command with as many lists them by topic
TOPICS = {
    "Options": (),  # whatever no other topic names
    "The graph file": (
        *("people", "header", "columns", "sep", "file_format", "directed", "weighted", "max_weight", "max_strength"),
        *("engine", "master"),
    ),
    "Groups of people": ("attribute", "attribute_values", "attribute_is", "partitions", "groups"),
    "Graphs that change": ("over_time", "horizon", "period", "ever"),
    "Budget and ledger": (
        *("ledger", "budget", "delta", "dataset", "separate_people", "request_id", "fresh", "accept_noise"),
        "accept_weak",
    ),
    "Output": ("out", "report", "force", "explain", "as_json", "help"),
}


class Command(TyperCommand):
    """A command that refuses a repeated option rather than take the last one silently, and completes values."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for parameter in self.params:
            if parameter.name in VALUES:
                parameter._custom_shell_complete = complete

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual, after a count of what was given."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(order).items():
            if times > 1 and isinstance(option, TyperOption) and not (option.multiple or option.is_flag):
                raise ParameterError(f"{option.opts[0]} was given {times} times; it takes one value")
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options: under topics where there are many."""
        parameters = [(each, each.get_help_record(ctx)) for each in self.get_params(ctx)]
        options = [(each.name, row) for each, row in parameters if row and each.param_type_name == "option"]
        sections = {"Arguments": [row for each, row in parameters if row and each.param_type_name == "argument"]}
        topic_of = {name: topic for topic, names in TOPICS.items() for name in names} if len(options) >= MANY else {}
        for topic in TOPICS:
            sections[topic] = [row for name, row in options if topic_of.get(name, "Options") == topic]
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def group_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters of a dataclass type stand for its fields, each an option with type and default."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {}
    options: list[inspect.Parameter] = []
    for name, each in signature.parameters.items():
        if is_dataclass(each.annotation):
            groups[name] = each.annotation
            options += _options_of(each.annotation)
        else:
            options.append(each.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            named = {field.name for field in fields(group)} & given.keys()
            given[name] = group(**{each: given.pop(each) for each in named})
        command(**given)

    run.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    return run


def _options_of(group: Any) -> Iterable[inspect.Parameter]:
    types = get_type_hints(group, include_extras=True)
    for field in fields(group):
        kind = inspect.Parameter.KEYWORD_ONLY
        yield inspect.Parameter(field.name, kind, default=field.default, annotation=types[field.name])
