"""The contract for scripts about ledgers: one set of people, one budget, and nothing that is paid for is lost."""

import csv
import json
from pathlib import Path

import pytest

from graphveil.errors import BudgetExceeded
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.release.session import Session

LEDGER = ("--ledger", "net.ledger", "--budget", "1")


def release(run, file, *words, query="edges", epsilon="1"):
    return run("release", file, "--query", query, "--unit", "edge", "--epsilon", epsilon, *words)


def spent(run, ledger="net.ledger"):
    return json.loads(run("ledger", "show", ledger, "--json").stdout)["people"]


@pytest.fixture
def months(tmp_path: Path) -> list[str]:
    names = []
    for month in range(1, 5):
        edges = power_law_cluster(60, 3, 0.5, seed=month).edges().tolist()
        names.append(f"friends-2024-{month:02}.csv")
        (tmp_path / names[-1]).write_text("".join(f"{u},{v}\n" for u, v in edges))
    return names


def test_monthly_snapshots_share_one_budget(run, months):
    done = [release(run, month, *LEDGER) for month in months]
    assert [each.returncode for each in done] == [0, 3, 3, 3]
    for each in done[1:]:
        assert each.stderr.count("\n") == 1
        assert "this ledger protects the people of 'friends-2024-01.csv'" in each.stderr
        assert "--dataset friends-2024-01.csv" in each.stderr
    shared = release(run, months[1], *LEDGER, "--dataset", months[0])
    assert (shared.returncode, shared.stderr.count("\n")) == (3, 1)
    assert "the budget of 'friends-2024-01.csv' is exceeded" in shared.stderr
    assert spent(run) == [{"datasets": [months[0]], "separate": False, "spent": {"epsilon": 1.0, "delta": 0.0}}]


def test_separate_people_are_declared_on_purpose(run, months):
    release(run, months[0], *LEDGER)
    apart = release(run, months[1], *LEDGER, "--separate-people", "--json")
    assert apart.returncode == 0
    assert "you declare that nobody in this data is in other data of this ledger" in apart.stderr
    assert [each["datasets"] for each in spent(run)] == [[months[0]], [months[1]]]
    assert f"of {months[1]} (declared to be other people): epsilon 1" in run("ledger", "show", "net.ledger").stdout


@pytest.mark.parametrize("flags", [(), ("--separate-people",)])
def test_an_identical_graph_under_a_new_name_is_refused(run, months, tmp_path, flags):
    release(run, months[0], *LEDGER, epsilon="0.5")
    lines = (tmp_path / months[0]).read_text().splitlines()
    (tmp_path / "copy.csv").write_text("".join(f"{line}\n" for line in reversed(lines)))
    before = (tmp_path / "net.ledger").read_bytes()
    done = release(run, "copy.csv", *LEDGER, *flags, epsilon="0.25")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert f"--dataset {months[0]}" in done.stderr
    assert (tmp_path / "net.ledger").read_bytes() == before


def test_python_after_the_command_line_is_the_same_data_set(run, months, tmp_path):
    release(run, months[0], *LEDGER)
    session = Session(read_graph(tmp_path / months[0]), unit="edge", ledger=tmp_path / "net.ledger", budget=1)
    with pytest.raises(BudgetExceeded):
        session.triangles(epsilon=0.5)


def test_the_same_command_twice_pays_once(run, months):
    first, again = (release(run, months[0], *LEDGER, "--json", epsilon="0.5") for _ in range(2))
    assert (first.returncode, again.returncode) == (0, 0)
    one, two = json.loads(first.stdout), json.loads(again.stdout)
    assert one["releases"] == two["releases"]
    assert (one["repeated"], two["repeated"]) == (False, True)
    assert (one["spent"]["epsilon"], two["spent"]["epsilon"]) == (0.5, 0.0)
    assert one["left"] == two["left"] == {"epsilon": 0.5, "delta": 0.0}
    assert (
        json.loads(release(run, months[0], *LEDGER, "--json", "--fresh", epsilon="0.5").stdout)["left"]["epsilon"] == 0
    )
    assert release(run, months[0], *LEDGER, epsilon="0.5").returncode == 0  # stored, though nothing is left
    assert "--fresh asks again and pays again" in release(run, months[0], *LEDGER, epsilon="0.5").stdout


def test_a_stored_answer_is_not_weighed_again(run, months):
    noisy = release(run, months[0], *LEDGER, "--accept-noise", query="max-degree", epsilon="0.02")
    again = release(run, months[0], *LEDGER, query="max-degree", epsilon="0.02")
    assert (noisy.returncode, again.returncode) == (0, 0)
    assert "mostly noise" in release(run, months[0], *LEDGER, query="max-degree", epsilon="0.01").stderr


def test_a_request_id_of_another_graph_is_told_to_the_curator(run, months):
    words = (*LEDGER, "--dataset", "all", "--request-id", "a", "--json")
    first = release(run, months[0], *words, epsilon="0.5")
    other = release(run, months[1], *words, epsilon="0.5")
    assert json.loads(first.stdout)["releases"] == json.loads(other.stdout)["releases"]
    assert "warning: this request id was used for another graph" in other.stderr


