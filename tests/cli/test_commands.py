"""Commands from end to end: what they print, how they end, and that they agree with the Python calls."""

import json
import math
from fractions import Fraction

import pytest

from graphveil.cli.app import app
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.privacy.unit import Unit
from graphveil.release import plan


def test_help_teaches(run):
    shown = run("--help")
    assert shown.returncode == 0
    for command in ("demo", "stats", "plan", "release", "ledger", "algorithms"):
        assert command in shown.stdout
        taught = run(*(("ledger", "show") if command == "ledger" else (command,)), "--help")
        assert taught.returncode == 0
        assert "Example" in taught.stdout


def test_no_command_is_help_and_version_is_a_line(run):
    assert "Publish from a graph you hold" in run().stdout
    assert run("--version").stdout.startswith("graphveil ")


def test_stats_count_edges_between_groups_for_the_curator(run, tmp_path):
    (tmp_path / "g.csv").write_text("a,b\nb,c\nc,d\n")
    (tmp_path / "p.csv").write_text("person,team\na,red\nb,red\nc,blue\nd,blue\n")
    done = run("stats", tmp_path / "g.csv", "--people", tmp_path / "p.csv", "--attribute", "team", "--json")
    found = json.loads(done.stdout)["statistics"]
    assert [found[f"edges {cell}"] for cell in ("blue - blue", "blue - red", "red - red")] == [1, 1, 1]
    assert found["homophily"] == pytest.approx(1 / 3)


def test_stats_are_exact_and_say_they_are_not_private(run, tmp_path):
    (tmp_path / "g.csv").write_text("a,b\nb,c\nc,a\nc,d\nd,d\nb,a\n", encoding="utf-8")
    done = run("stats", "g.csv", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    statistics = document["statistics"]
    assert document["private"] is False
    assert (statistics["nodes"], statistics["edges"], statistics["triangles"]) == (4, 4, 1)
    assert "not private" in run("stats", "g.csv").stdout


def test_plan_forecasts_and_inverts(run):
    words = ("plan", "--query", "edges", "--unit", "edge", "--nodes", "4000", "--json")
    forecast = json.loads(run(*words, "--epsilon", "1").stdout)["plans"][0]
    assert forecast["error"] == 3
    inverted = json.loads(run(*words, "--error", "3", "--confidence", "0.95").stdout)["plans"][0]
    assert inverted["epsilon"] <= 1
    both = run(*words, "--epsilon", "1", "--error", "3")
    assert both.returncode == 2


def test_plan_prices_a_list(run):
    done = run("plan", "--query", "edges,max-degree", "--unit", "edge", "--nodes", "50", "--error", "5", "--json")
    document = json.loads(done.stdout)
    assert document["total"]["epsilon"] == pytest.approx(2 * document["plans"][0]["epsilon"])


def test_plan_states_the_joint_cost_at_a_delta(run):
    words = ("plan", "--query", "edges,max-degree,components", "--unit", "edge", "--nodes", "50", "--epsilon", "0.3")
    document = json.loads(run(*words, "--delta", "0.01", "--json").stdout)
    assert document["total"] == {"epsilon": 0.3, "delta": 0.0}
    assert document["together"]["epsilon"] < 0.3
    assert (document["together"]["delta"], document["together"]["rule"]) == (0.01, "optimal")
    assert "together:  epsilon 0.2" in run(*words, "--delta", "0.01").stdout
    alone = json.loads(run(*words, "--delta", "0", "--json").stdout)["together"]
    assert (alone["epsilon"], alone["rule"]) == (0.3, "basic")
    assert json.loads(run(*words, "--json").stdout)["together"] is None
    refused = run(*words, "--delta", "1")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "delta must be at least 0 and below 1" in refused.stderr


def test_plan_reads_no_private_value(run):
    assert (
        run(
            "plan", "--query", "edges", "--unit", "node", "--nodes", "50", "--epsilon", "1", "--max-degree", "9"
        ).returncode
        == 0
    )


def test_plan_refuses_more_people_than_there_can_be(run):
    done = run("plan", "--query", "edges", "--unit", "node", "--nodes", "1" + "0" * 400, "--epsilon", "1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_algorithms_lists_and_shows(run):
    listed = json.loads(run("algorithms", "--json").stdout)["algorithms"]
    assert {"edge-count", "node-edge-count"} <= {a["name"] for a in listed}
    assert all(a["guarantee"] for a in listed)
    assert "pure epsilon" in run("algorithms", "edge-count").stdout
    unknown = run("algorithms", "edge-cuont")
    assert unknown.returncode == 2
    assert "edge-count" in unknown.stderr


def test_ledger_show_on_rubbish(run, tmp_path):
    (tmp_path / "x").write_text("rubbish", encoding="utf-8")
    for name in ("x", "missing"):
        done = run("ledger", "show", name)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "missing").exists()


def test_demo_writes_one_self_contained_page_and_can_run_again(run, tmp_path):
    for _ in range(2):
        done = run("demo", "--out", "d", "--nodes", "400")
        assert done.returncode == 0, done.stderr
    page = (tmp_path / "d" / "report.html").read_text(encoding="utf-8")
    assert "refused" in done.stdout
    assert page.count("<svg") >= 3
    assert "src=" not in page
    assert 'href="http' not in page
    assert run("ledger", "show", "d/demo.ledger").returncode == 0


def test_demo_does_not_touch_a_foreign_ledger(run, tmp_path, friends):
    (tmp_path / "d").mkdir()
    run(
        "release",
        "friends.csv",
        "--query",
        "edges",
        "--unit",
        "edge",
        "--epsilon",
        "1",
        "--ledger",
        "d/demo.ledger",
        "--budget",
        "1",
    )
    done = run("demo", "--out", "d")
    assert done.returncode == 2
    assert "ledger" in done.stderr


def test_plan_names_the_confidence_it_used(run):
    words = ("plan", "--query", "edges", "--unit", "edge", "--nodes", "9", "--epsilon", "1", "--json")
    shown = json.loads(run(*words, "--confidence", "0.96").stdout)["plans"][0]
    assert shown["confidence"] == 0.99


@pytest.mark.parametrize("people", [1, 2])
def test_a_plan_for_an_answer_without_entries_expects_no_error(run, people):
    """Among two people nobody has two friends: there is no class of degrees to be wrong about."""
    words = ("plan", "--query", "clustering-by-degree", "--unit", "edge", "--nodes", str(people), "--epsilon", "1")
    done = run(*words, "--json")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)["plans"]
    assert (told["std"], told["error"]) == (0, 0)


