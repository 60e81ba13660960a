"""`release --directed` and `--weighted`: what scripts rely on."""

import json

import pytest


@pytest.fixture
def ties(tmp_path):
    lines = ["from,to,messages", *(f"p{i},p{(i * 7 + 1) % 50},{i % 9 + 1}" for i in range(50))]
    lines += [f"p{(i * 7 + 1) % 50},p{i},2" for i in range(0, 50, 5)]
    path = tmp_path / "ties.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def released(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["releases"]


@pytest.mark.parametrize("query", ["in-degree-histogram", "out-degree-histogram", "reciprocity", "dyads"])
def test_directions_are_kept_and_told(run, ties, query):
    done = run(
        "release", ties, "--directed", "--query", query, "--unit", "edge", "--epsilon", "4", "--accept-noise", "--json"
    )
    (item,) = released(done)
    assert item["query"] == query
    assert "directions kept" in done.stderr
    assert item["guarantee"]["relationship_epsilon"] == 8
    assert any("one directed relationship" in text for text in item["guarantee"]["assumes"])
    assert item["accuracy"]["interval95"] is not None


def test_dyads_name_their_entries(run, ties):
    done = run("release", ties, "--directed", "--query", "dyads", "--unit", "edge", "--epsilon", "9", "--json")
    assert released(done)[0]["labels"] == ["mutual", "one-way", "unconnected"]


@pytest.mark.parametrize("column", ["messages", "3"])
def test_weights_are_read_from_a_column_by_name_or_number(run, ties, column):
    words = ("--query", "weighted-total", "--unit", "edge", "--epsilon", "9", "--max-weight", "9", "--json")
    done = run("release", ties, "--weighted", column, *words)
    (item,) = released(done)
    assert 200 < item["value"] < 340  # 266 with noise of scale 1
    assert f"weights read from column {column}" in done.stderr


def test_what_was_not_kept_is_asked_for_before_anything_is_read(run, ties):
    done = run("release", "none.csv", "--query", "reciprocity", "--unit", "edge", "--epsilon", "1")
    assert done.returncode == 2
    assert "reciprocity needs directions: read the graph with --directed" in done.stderr
    done = run("release", ties, "--directed", "--weighted", "3", "--query", "edges", "--unit", "edge", "--epsilon", "1")
    assert (done.returncode, "not as both" in done.stderr) == (2, True)
    done = run(
        "release", ties, "--weighted", "letters", "--query", "weighted-total", "--unit", "edge", "--epsilon", "1"
    )
    assert (done.returncode, "names no column 'letters'" in done.stderr) == (2, True)
    done = run("release", ties, "--weighted", "1", "--query", "weighted-total", "--unit", "edge", "--epsilon", "1")
    assert (done.returncode, "holds a person" in done.stderr) == (2, True)


def test_the_curator_sees_exact_numbers_of_both(run, ties):
    directed = json.loads(run("stats", ties, "--directed", "--json").stdout)["statistics"]
    assert directed["directed_edges"] == directed["one_way_pairs"] + 2 * directed["mutual_pairs"]
    assert json.loads(run("stats", ties, "--weighted", "messages", "--json").stdout)["statistics"]["max_weight"] >= 9


def test_a_count_of_pairs_says_that_directions_are_ignored(run, ties):
    asked = ("--query", "edges,dyads", "--unit", "edge", "--epsilon", "9")
    shown = run("release", ties, "--directed", *asked).stdout
    assert "edges, directions ignored" in " ".join(shown.split())
    assert "dyads, directions" not in " ".join(shown.split())
    assert (
        "directions ignored" not in run("release", ties, "--query", "edges", "--unit", "edge", "--epsilon", "9").stdout
    )