def test_a_request_id_of_another_graph_is_told_by_synthesize_too(run, months):
    words = ("--method", "tmf", "--epsilon", "0.5", *LEDGER, "--dataset", "all", "--request-id", "a", "--json")
    first = run("synthesize", months[0], *words, "--out", "one.csv")
    other = run("synthesize", months[1], *words, "--out", "two.csv")
    assert (first.returncode, other.returncode) == (0, 0), other.stderr
    assert json.loads(first.stdout)["targets"] == json.loads(other.stdout)["targets"]
    assert "this request id was used for another graph" not in first.stderr
    assert "warning: this request id was used for another graph" in other.stderr


def test_without_a_ledger_it_is_said_that_nothing_is_recorded(run, months, tmp_path):
    done = release(run, months[0], "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, done.stderr.count("warning")) == (0, 1)
    assert "warning: nothing is recorded" in done.stderr
    assert document["releases"][0]["provenance"]["ledger_entry"] is None
    assert document["repeated"] is False
    assert not list(tmp_path.glob("*.ledger"))
    assert "is not a file" in release(run, months[0], "--ledger", ".", "--budget", "1").stderr
    for flag in ("--fresh", "--separate-people"):
        assert f"{flag} needs --ledger" in release(run, months[0], flag).stderr


def test_what_was_bought_can_be_printed_again(run, months, tmp_path):
    made = release(run, months[0], *LEDGER, "--json", query="edges,degree-histogram", epsilon="1")
    releases = json.loads(made.stdout)["releases"]
    got = json.loads(run("ledger", "get", "net.ledger", "1", "--json").stdout)
    assert got["releases"] == releases
    assert (got["entry"], got["dataset"]) == (1, months[0])
    shown = run("ledger", "get", "net.ledger", "1").stdout
    assert "degree-histogram, degree: people [95 % interval]" in shown
    run("ledger", "export", "net.ledger", "--out", "all.json")
    run("ledger", "export", "net.ledger", "--out", "all.csv")
    (entry,) = json.loads((tmp_path / "all.json").read_text())["entries"]
    assert entry == got
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text().splitlines()))
    histogram = [float(row["value"]) for row in rows if row["query"] == "degree-histogram"]
    assert histogram == releases[1]["value"]
    for words, complaint in (
        (("get", "net.ledger", "2"), "has no entry 2; it is a part of entry 1"),
        (("get", "net.ledger", "7"), "has no entry 7; entries with a release: 1"),
        (("export", "net.ledger", "--out", "all.xyz"), "ends in .json or .csv"),
        (("export", "net.ledger", "--out", "net.ledger.key"), "ends in .json or .csv"),
        (("get", "net.ledger", str(10**20)), "has no request id"),
        (("get", "no.ledger", "1"), "there is no ledger"),
    ):
        done = run("ledger", *words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert complaint in done.stderr


def test_no_command_prints_key_or_fingerprint(run, months, tmp_path):
    release(run, months[0], *LEDGER)
    run("ledger", "export", "net.ledger", "--out", "all.json")
    key = (tmp_path / "net.ledger.key").read_text().strip()
    printed = [
        run("ledger", *words).stdout
        for words in (("show", "net.ledger", "--json"), ("get", "net.ledger", "1", "--json"))
    ]
    marks = {Ledger.open(tmp_path / "net.ledger").entries()[0].fingerprint}
    secrets = {key, *(text for mark in marks for text in (mark.edges, mark.graph))}
    for text in (*printed, (tmp_path / "all.json").read_text()):
        assert not [secret for secret in secrets if secret in text]


def test_a_list_is_shown_when_it_is_bought(run, months):
    shown = release(run, months[0], *LEDGER, query="degree-histogram").stdout
    assert "degree-histogram, degree: people [95 % interval]" in shown
    assert "--json" not in shown
    assert "0: " in shown


def test_a_long_list_names_the_command_that_prints_the_rest(run, tmp_path):
    write_graph(power_law_cluster(400, 5, 0.5, seed=1), tmp_path / "many.npz")
    shown = release(run, "many.npz", *LEDGER, query="adjacency", epsilon="1").stdout
    assert shown.count("\n") < 60
    last = next(line for line in shown.splitlines() if "more lines" in line)
    command = last.partition("all of them: graphveil ")[2].split()
    assert run(*command).stdout.count("\n") > 60


def test_a_weak_epsilon_is_refused_or_said(run, months):
    words = ("--ledger", "net.ledger", "--budget", "2000")
    refused = release(run, months[0], *words, epsilon="1000")
    assert (refused.returncode, refused.stderr.count("\n")) == (3, 1)
    assert "--accept-weak" in refused.stderr
    assert run("ledger", "show", "net.ledger").returncode == 2  # nothing was made
    assert release(run, months[0], *words, "--accept-weak", epsilon="1000").returncode == 0
    warned = release(run, months[0], *words, epsilon="6")
    assert "warning: epsilon 6 is weak: an attacker" in warned.stdout
    drawn = run("synthesize", months[0], "--epsilon", "21", "--method", "dp-1k", "--out", "s.txt")
    assert drawn.returncode == 3


def test_the_same_synthesis_is_paid_once(run, months, tmp_path):
    words = ("synthesize", months[0], "--epsilon", "0.5", "--method", "dp-1k", *LEDGER, "--out", "s.txt", "--json")
    words = (*words, "--force")  # the second graphs take the place of the first
    first, again = (json.loads(run(*words).stdout) for _ in range(2))
    assert (first["repeated"], again["repeated"], again["left"]["epsilon"]) == (False, True, 0.5)
    assert first["targets"] == again["targets"]
    got = json.loads(run("ledger", "get", "net.ledger", "1", "--json").stdout)
    assert got["statement"]["targets"] == first["targets"]
    assert json.loads(run(*words, "--fresh").stdout)["left"]["epsilon"] == 0


def test_a_campaign_with_a_weak_epsilon_is_refused_before_anybody_is_asked(run, tmp_path):
    (tmp_path / "people.txt").write_text("ann\nbob\n")
    words = ("collect", "create", "people.txt", "--statistic", "degree-distribution", "--unit", "node", "--epsilon")
    done = run(*words, "21")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert "--accept-weak" in done.stderr
    assert not (tmp_path / "invitations.csv").exists()


def test_a_forgotten_list_of_people_is_refused_before_anything_is_spent(run, months, tmp_path):
    """The histogram of October had 800 people and that of November 770: 30 have no friends, without noise."""
    (tmp_path / "people.csv").write_text("".join(f"{person}\n" for person in range(75)))
    words, again = (*LEDGER, "--dataset", "friends"), {"query": "degree-histogram", "epsilon": "0.25"}
    assert release(run, months[0], *words, "--people", "people.csv", "--request-id", "1", **again).returncode == 0
    forgotten = release(run, months[1], *words, "--request-id", "2", **again)
    assert (forgotten.returncode, forgotten.stderr.count("\n")) == (3, 1)
    assert "give the list (--people FILE); nothing was spent" in forgotten.stderr
    assert spent(run)[0]["spent"]["epsilon"] == 0.25
    done = release(run, months[1], *words, "--people", "people.csv", "--request-id", "2", **again)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr


def test_other_people_than_before_are_refused_until_that_is_accepted(run, months, tmp_path):
    words = (*LEDGER, "--dataset", "friends")
    (tmp_path / months[1]).write_text((tmp_path / months[1]).read_text() + "0,newcomer\n")
    assert "set of people" not in release(run, months[0], *words, epsilon="0.25").stderr
    refused = release(run, months[1], *words, epsilon="0.25")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "the people of 'friends' are not those of the release before" in refused.stderr
    assert spent(run)[0]["spent"]["epsilon"] == 0.25
    other = release(run, months[1], *words, "--accept-changed-people", epsilon="0.25")
    assert other.returncode == 0
    assert "warning: the set of people is not that of the release before" in other.stderr
    assert "set of people" not in release(run, months[1], *words, query="triangles", epsilon="0.25").stderr


def test_a_list_of_just_the_people_with_an_edge_changes_nobody(run, months, tmp_path):
    edges = [line.split(",") for line in (tmp_path / months[0]).read_text().splitlines()]
    (tmp_path / "all.txt").write_text(
        "".join(f"{name}\n" for name in sorted({name for ends in edges for name in ends}))
    )
    (tmp_path / "more.txt").write_text((tmp_path / "all.txt").read_text() + "newcomer\n")
    for people, told in (("all.txt", False), ("more.txt", True)):
        words = ("--ledger", f"{people}.ledger", "--budget", "1", "--dataset", "friends")
        release(run, months[0], *words, epsilon="0.25")
        listed = release(run, months[0], *words, "--people", people, epsilon="0.25")
        assert ("release before" in listed.stderr) == told, listed.stderr


def test_a_mistyped_ledger_is_not_made_and_the_one_there_is_named(run, months, tmp_path):
    release(run, months[0], *LEDGER, epsilon="0.5")
    done = release(run, months[0], "--ledger", "nets.ledger", epsilon="0.5")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "nets.ledger does not exist (net.ledger is here); a new ledger has no budget" in done.stderr
    assert not (tmp_path / "nets.ledger").exists()
    made = release(run, months[0], "--ledger", "nets.ledger", "--budget", "1", epsilon="0.5")
    assert made.returncode == 0
    assert "warning: nets.ledger will be a new ledger with a budget of its own (net.ledger is here)" in made.stderr


def test_an_entry_is_found_by_its_request_id(run, months):
    release(run, months[0], *LEDGER, "--request-id", "2026-10", query="edges,triangles,2-stars", epsilon="0.25")
    by_id, by_number = (run("ledger", "get", "net.ledger", name).stdout for name in ("2026-10", "1"))
    assert by_id == by_number != ""
    shown = run("ledger", "show", "net.ledger").stdout
    assert "0.25 in 3 equal parts" in " ".join(shown.split())
    assert "numbers may be missing" in shown
    missing = run("ledger", "get", "net.ledger", "2026-11")
    assert missing.returncode == 2
    assert "has no request id '2026-11'" in missing.stderr
