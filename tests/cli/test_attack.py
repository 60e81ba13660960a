import csv
import hashlib
import json

import pytest

from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster


@pytest.fixture
def anonymised(run, friends):
    """A k-degree copy under new names, and its key."""
    made = run(
        "anonymize", "friends.csv", "--method", "k-degree", "--k", "2", "--out", "public.txt", "--key", "key.csv"
    )
    assert made.returncode == 0, made.stderr


def test_the_key_says_who_is_who(run, anonymised):
    words = ("attack", "friends.csv", "public.txt", "--attack", "link", "--json")
    known = json.loads(run(*words, "--key", "key.csv").stdout)
    assert {"attack", "need", "rate", "interval95", "baseline_rate", "beats_baseline"} <= set(known)
    assert known["edges_kept"] > 0.8
    assert known["beats_baseline"] is True
    assert known["who_is_who"] == "key"
    assert known["people_matched"] == 60
    unknown = run(*words, "--same-names")
    assert json.loads(unknown.stdout)["edges_kept"] < 0.5


def test_the_last_line_says_whether_the_file_is_safe_and_status_0_that_the_attack_ran(run, anonymised):
    words = ("attack", "friends.csv", "public.txt", "--key", "key.csv", "--attack")
    found = run(*words, "link")
    assert (found.returncode, found.stdout.splitlines()[-1]) == (
        0, "verdict: public.txt is not safe against link: more is found than by guessing"
    )  # fmt: skip
    run("synthesize", "friends.csv", "--epsilon", "1", "--out", "other.csv")
    failed = run("attack", "friends.csv", "other.csv", "--attack", "degree", "--same-names")
    assert failed.returncode == 0
    assert failed.stdout.splitlines()[-1].startswith("verdict: other.csv withstood degree: no better than guessing.")
    assert "Status 0 says that the attacks ran" in " ".join(run("attack", "--help").stdout.split())


