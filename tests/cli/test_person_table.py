import json

import pytest

QUASI = ("--quasi", "age,zip", "--sensitive", "sick")


@pytest.fixture
def patients(tmp_path):
    rows = [(20, 100, "yes"), (21, 100, "no"), (22, 101, "no"), (60, 200, "yes"), (61, 200, "yes"), (63, 202, "yes")]
    text = "age,zip,sick\n" + "".join(f"{a},{z},{s}\n" for a, z, s in rows)
    (tmp_path / "patients.csv").write_text(text)


def test_a_table_is_made_anonymous_certified_and_still_read(run, patients):
    made = run("anonymize", "patients.csv", "--method", "k-anonymity", "--k", "3", *QUASI, "--out", "out.csv", "--json")
    assert made.returncode == 0, made.stderr
    document = json.loads(made.stdout)
    assert document["holds"] is True
    assert document["smallest_class"] == 3
    attacked = json.loads(run("attack", "patients.csv", "out.csv", "--attack", "homogeneity", *QUASI, "--json").stdout)
    assert attacked["details"]["certain"] == 0.5  # the second class is sick to the last person
    assert attacked["disclosed_for_sure"] == 3


def test_diversity_is_checked_and_reached_where_it_can_be(run, patients):
    words = ("--method", "k-anonymity", "--k", "2", *QUASI, "--l-diversity", "1.5")
    assert run("anonymize", "patients.csv", *words, "--out", "out.csv").returncode == 0
    assert json.loads(run("certify", "out.csv", *words, "--json").stdout)["holds"] is True
    assert json.loads(run("certify", "patients.csv", *words, "--json").stdout)["holds"] is False


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--k", "2"), "--quasi"),
        (("--k", "2", "--quasi", "height"), "age, zip, sick"),
        (("--k", "9", "--quasi", "age"), "lower k"),
        (("--k", "2", "--quasi", "age", "--l-diversity", "2"), "--sensitive"),
    ],
)
def test_wrong_demands_leave_nothing(run, patients, tmp_path, words, hint):
    done = run("anonymize", "patients.csv", "--method", "k-anonymity", *words, "--out", "out.csv")
    assert done.returncode == 2
    assert hint in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["patients.csv"]
