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


def test_a_statement_is_checked_against_its_file_and_the_ledger(run, friends, tmp_path):
    words = ("synthesize", "friends.csv", "--epsilon", "8", "--out", "drawn.txt")
    assert run(*words, "--ledger", "friends.ledger", "--budget", "8").returncode == 0
    done = run("check-statement", "drawn.txt", "--ledger", "friends.ledger")
    assert (done.returncode, done.stderr) == (0, "")
    assert "8-differential privacy for one edge, central model" in done.stdout
    assert "epsilon 8 is weak: an attacker who knows everything else" in done.stdout
    assert "in the ledger:   yes, entry 1" in done.stdout
    assert "signed by:       nobody" in done.stdout
    changed = json.loads((tmp_path / "drawn.txt.privacy.json").read_text())
    changed["guarantee"]["epsilon"] = 0.1
    (tmp_path / "mild.json").write_text(json.dumps(changed))
    other = run("check-statement", "drawn.txt", "--statement", "mild.json", "--ledger", "friends.ledger", "--json")
    assert (other.returncode, other.stderr) == (1, "")
    document = json.loads(other.stdout)
    assert (document["is_about_it"], document["ledger_entry"], document["holds"]) == (True, None, False)
    (tmp_path / "drawn.txt").write_text("0 1\n")
    done = run("check-statement", "drawn.txt")
    assert (done.returncode, "about this file: no" in done.stdout) == (1, True)


def test_what_is_no_statement_is_refused(run, friends, tmp_path):
    for text in ("[]", "{", '{"guarantee": 7}', "[" * 100_000):
        (tmp_path / "friends.csv.privacy.json").write_text(text)
        done = run("check-statement", "friends.csv")
        assert (done.returncode, "is no privacy statement" in done.stderr) == (2, True)
    assert "there is no file" in run("check-statement", "none.txt").stderr
    assert "cannot be read" in run("check-statement", "friends.csv", "--statement", "none.json").stderr
