import hashlib
import json

import pytest


def synthesize(run, *words, epsilon="1"):
    return run("synthesize", "friends.csv", "--epsilon", epsilon, *words)


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "friends.csv")


def test_a_graph_and_its_privacy_statement_are_written(run, friends, tmp_path):
    done = synthesize(run, "--method", "dk2-soft", "--out", "public.txt.gz", "--samples", "2", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert files(tmp_path) == ["public-2.txt.gz", "public.txt.gz", "public.txt.gz.privacy.json"]
    statement = json.loads((tmp_path / "public.txt.gz.privacy.json").read_text())
    assert statement == {key: document[key] for key in statement}
    assert statement["guarantee"]["epsilon"] == 1.0
    assert statement["guarantee"]["status"] == "proved"
    assert statement["targets"]["edges"] > 0
    assert [graph["file"] for graph in statement["graphs"]] == ["public.txt.gz", "public-2.txt.gz"]
    assert statement["graphs"][0]["nodes"] == 60
    for graph in statement["graphs"]:  # a statement is about these files and no others
        assert graph["sha256"] == hashlib.sha256((tmp_path / graph["file"]).read_bytes()).hexdigest()
    assert set(statement["graphs"][0]["fit"]["edges"]) == {"target", "reached"}
    assert document["spent"] == {"epsilon": 1.0, "delta": 0.0}
    compared = run("evaluate", "friends.csv", "public.txt.gz", "--json")
    assert json.loads(compared.stdout)["metrics"]["nodes"]["error"] == 0
    assert compared.stderr == ""


def test_spending_is_recorded_once_for_all_samples_and_refused_over_budget(run, friends, tmp_path):
    words = ("--method", "tmf", "--ledger", "f.ledger")
    first = synthesize(run, *words, "--budget", "1.5", "--samples", "3", "--out", "a.txt", "--json")
    assert json.loads(first.stdout)["left"] == {"epsilon": 0.5, "delta": 0.0}
    before = files(tmp_path)
    refused = synthesize(run, *words, "--fresh", "--out", "b.txt")
    assert refused.returncode == 3
    assert refused.stderr.count("\n") == 1
    assert files(tmp_path) == before
    shown = json.loads(run("ledger", "show", "f.ledger", "--json").stdout)["datasets"][0]
    assert [entry["what"] for entry in shown["entries"]] == ["synthetic graph (tmf)"]


@pytest.mark.parametrize("method", ["dk-pa", "drc", "bcpa"])
def test_refuted_methods_are_refused(run, friends, tmp_path, method):
    done = synthesize(run, "--method", method, "--out", "public.txt", "--ledger", "f.ledger", "--budget", "9")
    assert done.returncode == 3
    assert "reproduce" in done.stderr
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--method", "nonsense", "--out", "a.txt"), "veil"),
        (("--method", "tmf", "--out", "a.xyz"), "known format"),
        (("--method", "tmf", "--out", "nowhere/a.txt"), "a.txt: cannot be written"),
        (("--method", "tmf", "--out", "a.txt", "--samples", "0"), "at least 1"),
        (("--method", "tmf", "--out", "a.txt", "--option", "count_share"), "NAME=VALUE"),
        (("--method", "tmf", "--out", "a.txt", "--option", "count_share=2"), "between 0 and 1"),
        (("--method", "tmf", "--out", "a.txt", "--option", "nonsense=2"), "nonsense"),
        (("--method", "veil", "--out", "a.txt", "--option", "rounds=few"), "whole number"),
        (("--method", "privgraph", "--out", "a.txt", "--option", "group_size=1.5"), "whole number"),
        (("--method", "tmf", "--out", "friends.csv"), "replaced"),
        (("--method", "tmf", "--out", "a.txt", "--unit", "node"), "edge privacy"),
        (("--method", "tmf", "--out", "a.txt", "--budget", "3"), "--ledger"),
    ],
)
def test_bad_requests_say_what_is_wrong_and_leave_nothing(run, friends, tmp_path, words, said):
    done = synthesize(run, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert files(tmp_path) == []


def test_k_edges_share_the_epsilon(run, friends, tmp_path):
    done = synthesize(run, "--method", "tmf", "--unit", "5-edge", "--out", "a.txt", "--json")
    document = json.loads(done.stdout)
    assert document["guarantee"]["unit"] == "5-edge"
    assert document["guarantee"]["epsilon"] == 1.0
    assert document["provenance"]["parameters"]["epsilon"] == "1/5"


def test_evaluate_prints_a_table_and_names_missing_files(run, friends):
    table = run("evaluate", "friends.csv", "friends.csv")
    assert table.returncode == 0
    assert "community_ami" in table.stdout
    assert run("evaluate", "friends.csv", "missing.txt").returncode == 2


def party_table(folder):
    rows = [f"{u},{'red' if u < 20 else 'NA'},{u % 7}\n" for u in range(60)]
    (folder / "parties.csv").write_text("person,party,year\n" + "".join(rows))
    return "--people", "parties.csv", "--attribute", "party"


@pytest.mark.parametrize("method", ["dk2-soft", "tmf"])
def test_attributes_come_with_the_graph(run, friends, tmp_path, method):
    done = synthesize(run, "--method", method, *party_table(tmp_path), "--out", "public.txt.gz")
    assert done.returncode == 0, done.stderr
    assert "written: public.txt.gz, public-attributes.csv, public.txt.gz.privacy.json" in done.stderr
    table = tmp_path / "public-attributes.csv"
    header, *rows = [line.split(",") for line in table.read_text().splitlines()]
    assert header == ["person", "party"]
    assert [category for _, category in rows].count("red") == 20
    assert "NA" not in {category for _, category in rows}, "as R writes what is not known"
    assert sorted(int(person) for person, _ in rows) == list(range(60))
    (drawn,) = json.loads((tmp_path / "public.txt.gz.privacy.json").read_text())["graphs"]
    assert drawn["attributes"] == {
        "file": "public-attributes.csv",
        "sha256": hashlib.sha256(table.read_bytes()).hexdigest(),
    }
    assert 0 <= drawn["fit"]["mixing_l1"]["reached"] < 1


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("person\n0\n", "line 1"),
        ("person,party\n0,red\n0,blue\n", "one line"),
        ("person,party\n0,red\n777,blue\n", "not on the list"),
        ("person,party\n" + "".join(f"{u},{u}\n" for u in range(60)), "at most 50"),
    ],
    ids=["no category", "a person twice", "a stranger", "too many categories"],
)
def test_wrong_attributes_are_refused_and_leave_nothing(run, friends, tmp_path, table, said):
    (tmp_path / "parties.csv").write_text(table)
    words = ("--people", "parties.csv", "--attribute", "party", "--out", "a.txt", "--ledger", "f.ledger")
    refused = synthesize(run, "--method", "tmf", *words, "--budget", "1")
    assert refused.returncode == 2
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert files(tmp_path) == ["parties.csv"]


