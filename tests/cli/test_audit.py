import json


def test_a_refuted_claim_and_a_sound_one(run, tmp_path):
    names = ("discrete-laplace", "control-half-scale-laplace")
    done = run("audit", *names, "--samples", "4000", "--json", "--out", "audit.html")
    assert done.returncode == 1, done.stderr
    audits = {entry["name"]: entry for entry in json.loads(done.stdout)["audits"]}
    assert audits["discrete-laplace"]["verdict"] == "consistent"
    assert audits["control-half-scale-laplace"]["verdict"] == "refuted"
    keys = {"name", "claimed_epsilon", "epsilon_lower_bound", "confidence", "samples", "verdict"}
    assert keys <= set(audits["discrete-laplace"])
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "src=" not in page


def test_a_refuted_claim_stops_a_pipeline(run, tmp_path):
    sound = run("audit", "discrete-laplace", "--samples", "2000")
    assert (sound.returncode, sound.stderr) == (0, "")
    refuted = run("audit", "control-half-scale-laplace", "--samples", "4000")
    assert (refuted.returncode, refuted.stderr) == (1, "")
    assert "refuted" in refuted.stdout


def test_names_are_listed_and_unknown_ones_refused(run):
    listed = json.loads(run("audit", "--json").stdout)["subjects"]
    assert {"discrete-laplace", "edge-count"} <= {entry["name"] for entry in listed}
    unknown = run("audit", "nonsense")
    assert unknown.returncode == 2
    assert "nonsense" in unknown.stderr
    assert run("audit", "--all", "edge-count").returncode == 2


def test_more_samples_than_an_audit_can_draw_are_refused_at_once(run):
    done = run("audit", "edge-count", "--samples", "99999999999")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "graphveil: samples may be at most 1,000,000, not 99,999,999,999\n"
