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
    assert "graphveil[spark]" in run("doctor").stdout