def test_a_plan_that_knows_nothing_says_null(monkeypatch, capsys):
    """As a plug-in's may: both ends of its interval are open, and JSON has no infinity."""
    open_ends = Accuracy(0, math.inf, (Band(0.95, math.inf, math.inf),))
    unknown = plan.Plan("edges", Unit.parse("edge"), Fraction(1), "edge-count", open_ends)
    monkeypatch.setattr(plan, "forecast", lambda *_, **__: unknown)
    words = ["plan", "--query", "edges", "--unit", "edge", "--nodes", "9", "--epsilon", "1"]
    app([*words, "--json"], standalone_mode=False)
    (told,) = json.loads(capsys.readouterr().out)["plans"]
    assert (told["std"], told["error"]) == (None, None)
    app(words, standalone_mode=False)
    assert "inf" not in capsys.readouterr().out


def test_a_comparison_holds_a_friendship_fixed_and_says_what_it_costs(run, friends):
    words = ("benchmark", "friends.csv", "--query", "triangles", "--unit", "edge", "--epsilon", "1", "--runs", "2")
    document = json.loads(run(*words, "--json").stdout)
    assert document["equal"] == "friendship"
    keys = {"friendship_epsilon", "entry_epsilon", "upload_bits_per_user", "download_bits_per_user", "rounds", "runs"}
    for row in document["benchmarks"]:
        assert keys | {"standard_errors", "refuted"} <= set(row)
        assert row["friendship_epsilon"] <= 1
    shown = run(*words, "--equal", "entry").stdout
    assert "epsilon 1 for each entry" in shown
    assert "REFUTED" in shown
    assert "±" in shown
    wrong = run(*words, "--equal", "list")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def test_a_comparison_of_nothing_is_refused(run):
    done = run("benchmark", "none.csv", "--query", "mixing", "--unit", "edge", "--epsilon", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "mixing needs column, which a comparison does not take" in done.stderr


def test_a_token_given_instead_of_its_file_is_not_printed(run):
    done = run("collect", "status", "--token", "op_secret_token", "--server", "http://127.0.0.1:9")
    assert done.returncode == 2
    assert "name of a file" in done.stderr
    assert "op_secret_token" not in done.stdout + done.stderr
