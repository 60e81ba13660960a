"""All commands speak alike: an example in every help, --json everywhere, one spelling for one thing, completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
import typer

from graphveil.cli.app import app, by_task
from graphveil.errors import ParameterError

SERVES = {"collect serve"}  # prints a log until it is stopped
METAVARS = {
    "--attack": "A", "--budget": {"B", "E"}, "--confidence": "C", "--engine": "memory|spark",
    "--epsilon": {"E", "E[,E…]"},
    "--json": None, "--k": "K", "--max-degree": "D", "--nodes": "N", "--option": "NAME=VALUE", "--people": "FILE",
    "--protocol": "P", "--query": {"Q", "Q[,Q…]"}, "--runs": "R", "--seed": "N", "--share": "Q=W,…",
    "--statistic": "S", "--unit": {"edge|node", "edge|K-edge"}, "--ledger": "FILE", "--dataset": "NAME",
}  # fmt: skip
ORDER = (
    "--query", "--statistic", "--unit", "--epsilon", "--delta", "--nodes", "--share", "--protocol", "--method",
    "--runs", "--seed", "--option", "--max-degree", "--people", "--ledger", "--budget", "--dataset", "--engine",
    "--master", "--json",
)  # fmt: skip
SAME_HELP = ("--json", "--people", "--max-degree", "--server", "--campaign", "--ledger", "--dataset", "--statistic")

OTHER_HELP = {(name, "--people") for name in ("learn", "plan-learning", "collect predict")} | {
    ("check-statement", "--ledger")
}  # a table of labels and features besides the names; a ledger that is only read


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
                if spelling in SAME_HELP and (name, spelling) not in OTHER_HELP:
                    assert seen.setdefault(spelling, option.help) == option.help, (name, spelling)


@pytest.mark.parametrize("name", COMMANDS)
def test_options_come_in_one_order(name):
    places = [ORDER.index(each.opts[0]) for each in COMMANDS[name].params if each.opts[0] in ORDER]
    assert places == sorted(places)


COLLECT = "collect plan --unit edge --epsilon 1 --nodes 9"
MISSPELT = [
    ("plan --unit edge --epsilon 1 --nodes 9 --query edgse", "query 'edgse'; did you mean edges?"),
    (
        "plan --unit edge --epsilon 1 --nodes 9 --query edges --method edge-cuont",
        "'edge-cuont' for edges; did you mean",
    ),
    ("synthesize none.txt --epsilon 1 --out a.txt --method vail", "method 'vail'; did you mean veil?"),
    ("synthesize none.txt --epsilon 1 --out a.txt --option ruonds=3", "option 'ruonds' of veil; did you mean rounds?"),
    (f"{COLLECT} --statistic triangls", "statistic 'triangls'; did you mean triangles"),
    (f"{COLLECT} --statistic triangles --protocol vail", "protocol 'vail' for triangles; did you mean veil?"),
    (f"{COLLECT} --statistic triangles --protocol rnl --option x=1", "option 'x' of rnl; there are"),
    ("collect simulate none.txt --statistic triangles --protocol vial --unit edge --epsilon 1", "did you mean veil?"),
    ("anonymize none.txt --method k-degre --k 3 --out a.txt", "method 'k-degre'; did you mean k-degree"),
    ("certify none.txt --method k-degre --k 3", "notion 'k-degre'; did you mean k-degree"),
    ("attack none.txt none.txt --attack degre", "attack 'degre'; did you mean degree"),
    ("audit edgecount", "subject 'edgecount'; did you mean edge-count"),
    ("algorithms edgecount", "'edgecount'; did you mean edge-count"),
    ("reproduce pbg", "figure 'pbg'; did you mean pgb?"),
    (
        "benchmark none.txt --query edgse --unit edge --epsilon 1",
        "query 'edgse' under edge privacy; did you mean edges?",
    ),
]


@pytest.mark.parametrize(("words", "told"), MISSPELT)
def test_a_misspelt_name_is_answered_with_the_nearest(words, told, tmp_path, monkeypatch):
    """And before a file is read: none of these exists."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError, match=re.escape(told)):
        app(words.split(), standalone_mode=False)


@pytest.mark.parametrize("repeated", ["--epsilon 1 --epsilon 2", "--epsilon 1 --option a=1 --option a=2"])
def test_a_single_value_given_twice_is_refused(repeated):
    with pytest.raises(ParameterError, match="it takes one value"):
        app(["plan", "--query", "edges", "--unit", "edge", "--nodes", "9", *repeated.split()], standalone_mode=False)


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
    assert completed("graphveil release --query edges,tri", 3) == ["edges,triangles"]
    assert "veil" in completed("graphveil synthesize --method v", 3)
    assert completed("graphveil attack --attack seed", 3) == ["seed-and-propagate"]


def test_every_command_is_listed_under_a_task():
    """Once each; a new one that no task names stands under More."""
    names = list(typer.main.get_command(app).commands)
    listed = [name for group in by_task(names).values() for name in group]
    assert sorted(listed) == sorted(names)
