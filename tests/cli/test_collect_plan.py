import json
import subprocess
import sys

import pytest

WORDS = ("collect", "plan", "--nodes", "400", "--mean-degree", "10", "--epsilon")


@pytest.mark.parametrize(("statistic", "unit"), [("degree-distribution", "node"), ("triangles", "edge")])
def test_a_campaign_is_forecast_before_anybody_is_asked(run, statistic, unit):
    words = (*WORDS, "4", "--statistic", statistic, "--unit", unit, "--json")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document["metrics"]) == set(document["guess"])
    assert document["cost"]["upload_bits_per_user"] > 0
    assert document["guarantee"]["epsilon"] == 4
    assert document["advice"]


def test_advice_warns_where_a_guess_is_as_good(run):
    done = run(*WORDS, "0.05", "--statistic", "triangles", "--unit", "edge")
    assert "do not ask" in done.stdout


def test_a_refuted_protocol_is_forecast_as_what_it_is(run):
    words = (*WORDS, "4", "--statistic", "degree-distribution", "--unit", "node", "--protocol", "gs-ldp", "--json")
    document = json.loads(run(*words).stdout)
    assert document["guarantee"]["status"] == "claim-refuted"
    assert {strength["status"] for strength in document["strengths"]} == {"claim-refuted"}
    assert "refuted" in document["advice"]


def test_what_cannot_be_forecast_says_why(run):
    done = run(*WORDS, "1", "--statistic", "nonsense", "--unit", "edge")
    assert done.returncode == 2
    assert "triangles" in done.stderr


def test_a_plan_says_what_closing_will_take(run):
    for statistic, protocol in (("triangles", "veil"), ("clustering", "lf-gdpr")):
        asked = (*WORDS, "2", "--statistic", statistic, "--unit", "edge", "--protocol", protocol)
        assert json.loads(run(*asked, "--json").stdout)["memory_bytes"] > 400**2 / 8
        assert "MB for the collector to close it" in run(*asked).stdout
    done = run(
        "collect",
        "plan",
        "--statistic",
        "triangles",
        "--unit",
        "edge",
        "--protocol",
        "rnl",
        "--epsilon",
        "2",
        "--nodes",
        "200000",
    )
    assert done.returncode == 2
    assert "4.7 GB" in done.stderr


def test_a_campaign_that_no_message_can_carry_is_refused_before_a_collector_is_asked(run, tmp_path):
    (tmp_path / "people.txt").write_text("ann\nbob\ncy\n")
    links = tmp_path / "links.csv"
    asked = ("--statistic", "triangles", "--unit", "edge", "--epsilon", "1e-9", "--invitations", str(links))
    done = run("collect", "create", str(tmp_path / "people.txt"), *asked)
    assert done.returncode == 2
    assert "too small" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not links.exists()


def test_a_campaign_that_could_not_be_closed_here_leaves_nothing_behind(run, tmp_path):
    (tmp_path / "people.txt").write_text("".join(f"p{i}\n" for i in range(5_000)))
    places = ("--invitations", str(tmp_path / "links.csv"), "--database", str(tmp_path / "new.db"))
    asked = ("--statistic", "triangles", "--unit", "edge", "--epsilon", "1", "--memory", "10", "--serve")
    done = run("collect", "create", str(tmp_path / "people.txt"), *asked, *places)
    assert done.returncode == 2
    assert "with 5,000 people takes about 28 MB, of 10 MB that may be used, enough for about" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["people.txt"]


def test_one_protocol_has_one_error_in_a_plan(run):
    """The comparison of trust models forecasts the local one as the table above it does."""
    document = json.loads(run(*WORDS, "2", "--statistic", "transitivity", "--unit", "edge", "--json").stdout)
    local = next(each for each in document["trust_models"] if each["trust"] == "local")
    assert local["relative_error"] == pytest.approx(document["metrics"]["relative_error"])


def test_protocols_are_listed_without_a_server():
    code = (
        "import sys; sys.modules['fastapi'] = None; from graphveil.service.pages.offered import offered_protocols as o"
    )
    subprocess.run([sys.executable, "-c", f"{code}; assert any(each['browser'] for each in o())"], check=True)
