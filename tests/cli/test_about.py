import json
import os


def test_the_doctor_says_what_there_is_and_where(run, tmp_path):
    (tmp_path / "wiki-Vote.txt").write_text("0 1\n")
    done = run("doctor", "--json", env={**os.environ, "GRAPHVEIL_DATA": str(tmp_path)})
    found = json.loads(done.stdout)
    assert {"graphveil", "Python", "numpy"} <= set(found["versions"])
    assert set(found["extras"]) == {"interop", "plots", "service", "spark"}
    assert "wiki-Vote" in found["places"]["real graphs"]


def test_the_doctor_is_readable(run):
    done = run("doctor")
    assert done.returncode == 0, done.stderr
    assert "optional parts" in done.stdout


def test_brackets_are_shown(run):
    assert "'.[spark]'" in run("doctor").stdout


def test_public_graphs_are_listed_with_whether_they_are_here(run, tmp_path):
    (tmp_path / "wiki-Vote.txt").write_text("0 1\n")
    listed = json.loads(run("datasets", "--folder", str(tmp_path), "--json").stdout)["datasets"]
    assert {row["name"] for row in listed if row["present"]} == {"wiki-Vote"}
    facebook = next(row for row in listed if row["name"] == "ego-Facebook")
    assert (facebook["nodes"], facebook["edges"], facebook["file"]) == (4039, 88234, None)
    assert facebook["source"].startswith("https://")
    shown = run("datasets", "wiki-Vote", "--folder", str(tmp_path))
    assert "7,115" in shown.stdout, shown.stderr
    for words, message in ((["karate"], "unknown dataset"), (["--fetch"], "needs a folder")):
        refused = run("datasets", *words, env={k: v for k, v in os.environ.items() if k != "GRAPHVEIL_DATA"})
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert message in refused.stderr
