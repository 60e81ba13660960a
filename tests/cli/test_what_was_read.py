"""Every command that reads a graph says in one line what it read and left out, and takes the same options for it."""

import json

import pytest
import typer

from graphveil.cli.app import app

READ = ("--format", "csv", "--sep", ";", "--columns", "caller,callee")
COMMANDS = {
    "stats": ("stats", "calls.dat"),
    "release": ("release", "calls.dat", "--query", "edges", "--unit", "edge", "--epsilon", "1", "--accept-noise"),
    "evaluate": ("evaluate", "calls.dat", "plain.csv"),
    "certify": ("certify", "calls.dat", "--method", "k-degree", "--k", "1"),
    "anonymize": ("anonymize", "calls.dat", "--method", "k-degree", "--k", "2", "--out", "public.txt"),
    "attack": ("attack", "calls.dat", "plain.csv", "--attack", "degree"),
    "benchmark": ("benchmark", "calls.dat", "--query", "edges", "--unit", "edge", "--epsilon", "4", "--runs", "1"),
}


@pytest.fixture
def calls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [f"p{i}" for i in range(12)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 : i + 4]]
    lines = ["when;caller;callee", *(f"{n};{a};{b}" for n, (a, b) in enumerate(pairs))]
    (tmp_path / "calls.dat").write_text("\n".join(lines) + "\n")
    (tmp_path / "plain.csv").write_text("\n".join(f"{a},{b}" for a, b in pairs) + "\n")


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("calls")
def test_it_says_so(name, capsys):
    app([*COMMANDS[name], *READ], standalone_mode=False)
    told = [line for line in capsys.readouterr().err.splitlines() if "calls.dat" in line]
    assert len(told) == 1
    assert "the first line was taken as a header" in told[0]
    assert "columns caller and callee of 3 were read, the others left out" in told[0]


def test_all_take_the_same_options():
    for name, command in typer.main.get_command(app).commands.items():
        if name in {*COMMANDS, "synthesize", "learn"}:
            spelt = {spelling for option in command.params for spelling in option.opts}
            assert {"--columns", "--sep", "--header", "--format"} <= spelt, name


@pytest.mark.usefixtures("calls")
def test_json_holds_it(capsys):
    app(["evaluate", "calls.dat", "plain.csv", *READ, "--json"], standalone_mode=False)
    out, err = capsys.readouterr()
    assert [read["file"] for read in json.loads(out)["read"]] == ["calls.dat", "plain.csv"]
    assert err == ""