def test_a_drawn_graph_is_asked_about_its_own_attributes(run, friends, tmp_path):
    assert synthesize(run, "--method", "dk2-soft", *party_table(tmp_path), "--out", "public.csv").returncode == 0
    asked = run("stats", "public.csv", "--people", "public-attributes.csv", "--attribute", "party", "--json")
    assert asked.returncode == 0, asked.stderr


@pytest.fixture
def named(tmp_path):
    """A ring of people whose names are mail addresses."""
    names = [f"p{u:02}@example.org" for u in range(40)]
    lines = [f"{names[u]},{names[(u + 1) % 40]}\n" for u in range(40)]
    (tmp_path / "named.csv").write_text("".join(lines))
    return names


@pytest.mark.parametrize("method", ["veil", "tmf", "dgg", "privgraph", "dk2-soft"])
def test_no_name_and_no_order_leaves_unless_asked_for(run, named, tmp_path, method):
    words = ("synthesize", "named.csv", "--method", method, "--epsilon", "15", "--out")
    done = run(*words, "out.csv", "--report", "out.html")
    assert done.returncode == 0, done.stderr
    page, statement = (tmp_path / "out.html").read_text(), (tmp_path / "out.csv.privacy.json").read_text()
    assert "example.org" not in (tmp_path / "out.csv").read_text() + page + statement
    document = json.loads(statement)
    follows = method != "dk2-soft"
    assert (document["follows_people"], document["names_kept"]) == (follows, False)
    assert ("keep-names" in done.stderr) == follows
    if follows:  # neither the seed of the order nor numbers of people in their order
        assert document["graphs"][0]["seed"] is None
        assert not [value for value in document["targets"].values() if isinstance(value, list)]
    kept = run(*words, "kept.csv", "--keep-names")
    assert kept.returncode == 0, kept.stderr
    assert ("example.org" in (tmp_path / "kept.csv").read_text()) == follows
    assert ("names: none to keep" in kept.stderr) != follows


@pytest.mark.parametrize("method", ["veil", "tmf"])
def test_where_most_edges_are_real_everything_says_so(run, named, tmp_path, method):
    words = ("synthesize", "named.csv", "--method", method, "--out", "out.csv", "--report", "out.html")
    done = run(*words, "--epsilon", "15")
    said = "of its edges are expected to be real"
    assert said in done.stdout
    page = (tmp_path / "out.html").read_text()
    assert said in page
    assert "Give it only to those who may see the private graph" in page
    assert "Anybody may have it" not in page
    assert json.loads((tmp_path / "out.csv.privacy.json").read_text())["expected_true_edges"] > 0.9
    little = run(*words, "--epsilon", "1", "--force")
    assert said not in little.stdout
    assert "Anybody may have it" in (tmp_path / "out.html").read_text()
