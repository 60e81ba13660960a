"""`graphveil stream`: what scripts rely on."""

import csv
import json

import pytest


@pytest.fixture
def place(tmp_path):
    for month, size in enumerate((30, 60, 45), start=1):
        lines = [f"p{i},p{(7 * i + month // 9) % 61}" for i in range(size)]
        (tmp_path / f"m{month}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def stream(run):
    def command(*arguments):
        done = run("stream", *arguments)
        return done.returncode, done.stdout, done.stderr

    return command


def test_the_forecast_of_a_stream_is_for_the_people_there_are(place, stream):
    """Clustering is noise among 60 people, and would not be among the 10,000 that are assumed when nobody says."""
    file, ledger = place / "c.stream", place / "c.ledger"
    asked = ("--query", "edges,average-clustering", "--unit", "edge", "--epsilon", "4", "--horizon", "12")
    paid = ("--ledger", ledger, "--budget", "4")
    code, _, errors = stream("open", file, *asked, *paid, "--nodes", "60")
    assert code == 2
    assert "average-clustering would be mostly noise over 12 periods: among 60 people" in errors
    assert not ledger.exists()
    code, out, _ = stream("open", file, *asked, *paid)
    assert code == 0
    assert "a forecast for 10,000 people (--nodes)" in out
    errors = stream("add", file, place / "m1.csv")[2]
    assert "average-clustering: this answer says nothing" in errors


def test_the_wrong_file_is_told_to_the_curator(place, stream):
    terms = ("--query", "edges", "--unit", "edge", "--epsilon", "4", "--horizon", "4", "--nodes", "60")
    opened = stream("open", place / "r.stream", *terms, "--ledger", place / "r.ledger", "--budget", "4")[1]
    assert stream("add", place / "r.stream", place / "m1.csv", "--period", "1")[2].count("warning") == 0
    same = stream("add", place / "r.stream", place / "m1.csv", "--period", "2")
    assert "warning: this is the graph of period 1: if it is the wrong file, publish the right one as a new" in same[2]
    right = stream("add", place / "r.stream", place / "m2.csv", "--period", "2", "--json")
    assert "warning: period 2 was published from another graph" in right[2]
    assert "graph of period" not in same[1]
    error = next(line for line in opened.splitlines() if line.startswith("error:"))
    shown = stream("show", place / "r.stream")[1]
    assert error in shown  # for the people that were stated when it was opened
    assert "root mean square" in error
    assert "60 people (--nodes)" in error


def test_what_is_counted_stands_in_rows_file_and_report(place, stream):
    terms = ("--query", "edges,triangles", "--unit", "edge", "--epsilon", "9", "--horizon", "2", "--nodes", "60")
    words = ("--ever", "--method", "triangles=new", "--accept-noise")
    stream("open", place / "e.stream", *terms, *words, "--ledger", place / "e.ledger", "--budget", "9")
    added = stream("add", place / "e.stream", place / "m2.csv", "--period", "2026-10")[1]
    assert "edges, ever seen" in added
    assert "triangles, new" in added
    stream("show", place / "e.stream", "--out", place / "e.csv")
    rows = list(csv.DictReader((place / "e.csv").read_text().splitlines()))
    assert [(row["query"], row["counted"]) for row in rows] == [
        ("edges", "ever seen"),
        ("triangles", "new"),
    ]
    stream("show", place / "e.stream", "--out", place / "e.html")
    page = (place / "e.html").read_text()
    assert "edges, ever seen: " in page  # in short
    assert ">2026-10</text>" in page  # periods are named under the chart


def test_a_stream_that_a_release_opens_is_forecast_for_its_people(place, run):
    done = run(
        "release", place / "m2.csv", "--over-time", place / "d.stream", "--horizon", "12", "--query",
        "average-clustering", "--unit", "edge", "--epsilon", "4", "--ledger", place / "d.ledger", "--budget", "4",
    )  # fmt: skip
    assert done.returncode == 2
    assert "mostly noise over 12 periods: among 61 people" in done.stderr


def test_open_add_repeat_show_and_the_end_of_the_horizon(place, stream):
    file, ledger = place / "a.stream", place / "a.ledger"
    code, out, _ = stream(
        "open", file, "--query", "edges,triangles", "--unit", "edge", "--epsilon", "1", "--horizon", "2",
        "--ledger", ledger, "--budget", "1", "--json",
    )  # fmt: skip
    assert code == 0
    opened = json.loads(out)
    assert (opened["spent"]["epsilon"], opened["left"]["epsilon"]) == (1.0, 0.0)
    first = json.loads(stream("add", file, place / "m1.csv", "--json")[1])
    assert [item["query"] for item in first["releases"]] == ["edges", "triangles"]
    assert {"value", "guarantee", "accuracy", "provenance"} <= set(first["releases"][0])
    again = json.loads(stream("add", file, place / "m1.csv", "--json")[1])
    assert again["repeated"]
    assert again["releases"] == first["releases"]
    assert json.loads(stream("add", file, place / "m2.csv", "--json")[1])["step"] == 2
    code, out, errors = stream("add", file, place / "m3.csv", "--json")
    assert (code, out) == (3, "")
    assert "opened for 2 periods" in errors
    shown = json.loads(stream("show", file, "--json")[1])
    assert [period["period"] for period in shown["periods"]] == ["m1.csv", "m2.csv"]
    assert stream("show", file, "--out", place / "series.csv")[0] == 0
    assert (
        (place / "series.csv").read_text().startswith("step,period,query,group,label_means,label,label_2,value,low95")
    )
    assert stream("extend", file, "--horizon", "3")[0] == 3  # fresh triangles cost more than is left


def test_what_is_wrong_is_said_in_one_line_and_leaves_nothing(place, stream):
    terms = ("--query", "edges", "--unit", "edge", "--epsilon", "2", "--horizon", "2", "--ledger", place / "a.ledger")
    code, _, errors = stream("open", place / "a.stream", *terms, "--budget", "1")
    assert (code, errors.count("\n")) == (3, 1)
    assert not (place / "a.stream").exists()
    code, _, errors = stream("add", place / "none.stream", place / "m1.csv")
    assert code == 2
    assert "there is no such stream" in errors


def test_a_plan_over_time_refuses_options_that_would_have_no_effect(run):
    plan = ("plan", "--query", "edges", "--unit", "edge", "--epsilon", "1", "--horizon", "12")
    for options, words in (
        (("--nodes", "-5"), "--nodes must lie from 1"),
        (("--nodes", "9", "--error", "3"), "exactly one of --epsilon, --error"),
        (("--nodes", "9", "--method", "edge-count"), "--method has no effect beside --horizon"),
    ):
        done = run(*plan, *options)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
    several = ("plan", "--query", "edges", "--unit", "edge", "--epsilon", "1,2", "--nodes", "9", "--delta", "1e-6")
    assert "--delta has no effect beside several epsilons" in run(*several).stderr
    assert "--ever is for --horizon" in run(*several[:-2], "--ever").stderr


def test_a_plan_knows_what_friendships_that_stay_gain(run):
    plan = ("plan", "--query", "degree-histogram", "--unit", "edge", "--epsilon", "1", "--horizon", "365")
    by = [
        json.loads(run(*plan, "--nodes", "4000", "--json", *ever).stdout)["over_time"][0]["method"]
        for ever in ((), ("--ever",))
    ]
    assert by == ["fresh", "tree"]


def test_release_over_time_opens_a_stream_the_first_time_and_adds_to_it_later(place, run):
    def release(month, *more):
        return run(
            "release", place / f"m{month}.csv", "--over-time", place / "a.stream", "--period", str(month), "--query",
            "edges", "--unit", "edge", "--epsilon", "1", "--ledger", place / "a.ledger", "--budget", "1", "--json",
            *more,
        )  # fmt: skip

    first = json.loads(release(1, "--horizon", "2").stdout)
    assert json.loads(release(2, "--horizon", "2").stdout)["step"] == 2
    again = json.loads(release(1, "--horizon", "2").stdout)
    assert (again["repeated"], again["releases"]) == (True, first["releases"])
    other = release(3, "--horizon", "5")
    assert (other.returncode, other.stdout) == (2, "")
    assert "opened for edges under edge privacy, epsilon 1 over 2 periods" in other.stderr
    assert "needs --horizon" in release(3).stderr
    assert "--explain has no effect beside --over-time" in release(3, "--horizon", "2", "--explain").stderr


def test_a_list_that_was_paid_for_is_shown_and_written_in_every_format(place, stream):
    file, more = place / "a.stream", ("--ledger", place / "a.ledger", "--budget", "8")
    terms = ("--query", "edges,degree-histogram", "--unit", "edge", "--epsilon", "8", "--horizon", "2")
    assert stream("open", file, *terms, *more)[0] == 0
    code, out, _ = stream("add", file, place / "m1.csv", "--period", "jan")
    assert (code, "degree: people [95 % interval]" in out) == (0, True)
    stream("add", file, place / "m2.csv", "--period", "feb")
    for suffix in ("csv", "parquet", "json", "html", "png", "svg"):
        code, _, errors = stream("show", file, "--out", place / f"all.{suffix}")
        assert (code, f"written: {place / f'all.{suffix}'}" in errors) == (0, True)
    rows = (place / "all.csv").read_text().splitlines()
    assert {row.split(",")[1] for row in rows[1:]} == {"jan", "feb"}
    assert any(row.startswith("2,feb,degree-histogram,,degree,3,") for row in rows)
    page = (place / "all.html").read_text()
    assert "Published periods: 2 of 2 (jan to feb)." in page
    assert "edges over time with 95 % intervals" in page
    code, _, errors = stream("show", file, "--out", place / "all.txt")
    assert (code, ".csv" in errors) == (2, True)


def test_what_nobody_enforces_is_said_before_it_is_relied_on(place, stream):
    terms = ("--query", "edges", "--unit", "node", "--epsilon", "5", "--horizon", "2", "--ever", "--max-degree", "5")
    more = ("--method", "edges=tree", "--ledger", place / "a.ledger", "--budget", "5")
    code, out, _ = stream("open", place / "a.stream", *terms, *more)
    assert (code, "nobody ever makes more than 5 friends" in " ".join(out.split())) == (0, True)


@pytest.mark.parametrize(
    ("graph", "query", "unit", "words"),
    [
        ("none.csv", "edges", "edge", "cannot be read"),
        ("m1.csv", "reciprocity", "edge", "needs directions"),
        ("m1.csv", "edges", "node", "needs the list of all people"),
    ],
)
def test_a_graph_that_does_not_hold_what_is_asked_opens_no_stream(place, run, graph, query, unit, words):
    asked = ("--query", query, "--unit", unit, "--epsilon", "5", "--horizon", "2", "--accept-noise")
    more = ("--ledger", place / "a.ledger", "--budget", "5", "--over-time", place / "a.stream")
    done = run("release", place / graph, *asked, *more)
    assert (done.returncode, words in done.stderr) == (2, True)
    assert not (place / "a.stream").exists()
    assert not (place / "a.ledger").exists()


def test_a_stream_reads_directions_and_weights_where_its_queries_need_them(place, stream):
    (place / "votes.csv").write_text("from,to,weight\n" + "".join(f"a{i},a{i + 1},2\n" for i in range(60)))
    for query, needed in (("reciprocity", ("--directed",)), ("weighted-total", ("--weighted", "weight"))):
        file = place / f"{query}.stream"
        asked = ("--query", query, "--unit", "edge", "--epsilon", "9", "--horizon", "2", "--accept-noise")
        assert stream("open", file, *asked, "--ledger", place / f"{query}.ledger", "--budget", "9")[0] == 0
        add = ("add", file, place / "votes.csv", "--period", "one", "--json")
        code, _, said = stream(*add)
        assert code == 2
        assert needed[0] in said
        assert json.loads(stream(*add, *needed)[1])["releases"][0]["query"] == query


def test_a_friendship_over_all_time_is_priced_wherever_epsilon_is(place, stream, run):
    paid = ("--ledger", place / "w.ledger", "--budget", "4")
    asked = ("--query", "edges", "--unit", "edge", "--epsilon", "3", "--horizon", "6")
    words = "up to epsilon 12 for a friendship over all time, which is the number to tell people"
    assert words in stream("open", place / "w.stream", *asked, *paid)[1]
    stream("add", place / "w.stream", place / "m1.csv", "--period", "1")
    assert words in stream("show", place / "w.stream", "--out", place / "w.html")[1]
    assert words in run("plan", *asked, "--nodes", "60").stdout
    page = (place / "w.html").read_text()
    assert page.count(words) == 2  # in short, and at the budget
    assert "when guessing whether two given people were ever connected, an attacker" in page
    assert "connected has cost up to epsilon 12" in " ".join(run("ledger", "show", place / "w.ledger").stdout.split())
    shown = json.loads(run("ledger", "show", place / "w.ledger", "--json").stdout)["datasets"][0]
    assert (shown["spent"]["epsilon"], shown["friendship_epsilon"]) == (3, 12)
    assert json.loads(stream("show", place / "w.stream", "--json")[1])["stream"]["friendship_epsilon"] == 12