@pytest.mark.parametrize("attack", ["degree", "seed-and-propagate", "all"])
def test_without_a_key_new_names_cannot_be_judged(run, anonymised, attack):
    """The names of both files are 0 to 59: only the friendships tell that they are not the same people."""
    done = run("attack", "friends.csv", "public.txt", "--attack", attack, "--json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "cannot judge: names do not match" in done.stderr
    assert "60 of 60 people" in done.stderr
    assert "--key" in done.stderr
    assert done.stderr.count("\n") == 1


def test_other_names_cannot_be_judged_either(run, friends, tmp_path):
    (tmp_path / "other.csv").write_text("ann,bob\nbob,cat\n")
    done = run("attack", "friends.csv", "other.csv", "--attack", "degree")
    assert done.returncode == 2
    assert "cannot judge: names do not match" in done.stderr


def test_a_part_of_the_people_is_counted(run, friends, tmp_path):
    lines = [line for line in friends.read_text().splitlines() if max(map(int, line.split(","))) < 30]
    (tmp_path / "part.csv").write_text("\n".join(lines) + "\n")
    done = run("attack", "friends.csv", "part.csv", "--attack", "link", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["people_matched"] == 30
    assert "30 of 60 people of the original are in the published graph" in done.stderr


def test_disclosed_people_are_counted_and_nothing_is_tested(run, tmp_path):
    """Half of the people share a class in which everybody is sick: that is certain, not a rate against a guess."""
    rows = ["20..22,100,no", "20..22,100,no", "20..22,100,yes", *["60..63,200,yes"] * 3]
    (tmp_path / "table.csv").write_text("age,zip,sick\n" + "\n".join(rows) + "\n")
    words = ("attack", "table.csv", "table.csv", "--attack", "homogeneity", "--quasi", "age,zip", "--sensitive", "sick")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 of 6 people: disclosed for sure")
    assert "guessing" not in done.stdout
    found = json.loads(run(*words, "--json").stdout)
    assert (found["disclosed_for_sure"], found["people"]) == (3, 6)
    assert "beats_baseline" not in found


def test_the_key_is_for_its_owner_alone(anonymised, tmp_path):
    assert (tmp_path / "key.csv").stat().st_mode & 0o077 == 0


def test_all_attacks_name_each_privacy_need(run, anonymised):
    done = run("attack", "friends.csv", "public.txt", "--attack", "all", "--key", "key.csv", "--json")
    attacks = json.loads(done.stdout)["attacks"]
    assert {outcome["need"] for outcome in attacks} == {"node", "link", "community"}
    assert "epsilon" not in done.stdout


def test_values_are_inferred_from_friends(run, tmp_path):
    graph = power_law_cluster(300, 4, 0.5, seed=1)
    write_graph(graph, tmp_path / "graph.npz")
    (tmp_path / "values.csv").write_text("".join(f"{node},{'north' if node % 3 else 'south'}\n" for node in range(300)))
    words = ("attack", "graph.npz", "graph.npz", "--attack", "attribute")
    found = json.loads(run(*words, "--values", "values.csv", "--json").stdout)
    assert found["attack"] == "attribute"
    assert found["tries"] == 150
    assert run(*words).returncode == 2
    (tmp_path / "values.csv").write_text("0,north\n")
    short = run(*words, "--values", "values.csv")
    assert short.returncode == 2
    assert "299" in short.stderr


def test_the_share_of_edges_that_is_known_is_said(run, anonymised):
    words = ("attack", "friends.csv", "public.txt", "--attack", "seed-and-propagate", "--key", "key.csv")
    assert "a graph of 100% of the original's edges" in run(*words).stdout
    assert "a graph of 70% of the original's edges" in run(*words, "--known-edges", "0.7").stdout


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--attack", "degree", "--known-edges", "0.5"), "--known-edges is for seed-and-propagate"),
        (("--attack", "seed-and-propagate", "--known-edges", "0"), "a share of edges above 0"),
        (("--attack", "nonsense"), "seed-and-propagate"),
        (("--attack", "membership"), "publish a part"),
        (("--attack", "degree", "--key", "missing.csv"), "missing.csv"),
        (("--attack", "seed-and-propagate", "--seeds", "0"), "at least one seed"),
    ],
)
def test_what_cannot_be_attacked_says_why(run, friends, words, hint):
    done = run("attack", "friends.csv", "friends.csv", *words)
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_key_of_another_graph_is_refused(run, anonymised, tmp_path):
    """Judged by a wrong key every attack fails, which looks like safety."""
    header, *lines = (tmp_path / "key.csv").read_text().splitlines()
    published, originals = zip(*(line.split(",") for line in lines), strict=True)
    wrong = [f"{one},{other}" for one, other in zip(published, (*originals[7:], *originals[:7]), strict=True)]
    (tmp_path / "wrong.csv").write_text("\n".join([header, *wrong]) + "\n")
    words = ("attack", "friends.csv", "public.txt", "--attack", "degree", "--key", "wrong.csv")
    done = run(*words)
    assert (done.returncode, done.stderr.count("the key does not fit")) == (2, 1)
    assert run(*words, "--same-names").returncode == 0


def test_a_table_of_attacks_has_the_ends_of_intervals_as_numbers(run, anonymised, tmp_path):
    words = ("attack", "friends.csv", "public.txt", "--attack", "degree", "--key", "key.csv", "--out", "found.csv")
    assert run(*words).returncode == 0
    (row,) = csv.DictReader((tmp_path / "found.csv").read_text().splitlines())
    assert 0 <= float(row["low95"]) <= float(row["rate"]) <= float(row["high95"]) <= 1


def test_several_attacks_are_named_with_commas(run, anonymised):
    words = ("attack", "friends.csv", "public.txt", "--key", "key.csv", "--json", "--attack")
    document = json.loads(run(*words, "degree, link").stdout)
    assert [found["attack"] for found in document["attacks"]] == ["degree", "link"]
    unknown = run(*words, "degree,links")
    assert (unknown.returncode, "unknown attack 'links'" in unknown.stderr) == (2, True)


