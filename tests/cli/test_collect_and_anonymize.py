"""A simulated campaign and an anonymised graph from the command line: what is printed and what is left behind."""

import json

from graphveil.cli.collect import campaign
from graphveil.mechanisms.entries import long_columns


def test_a_simulated_campaign_prints_the_contract(run, friends):
    words = ("collect", "simulate", "friends.csv", "--statistic", "degree-distribution", "--unit", "node")
    done = run(*words, "--protocol", "veil", "--epsilon", "1", "--runs", "2", "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    keys = {"protocol", "statistic", "unit", "epsilon", "guarantee", "metrics", "cost", "seconds", "runs"}
    assert keys <= set(document)
    assert {"mse", "mae", "relative_error", "wasserstein", "ks"} <= set(document["metrics"])
    assert document["guarantee"]["status"] == "seeded-no-guarantee"
    assert document["cost"]["upload_bits_per_user"] > 0


def test_a_refuted_protocol_runs_for_study_and_says_so(run, friends):
    words = ("collect", "simulate", "friends.csv", "--statistic", "degree-distribution", "--unit", "node")
    done = run(*words, "--protocol", "gs-ldp", "--epsilon", "1")
    assert done.returncode == 0, done.stderr
    assert "refuted" in done.stdout
    unknown = run(*words, "--protocol", "nonsense", "--epsilon", "1")
    assert unknown.returncode == 2
    assert "veil" in unknown.stderr


def test_triangles_and_clustering_of_everybody_are_collected(run, friends):
    for statistic, protocol, unit in (
        ("triangles", "gs-ldp", "node"),
        ("triangles", "rnl", "edge"),
        ("triangle-sequence", "veil", "edge"),
        ("clustering", "gs-ldp", "edge"),
        ("clustering", "lf-gdpr", "edge"),
        ("clustering", "rnl", "edge"),
    ):
        words = ("--statistic", statistic, "--protocol", protocol, "--unit", unit, "--epsilon", "1", "--json")
        done = run("collect", "simulate", "friends.csv", *words)
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert {"mse", "mae", "relative_error"} <= set(document["metrics"])
        expected = "claim-refuted" if protocol == "gs-ldp" else "proved"
        assert document["guarantee"]["status"] == expected


def test_clustering_says_what_it_withholds_and_takes_parameters(run, friends):
    words = ("collect", "simulate", "friends.csv", "--statistic", "clustering", "--unit", "edge", "--protocol", "veil")
    done = run(*words, "--epsilon", "1", "--parameter", "method=split")
    assert done.returncode == 0, done.stderr
    assert "withheld: its deviation" in done.stdout
    assert "split" in done.stdout
    unknown = run(*words, "--epsilon", "1", "--parameter", "method=other")
    assert unknown.returncode == 2
    assert "split or whole" in unknown.stderr


def test_anonymise_then_certify(run, friends, tmp_path):
    made = run("anonymize", "friends.csv", "--method", "k-degree", "--k", "3", "--out", "public.txt.gz", "--json")
    assert made.returncode == 0, made.stderr
    document = json.loads(made.stdout)
    assert {"method", "k", "holds", "worst_class", "edges_added", "edges_removed"} <= set(document)
    assert "epsilon" not in made.stdout
    certified = run("certify", "public.txt.gz", "--method", "k-degree", "--k", "3", "--json")
    assert certified.returncode == 0
    assert json.loads(certified.stdout)["holds"] is True


def test_a_certificate_that_does_not_hold_stops_a_pipeline(run, friends):
    words = ("certify", "friends.csv", "--method", "k-degree", "--k", "30")
    done = run(*words, "--json")
    assert (done.returncode, done.stderr) == (1, "")
    original = json.loads(done.stdout)
    assert original["holds"] is False
    assert original["worst_class"]["size"] < 30
    shown = run(*words)
    assert shown.returncode == 1
    assert shown.stderr.startswith("friends.csv: 60 people")  # what was read, and nothing else
    assert shown.stderr.count("\n") == 1
    assert "does not hold" in shown.stdout


def test_what_r_writes_for_an_unknown_value_is_told(run, tmp_path):
    lines = ['"","age","sex"', *(f'"{i}",{20 + i},{"NA" if i % 2 else "f"}' for i in range(20))]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    words = ("--method", "k-anonymity", "--k", "4", "--quasi", "age,sex", "--out", "table.csv")
    made = run("anonymize", "people.csv", *words)
    assert made.returncode == 0, made.stderr
    assert "left out: (a column without a name)" in made.stderr
    assert ("NA is taken for a value" in made.stderr) == ("NA" in (tmp_path / "table.csv").read_text())


def test_a_table_is_published_without_names_and_certified_only_so(run, tmp_path):
    lines = ["name,mail,age,city,sick"]
    lines += [f"person {i},p{i}@example.org,{20 + i},{'Oslo' if i % 2 else 'Rome'},{i % 3 == 0}" for i in range(20)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    words = ("--method", "k-anonymity", "--k", "4", "--quasi", "age", "--sensitive", "sick")
    made = run("anonymize", "people.csv", *words, "--out", "table.csv", "--json")
    assert made.returncode == 0, made.stderr
    assert "left out: name, mail, city" in made.stderr
    assert json.loads(made.stdout)["dropped_columns"] == ["name", "mail", "city"]
    header, *rows = (tmp_path / "table.csv").read_text().splitlines()
    assert header == "age,sick"
    assert len(rows) == 20
    assert run("certify", "table.csv", *words).returncode == 0
    kept = run("anonymize", "people.csv", *words, "--out", "city.csv", "--keep", "city")
    assert (kept.returncode, (tmp_path / "city.csv").read_text().splitlines()[0]) == (0, "age,city,sick")
    assert "not protected: city" in kept.stderr
    unlisted = run("certify", "city.csv", *words)
    assert (unlisted.returncode, unlisted.stdout.splitlines()[1][:39]) == (1, "neither --quasi nor --sensitive: city; ")
    assert json.loads(run("certify", "city.csv", *words, "--json").stdout)["unlisted_columns"] == ["city"]
    accepted = run("certify", "city.csv", *words, "--keep", "city")
    assert accepted.returncode == 0
    assert "not protected: city" in accepted.stderr
    refused = run("anonymize", "people.csv", *words, "--out", "names.csv", "--keep", "name")
    assert refused.returncode == 2
    assert "'name' cannot be kept" in refused.stderr
    assert not (tmp_path / "names.csv").exists()


def test_a_table_with_names_is_not_certified(run, tmp_path):
    rows = [f"person {i},{'20..29' if i < 5 else '30..39'},{i % 2}" for i in range(10)]
    (tmp_path / "table.csv").write_text("name,age,sick\n" + "\n".join(rows) + "\n")
    words = ("certify", "table.csv", "--method", "k-anonymity", "--k", "5", "--quasi", "age", "--sensitive", "sick")
    done = run(*words)
    assert done.returncode == 1
    assert "does not hold" in done.stdout
    assert "column name names people" in done.stdout
    assert json.loads(run(*words, "--json").stdout)["naming_columns"] == ["name"]


def test_a_wrong_k_or_method_leaves_nothing(run, friends, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    for words in (("k-degree", "1"), ("k-degree", "1000"), ("nonsense", "3")):
        done = run("anonymize", "friends.csv", "--method", words[0], "--k", words[1], "--out", "x.txt")
        assert done.returncode == 2, done.stdout
        assert done.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_table_of_a_result_has_the_columns_of_a_release() -> None:
    answer = {
        "statistic": "degree-distribution",
        "value": [0.2, 0.8],
        "std": None,
        "interval95": [[0.0, 0.5], [0.5, 1.0]],
        "guarantee": {"epsilon": 1.0, "unit": "node"},
    }
    table = campaign._columns(answer)
    assert table["label_means"] == ["degree", "degree"]
    assert (table["label"], table["high95"], table["unit"]) == (["0", "1"], [0.5, 1.0], ["node", "node"])
    number = campaign._columns(answer | {"statistic": "triangles", "value": 20.0, "interval95": [18.0, 22.0]})
    assert set(number) < set(long_columns([]))
    assert (number["label"], number["low95"]) == ([None], [18.0])
