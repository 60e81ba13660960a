"""Whatever a command is told to write to stays what it is: pipes are refused, links are followed."""

import json
import os
import stat

import pytest

from graphveil.graph.files.read import read_graph

SPENDS = ("--epsilon", "1", "--ledger", "l", "--budget", "1")
COMMANDS = {
    "release": ("release", "friends.csv", "--query", "edges", "--unit", "edge", *SPENDS, "--out", "PLACE.json"),
    "synthesize": ("synthesize", "friends.csv", "--method", "dp-1k", *SPENDS, "--out", "PLACE.txt"),
    "anonymize": ("anonymize", "friends.csv", "--method", "k-degree", "--k", "2", "--out", "PLACE.txt"),
    "anonymize's key": (
        *("anonymize", "friends.csv", "--method", "k-degree", "--k", "2", "--out", "o.txt", "--key", "PLACE.csv"),
    ),
    "anonymize a table": (
        *("anonymize", "people.csv", "--method", "k-anonymity", "--quasi", "age", "--k", "2", "--out", "PLACE.csv"),
    ),
    "audit": ("audit", "discrete-laplace", "--samples", "400", "--out", "PLACE.html"),
    "reproduce": ("reproduce", "gs-ldp-fig3", "--quick", "--out", "."),  # names its files itself
}


def place_in(words, folder):
    """The file that the command of these words will write."""
    name = next((word for word in words if word.startswith("PLACE.")), "gs-ldp-fig3-quick.png")
    return folder / name


@pytest.fixture
def people(tmp_path):
    (tmp_path / "people.csv").write_text(
        "age,job\n" + "".join(f"{30 + i % 3},a\n" for i in range(30)), encoding="utf-8"
    )


@pytest.mark.parametrize("case", COMMANDS)
@pytest.mark.usefixtures("friends", "people")
def test_a_pipe_is_refused_before_anything_is_spent(run, tmp_path, case):
    pipe = place_in(COMMANDS[case], tmp_path)
    os.mkfifo(pipe)
    before = sorted(tmp_path.iterdir())
    done = run(*COMMANDS[case], timeout=60)
    told = "cannot be written: it is a pipe or a device; give the name of a file\n"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("graphveil: ")
    assert done.stderr.endswith(f"{pipe.name}: {told}")
    assert done.stderr.count("\n") == 1
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == before  # no ledger either


def test_two_outputs_are_two_files(run, friends, tmp_path):
    before = sorted(tmp_path.iterdir())
    done = run("anonymize", friends.name, "--method", "k-degree", "--k", "2", "--out", "o.csv", "--key", "./o.csv")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "o.csv is given for two outputs" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("case", [case for case in COMMANDS if case != "reproduce"])
@pytest.mark.usefixtures("friends", "people")
def test_a_link_is_followed(run, tmp_path, case):
    """Into another folder, and to a name that says nothing of the format."""
    link = place_in(COMMANDS[case], tmp_path)
    (tmp_path / "elsewhere").mkdir()
    behind = tmp_path / "elsewhere" / "data"
    behind.write_bytes(b"old")
    link.symlink_to(behind)
    refused = run(*COMMANDS[case])
    assert refused.returncode == 2
    assert "exists already: give another name, or --force" in refused.stderr
    assert behind.read_bytes() == b"old"
    assert not (tmp_path / "l").exists()  # nothing was spent
    done = run(*COMMANDS[case], "--force")
    assert done.returncode == 0, done.stderr
    assert link.is_symlink()
    assert behind.read_bytes() not in (b"old", b"")
    assert [file.name for file in behind.parent.iterdir()] == ["data"]
    if case == "anonymize's key":
        assert stat.S_IMODE(behind.stat().st_mode) == 0o600
    if case == "synthesize":
        assert read_graph(link).n_nodes == 60


@pytest.mark.usefixtures("friends")
def test_a_link_to_a_pipe_is_a_pipe_and_a_link_to_nothing_a_new_file(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    link = tmp_path / "PLACE.json"
    link.symlink_to("pipe")
    assert "it is a pipe or a device" in run(*COMMANDS["release"], timeout=60).stderr
    link.unlink()
    link.symlink_to("new.json")
    assert run(*COMMANDS["release"]).returncode == 0
    assert json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["releases"][0]["query"] == "edges"


@pytest.mark.usefixtures("friends")
def test_where_the_command_prints_it_writes_no_file(run, tmp_path):
    """As with --out /dev/stdout: the file would take the place of what is printed."""
    place = tmp_path / "PLACE.json"
    with place.open("w") as printed:
        done = run(*COMMANDS["release"], capture_output=False, stdout=printed, stderr=-1)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "PLACE.json: cannot be written: this command prints there already" in done.stderr
    assert not (tmp_path / "l").exists()


def test_exact_results_are_written_as_the_name_says(run, friends, tmp_path):
    assert run("stats", friends, "--out", "s.csv").returncode == 0
    assert (tmp_path / "s.csv").read_text(encoding="utf-8").startswith("statistic,value\nnodes,60.0\n")
    words = ("benchmark", friends, "--query", "edges", "--unit", "edge", "--epsilon", "1", "--runs", "1")
    assert run(*words, "--out", "b.json", "--json").stdout == (tmp_path / "b.json").read_text(encoding="utf-8")


def test_a_name_that_no_result_can_have_is_refused_first(run, tmp_path):
    refused = run("stats", "absent.csv", "--out", "s.xlsx")
    assert refused.returncode == 2
    assert (
        refused.stderr
        == "graphveil: s.xlsx: a result is written as .json, .csv, .parquet; end the name in one of these\n"
    )
