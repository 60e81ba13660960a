from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

N = 90


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    rng = np.random.default_rng(1)
    kinds = rng.integers(0, 2, N)
    close = np.triu(rng.random((N, N)) < np.where(kinds[:, None] == kinds, 0.25, 0.03), 1)
    edges, people = tmp_path / "edges.txt", tmp_path / "people.csv"
    edges.write_text("".join(f"{u} {v}\n" for u, v in np.argwhere(close)), encoding="utf-8")
    rows = [f"{place},{'' if place % 4 == 0 else f'k{kind}'},a{place % 3} b\n" for place, kind in enumerate(kinds)]
    people.write_text("who,kind,words\n" + "".join(rows), encoding="utf-8")
    return edges, people


@pytest.fixture
def learn(run, files):
    def command(*more: str, unit: str = "edge", label: str = "kind", epsilon: str = "2"):
        words = (
            "--people",
            "people.csv",
            "--label",
            label,
            "--unit",
            unit,
            "--epsilon",
            epsilon,
            "--out",
            "predictions.csv",
            "--force",
        )
        return run("learn", "edges.txt", *words, *more)

    return command


def test_predictions_and_the_document_of_the_contract(learn, files) -> None:
    result = learn("--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert {"guarantee", "accuracy", "floor"} <= set(document)
    assert document["guarantee"]["epsilon"] == 2
    assert document["guarantee"]["delta"] == 0
    low, high = document["accuracy"]["interval95"]
    assert low <= document["accuracy"]["forecast"] <= high
    with files[0].with_name("predictions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["person", "prediction", "probability"]
    assert sorted(int(row["person"]) for row in rows) == list(range(0, N, 4))
    assert {row["prediction"] for row in rows} <= {"k0", "k1"}
    assert all(0.5 <= float(row["probability"]) <= 1 for row in rows)


def test_node_privacy_says_nothing_of_how_many_have_labels(learn) -> None:
    done = learn("--delta", "1e-5", "--classes", "a,b", "--json", unit="node", epsilon="8")
    document = json.loads(done.stdout)
    assert document["guarantee"]["unit"] == "record"
    assert document["guarantee"]["delta"] == document["spent"]["delta"] == pytest.approx(1e-5)
    assert "its own person only" in " ".join(document["guarantee"]["assumes"])
    assert "people" not in {*document["predictions"], *document["accuracy"], *document["floor"]}
    assert {"probabilities", "roles"}.isdisjoint(document["provenance"]["derived"])


def test_a_seed_repeats_and_gives_no_guarantee(learn, files) -> None:
    out = files[0].with_name("predictions.csv")
    documents, texts = [], []
    for _ in range(2):
        documents.append(json.loads(learn("--seed", "5", "--json").stdout))
        texts.append(out.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert documents[0]["guarantee"]["status"] == "seeded-no-guarantee"


def test_a_ledger_is_charged_once_for_a_request(learn) -> None:
    ledger = ("--ledger", "l.db", "--budget", "3", "--request-id", "r1", "--json")
    first, second = (json.loads(learn(*ledger).stdout) for _ in range(2))
    assert first["left"] == second["left"] == {"epsilon": 1.0, "delta": 0.0}
    assert [each["repeated"] for each in (first, second)] == [False, True]
    assert [each["spent"]["epsilon"] for each in (first, second)] == [2.0, 0.0]
    assert "spent:     nothing" in learn(*ledger[:-1]).stdout
    refused = learn("--ledger", "l.db", epsilon="1.5")
    assert refused.returncode == 3


def test_fresh_pays_again_for_the_same(learn) -> None:
    ledger = ("--ledger", "l.db", "--budget", "5", "--json")
    found = [json.loads(learn(*ledger, *more).stdout) for more in ((), (), ("--fresh",))]
    assert [each["repeated"] for each in found] == [False, True, False]
    assert [each["left"]["epsilon"] for each in found] == [3.0, 3.0, 1.0]


@pytest.mark.parametrize(
    ("more", "options", "words"),
    [
        ((), {"label": "kin"}, "unknown label column 'kin'"),
        (("--features", "word"), {}, "unknown feature column 'word'"),
        (("--delta", "1e-6"), {}, "delta of 0"),
        (("--budget", "3"), {}, "needs --ledger"),
        (("--fresh",), {}, "needs --ledger"),
        ((), {"unit": "node"}, "needs a delta above 0"),
        (("--delta", "1e-6"), {"unit": "3-node"}, "unknown unit"),
        (("--delta", "1e-6", "--classes", "a"), {"unit": "node"}, "declare 2 to 100 classes"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_nothing_behind(learn, files, more, options, words) -> None:
    result = learn(*more, **options)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert sorted(path.name for path in files[0].parent.iterdir()) == ["edges.txt", "people.csv"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("who,kind\n1,a\n2\n", "row 3: it has 1 cells"),
        ("who,kind\n1,a\n,b\n", "row 3: the first cell"),
        ("who,who\n1,a\n", "line 1"),
        ("who\n1\n", "line 1"),
        ('"","who","kind"\n"1",7,"a"\n', "row.names = FALSE"),
        ("who,kind\n1,a\n1,b\n", "listed twice"),
        ("who,kind\n0,a\n1,b\n2,\n", "edges.txt"),  # the graph names others
    ],
)
def test_wrong_tables_are_refused(learn, files, text: str, words: str) -> None:
    files[1].write_text(text, encoding="utf-8")
    result = learn()
    assert result.returncode == 2
    assert words in result.stderr


def test_a_report_says_how_often_predictions_are_right(learn, files) -> None:
    assert learn("--report", "page.html").returncode == 0
    page = files[0].with_name("page.html").read_text(encoding="utf-8")
    assert "are expected to be right" in page
    assert "graph and features" in page
    assert "<svg" in page
    assert learn("--report", "page.txt").returncode == 2


def test_a_forecast_reads_no_graph_and_lies_between_floor_and_ceiling(run, files) -> None:
    people = ("--people", "people.csv", "--label", "kind", "--epsilon", "0.01,4")
    done = run("plan-learning", *people, "--mean-degree", "20", "--same", "0.9", "--out", "chart.svg", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    weak, strong = (each["accuracy"] for each in document["forecasts"])
    assert weak < strong <= document["ceiling"] + 0.05
    assert strong > document["floor"] + 0.1
    assert "without noise" in files[0].with_name("chart.svg").read_text(encoding="utf-8")
    refused = run("plan-learning", *people, "--mean-degree", "20", "--same", "1.5")
    assert refused.returncode == 2
    assert "between 0 and 1" in refused.stderr
