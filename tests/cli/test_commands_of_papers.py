"""`reproduce` prints what a paper states beside what comes out; `algorithms NAME` shows what differs from it."""

import json


def test_reproduce_prints_statements(run, tmp_path):
    done = run("reproduce", "gs-ldp-fig1", "--quick", "--out", str(tmp_path), "--json")
    document = json.loads(done.stdout)
    assert document["statements"]
    for statement in document["statements"]:
        assert set(statement) == {"paper", "ours", "verdict"}
        assert statement["verdict"] in ("reproduced", "not reproduced", "depends on a reading", "not tested here")
    refused = run("reproduce", "gs-ldp-fig4", "--quick", "--out", str(tmp_path / "no"), "--option", "estimat=counted")
    assert refused.returncode == 2
    assert "did you mean estimate" in refused.stderr
    wrong = run("reproduce", "gs-ldp-fig4", "--quick", "--out", str(tmp_path / "no"), "--option", "threshold_rule=best")
    assert wrong.returncode == 2
    assert "normalised or raw" in wrong.stderr
    nothing = run("reproduce", "gs-ldp-table2", "--quick", "--out", str(tmp_path / "no"), "--graphs", ",")
    assert nothing.returncode == 2
    assert "--graphs names no graph" in nothing.stderr
    assert not (tmp_path / "no").exists()


def test_algorithms_shows_what_differs_what_was_claimed_and_the_options_of_each_of_one_name(run):
    shown = run("algorithms", "gs-ldp").stdout
    assert shown.count("  differs ") >= 3
    assert shown.count("  claim ") == shown.count("gs-ldp: ") >= 5
    assert "threshold_rule=normalised" in shown
    assert "shares=1/10,9/20,9/20" in shown
    assert "estimate=counted" in run("algorithms", "rnl").stdout
    listed = json.loads(run("algorithms", "bcpa", "--json").stdout)["algorithms"]
    assert listed[0]["defaults"]["betweenness"] == "ordinary"