def test_nobody_is_looked_for_in_a_synthetic_graph(run, anonymised):
    made = run("synthesize", "friends.csv", "--epsilon", "2", "--out", "drawn.csv")
    assert made.returncode == 0, made.stderr
    words = "drawn.csv: its statement says that it is a synthetic graph (drawn.csv.privacy.json, which nobody signed)"
    for command in (
        ("attack", "friends.csv", "drawn.csv", "--attack", "degree"),
        ("certify", "drawn.csv", "--method", "k-degree", "--k", "5"),
    ):
        done = run(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert "2-differential privacy for one edge, central model (an attacker who knows everything" in done.stderr


@pytest.mark.parametrize("names", ["the same", "new"])
def test_the_original_with_a_statement_of_another_graph_is_attacked(run, anonymised, tmp_path, names):
    assert run("synthesize", "friends.csv", "--epsilon", "2", "--out", "drawn.csv").returncode == 0
    lines = (tmp_path / "friends.csv").read_text().splitlines()
    new = [line if names == "the same" else ",".join(f"n{end}" for end in line.split(",")) for line in lines]
    (tmp_path / "fake.csv").write_text("\n".join(new) + "\n")
    statement = json.loads((tmp_path / "drawn.csv.privacy.json").read_text())
    digest = hashlib.sha256((tmp_path / "fake.csv").read_bytes()).hexdigest()
    statement["graphs"] = [{"file": "fake.csv", "sha256": digest}]
    (tmp_path / "fake.csv.privacy.json").write_text(json.dumps(statement))
    done = run("attack", "friends.csv", "fake.csv", "--attack", "degree")
    assert "says that fake.csv is synthetic, which is not true" in done.stderr
    assert done.returncode == (0 if names == "the same" else 2)  # without a key nobody can judge new names


@pytest.mark.parametrize("change", ["another file", "one more edge"])
def test_a_statement_about_another_file_vouches_for_nothing(run, anonymised, tmp_path, change):
    assert run("synthesize", "friends.csv", "--epsilon", "2", "--out", "drawn.txt").returncode == 0
    published = "drawn.txt"
    if change == "another file":
        published = "public.txt"
        (tmp_path / "public.txt.privacy.json").write_bytes((tmp_path / "drawn.txt.privacy.json").read_bytes())
    else:
        _, *lines = (tmp_path / published).read_text().splitlines()  # the first line says how many edges there are
        (tmp_path / published).write_text("\n".join([*lines, "0 1\n"]))
    certified = run("certify", published, "--method", "k-degree", "--k", "2")
    assert "synthetic graph" not in certified.stderr
    assert f"{published}.privacy.json is ignored: it is about another file" in certified.stderr
    assert certified.stdout  # it was checked
    if change == "another file":
        attacked = run("attack", "friends.csv", published, "--attack", "degree", "--key", "key.csv")
        assert (attacked.returncode, "is ignored" in attacked.stderr) == (0, True)


@pytest.mark.parametrize("text", ["[]", "{", '{"follows_people": false}', '{"follows_people": false, "graphs": [7]}'])
def test_a_statement_that_is_none_vouches_for_nothing(run, friends, tmp_path, text):
    (tmp_path / "friends.csv.privacy.json").write_text(text)
    done = run("certify", "friends.csv", "--method", "k-degree", "--k", "2")
    assert "synthetic graph" not in done.stderr
    assert done.stdout


def test_columns_of_a_table_are_for_the_attack_on_tables(run, friends):
    done = run("attack", "friends.csv", "friends.csv", "--attack", "all", "--quasi", "age,zip")
    assert (done.returncode, "--attack homogeneity" in done.stderr) == (2, True)
