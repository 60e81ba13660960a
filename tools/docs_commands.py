"""The reference of the command line, written from the help of the commands themselves, by task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from graphveil.cli.app import app, by_task

INTRODUCTION = (
    "Written from `graphveil --help`. Every command but `collect serve` takes `--json`. Exit status: 0 done, 1 a check "
    "said no, 2 wrong parameters or bad input, 3 refused for privacy."
)


def commands_page() -> str:
    """Every command with its arguments, options and example, under the task it serves."""
    root = typer.main.get_command(app)
    text = ["# Commands", INTRODUCTION]
    for title, names in by_task(root.commands).items():
        text += [f"## {title}"] if names else []
        for name in names:
            for path, command in _below(root.commands[name], (name,)):
                text += _entry(path, command)
    return "\n\n".join(text) + "\n"


def _below(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from _below(each, (*path, name))
    else:
        yield path, command


def _entry(path: tuple[str, ...], command: Any) -> list[str]:
    words = " ".join(path)
    about, _, example = re.sub(r"\s+", " ", command.help).partition("Example")
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    usage = " ".join(p.metavar or p.name.upper() for p in arguments)
    rows = [f"| `{p.metavar or p.name.upper()}` | {_cell(p.help)} |" for p in arguments]
    rows += [f"| {_spelling(p)} | {_cell(p.help)}{' *Needed.*' if p.required else ''} |" for p in options]
    shown = [f"`graphveil {part}`" for part in _examples(example)]
    return [
        f"### graphveil {words}",
        f"`graphveil {words}{' ' + usage if usage else ''} [OPTIONS]`",
        about.strip(),
        *([f"Example: {'; '.join(shown)}"] if shown else []),
        "\n".join(["| argument or option | meaning |", "| --- | --- |", *rows]),
    ]


def _examples(text: str) -> list[str]:
    parts = re.split(r"graphveil ", text.lstrip("s: "))[1:]
    ended = [re.split(r"(?<=[a-z0-9]) (?:A table|Graphs|Asks) ", part)[0] for part in parts]
    return [re.sub(r"[;,.]? *(?:then)? *$", "", part).strip() for part in ended]


def _spelling(option: Any) -> str:
    names = "/".join([*option.opts, *option.secondary_opts])
    value = "" if option.is_flag else f" {option.metavar or ''}".rstrip()
    return f"`{names}{value}`".replace("|", "\\|")


def _cell(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "").replace("|", "\\|")
