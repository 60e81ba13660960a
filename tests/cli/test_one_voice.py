"""All commands speak alike: an example in every help, --json everywhere, one spelling for one thing, completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer

from graphveil.cli.app import app

SERVES = {"collect serve"}  # prints a log until it is stopped
METAVARS = {
    "--attack": "A", "--budget": {"B", "E"}, "--confidence": "C", "--epsilon": "E", "--engine": "memory|spark",
    "--json": None, "--k": "K", "--max-degree": "D", "--nodes": "N", "--option": "NAME=VALUE", "--people": "FILE",
    "--protocol": "P", "--query": {"Q", "Q[,Q…]"}, "--runs": "R", "--seed": "N", "--share": "Q=W,…",
    "--statistic": "S", "--unit": {"edge|node", "edge|K-edge"}, "--ledger": "FILE", "--dataset": "NAME",
}  # fmt: skip
SAME_HELP = ("--json", "--people", "--max-degree", "--server", "--campaign", "--ledger", "--dataset", "--statistic")


def commands(group=None, path=()):
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_teaches_with_an_example_and_json_is_offered(name):
    command = COMMANDS[name]
    assert f"graphveil {name}" in command.help.partition("Example")[2], "the help lacks an example of itself"
    options = {spelling for each in command.params for spelling in each.opts}
    assert "--json" in options or name in SERVES
    assert all(getattr(each, "help", None) for each in command.params if each.name != "help")


def test_one_thing_has_one_spelling():
    seen = {}
    for name, command in COMMANDS.items():
        for option in command.params:
            for spelling in option.opts:
                if spelling in METAVARS and METAVARS[spelling] is not None:
                    allowed = METAVARS[spelling]
                    assert option.metavar in (allowed if isinstance(allowed, set) else {allowed}), (name, spelling)
                if spelling in SAME_HELP:
                    assert seen.setdefault(spelling, option.help) == option.help, (name, spelling)


def test_epsilon_never_has_a_default_where_it_is_spent():
    for name in ("release", "synthesize", "collect create", "collect simulate", "benchmark"):
        (option,) = (each for each in COMMANDS[name].params if each.name == "epsilon")
        assert option.required, name


def test_tab_completes_commands_and_options():
    def completed(words: str, place: int) -> list[str]:
        shell = {"_GRAPHVEIL_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place)}
        code = "import sys; sys.argv = ['graphveil']; from graphveil.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **shell}, capture_output=True, text=True, check=False
        )
        return done.stdout.split()

    assert completed("graphveil rel", 1) == ["release"]
    assert "--epsilon" in completed("graphveil release --ep", 2)
