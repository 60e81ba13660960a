import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import scipy.sparse


def release(run, *words, unit="edge", epsilon="1"):
    return run("release", *words, "--unit", unit, "--epsilon", epsilon)


def test_json_is_one_document_with_the_contract_keys(run, friends):
    done = release(run, "friends.csv", "--query", "edges,degree-histogram", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    first, second = document["releases"]
    assert (first["query"], second["query"]) == ("edges", "degree-histogram")
    assert first["guarantee"]["epsilon"] == second["guarantee"]["epsilon"] == 0.5
    assert first["guarantee"]["status"] == "proved"
    assert document["spent"] == {"epsilon": 1.0, "delta": 0.0}
    assert document["left"] is None
    assert sum(second["value"]) == pytest.approx(60, abs=1e-6)


RELEASE = ("release", "--query", "edges", "--unit", "edge", "--epsilon", "1")
ANONYMIZE = ("anonymize", "--method", "k-degree", "--k", "2")


@pytest.mark.parametrize("command", [RELEASE, ANONYMIZE], ids=["release", "anonymize"])
def test_a_command_does_not_write_over_what_it_reads(run, friends, command):
    before = Path(friends).read_bytes()
    done = run(command[0], friends.name, *command[1:], "--out", f"./{friends.name}")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "would be replaced" in done.stderr
    assert Path(friends).read_bytes() == before


def test_shares_split_the_total_exactly(run, friends):
    done = release(run, "friends.csv", "--query", "edges,max-degree", "--share", "edges=1,max-degree=3", "--json")
    first, second = json.loads(done.stdout)["releases"]
    assert (first["guarantee"]["epsilon"], second["guarantee"]["epsilon"]) == (0.25, 0.75)


def test_options_of_a_method_are_passed_on_or_refused(run, friends):
    done = release(run, "friends.csv", "--query", "top-people,edges", "--option", "k=3", "--json")
    assert len(json.loads(done.stdout)["releases"][0]["value"]) == 3, done.stderr
    refused = release(run, "friends.csv", "--query", "edges", "--option", "k=3")
    assert refused.returncode == 2
    assert "leave out --option k: under edge privacy edges takes no such option" in refused.stderr
    planned = run(
        "plan", "--query", "top-people", "--unit", "edge", "--nodes", "60", "--epsilon", "1", "--option", "k=3"
    )
    assert planned.returncode == 0, planned.stderr


def test_an_attribute_of_people_makes_groups(run, friends, tmp_path):
    names = sorted({name for line in (tmp_path / "friends.csv").read_text().splitlines() for name in line.split(",")})
    rows = [f"{name},{('red', 'blue', '', 'NA')[place % 4]}" for place, name in enumerate(names)]
    (tmp_path / "people.csv").write_text("\n".join(["name,team", *rows]) + "\n")
    table = ("--people", "people.csv", "--attribute", "team")
    done = release(run, "friends.csv", "--query", "mixing,homophily", *table, "--json", epsilon="20")
    mixing, homophily = json.loads(done.stdout)["releases"]
    assert mixing["labels"][:2] == ["blue - blue", "blue - red"], done.stderr
    assert len(mixing["value"]) == len(mixing["labels"]) == 6
    assert "everybody's group is public" in mixing["guarantee"]["assumes"][0]
    assert mixing["provenance"]["derived"]["homophily"] == pytest.approx(homophily["value"], abs=0.05)
    shown = release(run, "friends.csv", "--query", "mixing", *table, "--attribute-values", "red", epsilon="20").stdout
    assert "red - (none)" in shown
    private = release(run, "friends.csv", "--query", "mixing", *table, "--attribute-is", "private")
    assert (private.returncode, private.stderr.count("\n")) == (2, 1)
    assert "--unit node" in private.stderr
    without = release(run, "friends.csv", "--query", "mixing", "--attribute", "team")
    assert "--attribute needs --people TABLE.csv" in without.stderr
    misspelt = release(run, "friends.csv", "--query", "mixing", *table, "--attribute-values", "Red,blue")
    assert (misspelt.returncode, "which nobody has; did you mean red?" in misspelt.stderr) == (2, True)
    (tmp_path / "people.csv").write_text("\n".join(["name;team", *rows]).replace(",", ";"))
    assert "red - blue" in release(run, "friends.csv", "--query", "mixing", *table, epsilon="20").stdout.replace(
        "blue - red", "red - blue"
    )
    planned = run(
        *("plan", "--query", "mixing", "--unit", "edge", "--nodes", "60", "--epsilon", "1"),
        *("--attribute-values", "red,blue", "--json"),
    )
    assert json.loads(planned.stdout)["plans"][0]["error"] > 0, planned.stderr


def test_candidate_partitions_come_from_a_file(run, friends, tmp_path):
    names = sorted({name for line in (tmp_path / "friends.csv").read_text().splitlines() for name in line.split(",")})
    (tmp_path / "groups.csv").write_text("".join(f"{name},a,{place % 2}\n" for place, name in enumerate(names)))
    words = ("friends.csv", "--query", "best-partition", "--partitions", "groups.csv", "--json")
    (chosen,) = json.loads(release(run, *words).stdout)["releases"]
    assert chosen["value"] in (0, 1)
    shown = release(run, *words[:-1]).stdout
    assert "candidates count from 0 in the order given, which is that of the columns of a file" in shown
    (tmp_path / "groups.csv").write_text("".join(f"{name},a,b\n" for name in names[:-1]))
    missing = release(run, *words)
    assert missing.returncode == 2
    assert "a line for each person" in missing.stderr


def test_groups_are_answered_for_the_price_of_one(run, friends, tmp_path):
    names = sorted({name for line in (tmp_path / "friends.csv").read_text().splitlines() for name in line.split(",")})
    (tmp_path / "groups.csv").write_text("".join(f"{name},{place % 2}\n" for place, name in enumerate(names)))
    words = ("friends.csv", "--query", "edges", "--groups", "groups.csv")
    document = json.loads(release(run, *words, "--json").stdout)
    assert document["spent"]["epsilon"] == 1
    assert [item["provenance"]["parameters"]["group"] for item in document["releases"]] == ["0", "1"]
    assert "all groups together" in release(run, *words).stdout


def test_a_group_without_a_name_is_refused_with_its_file(run, friends, tmp_path):
    (tmp_path / "groups.csv").write_text("0,\n1,a\n")
    refused = release(
        run, "friends.csv", "--query", "edges", "--groups", "groups.csv", "--ledger", "l", "--budget", "1"
    )
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "groups.csv: the group of 0 has no name; leave out the line" in refused.stderr
    assert not (tmp_path / "l").exists()


def test_groups_are_named_where_they_are_explained(run, friends, tmp_path):
    (tmp_path / "groups.csv").write_text("0,north\n1,north\n2,south\n3,south\n")
    shown = release(
        run, "friends.csv", "--query", "edges", "--groups", "groups.csv", "--accept-noise", "--explain"
    ).stdout
    for name in ("north", "south"):
        assert f"edges, {name}: how this answer was made" in shown
        assert f"kept the people of group {name} and the edges among them" in shown


def test_the_error_of_a_choice_says_whose_it_is_where_there_are_several(run, friends, tmp_path):
    (tmp_path / "groups.csv").write_text("0,north\n1,north\n2,south\n3,south\n")
    words = ("friends.csv", "--query", "top-people", "--option", "k=1", "--groups", "groups.csv", "--accept-noise")
    grouped = release(run, *words).stdout
    for name in ("north", "south"):
        assert f"\naccuracy:  top-people, {name}: with 95 % confidence " in grouped
    batch = release(run, "friends.csv", "--query", "top-people,edges,most-connected").stdout
    for name in ("top-people", "most-connected"):
        assert f"\naccuracy:  {name}: with 95 % confidence " in batch
    assert "\naccuracy:  with 95 % confidence " in release(run, "friends.csv", "--query", "most-connected").stdout


def test_the_ledger_remembers_between_runs_and_refuses_with_status_3(run, friends, tmp_path):
    words = ("friends.csv", "--query", "edges", "--ledger", "f.ledger")
    first = release(run, *words, "--budget", "1.5", "--json")
    assert json.loads(first.stdout)["left"] == {"epsilon": 0.5, "delta": 0.0}
    refused = release(run, *words, "--fresh", "--out", "second.json")
    assert refused.returncode == 3
    assert refused.stderr.count("\n") == 1
    assert "0.5" in refused.stderr
    assert not (tmp_path / "second.json").exists()
    fits = release(run, *words, epsilon="0.5")
    assert fits.returncode == 0, fits.stderr
    shown = json.loads(run("ledger", "show", "f.ledger", "--json").stdout)
    (dataset,) = shown["datasets"]
    assert dataset["left"]["epsilon"] == 0
    assert [entry["epsilon"] for entry in dataset["entries"]] == [1.0, 0.5]
    assert run("ledger", "show", "f.ledger", "--out", "spent.csv").returncode == 0
    header, *spendings = (tmp_path / "spent.csv").read_text().splitlines()
    assert header.startswith("dataset,unit,entry,time,what,epsilon")
    assert len(spendings) == sum(len(dataset["entries"]) for dataset in shown["datasets"])


def test_the_ledger_shows_a_batch_as_one_entry_with_its_parts(run, friends):
    words = ("friends.csv", "--query", "edges,max-degree", "--share", "edges=1,max-degree=3", "--ledger", "f.ledger")
    assert release(run, *words, "--budget", "1", "--delta", "1e-6", epsilon="0.2").returncode == 0
    (dataset,) = json.loads(run("ledger", "show", "f.ledger", "--json").stdout)["datasets"]
    (entry,) = dataset["entries"]
    assert (entry["what"], entry["epsilon"], entry["parts"]) == ("edges, max-degree", 0.2, [0.05, 0.15])
    assert entry["released"]
    assert "0.2 = 0.05 + 0.15" in run("ledger", "show", "f.ledger").stdout


def test_a_new_ledger_rehearses_a_batch_by_its_parts(run, friends):
    """Four losses of 1/4 pass a budget of 0.9 in sum and as one loss of 1, but not where each counts by itself."""
    words = ("friends.csv", "--query", "edges,max-degree,components,degeneracy", "--ledger", "l")
    done = release(run, *words, "--budget", "0.9", "--delta", "0.1")
    assert done.returncode == 0, done.stderr


def test_a_request_id_gives_the_stored_answer(run, friends):
    words = ("friends.csv", "--query", "edges", "--ledger", "f.ledger", "--budget", "1", "--request-id", "a", "--json")
    words += ("--accept-noise",)
    values = {json.loads(release(run, *words, epsilon="0.001").stdout)["releases"][0]["value"] for _ in range(3)}
    assert len(values) == 1


def test_a_stored_answer_says_that_nothing_was_spent_now(run, friends):
    words = ("friends.csv", "--query", "edges,triangles", "--ledger", "f.ledger", "--budget", "1", "--accept-noise")
    words += ("--request-id", "a")
    first, again = (release(run, *words, epsilon="0.1").stdout for _ in range(2))
    told = "spent:     nothing: this is the stored answer of entry 1"
    assert told not in first
    assert told in again
    assert "guarantee: 0.1-differential privacy for one edge, central model; all answers together (edges 0.05" in first
    assert "all answers together (edges 0.05, triangles 0.05)" in again
    assert "give each period its own --request-id" not in again
    assert "left:      epsilon 0.9" in again
    another = release(run, *words[:-1], "b", epsilon="0.1").stdout
    assert told not in another
    assert "left:      epsilon 0.8" in another
    document = json.loads(release(run, *words, "--json", epsilon="0.1").stdout)
    assert document["spent"] == {"epsilon": 0.0, "delta": 0.0}
    assert document["left"]["epsilon"] == 0.8


def test_node_privacy_with_a_roster_and_a_bound(run, listed, friends, tmp_path):
    done = release(run, "listed.npz", "--query", "edges", "--max-degree", "5", "--json", unit="node")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["releases"][0]["accuracy"]["interval95"][1] is None
    missing = release(run, "friends.csv", "--query", "edges", "--max-degree", "5", unit="node")
    assert missing.returncode == 2
    assert "--people" in missing.stderr
    (tmp_path / "people.txt").write_text("".join(f"{i}\n" for i in range(70)), encoding="utf-8")
    listed_too = release(
        run, "friends.csv", "--query", "edges", "--max-degree", "5", "--people", "people.txt", unit="node"
    )
    assert listed_too.returncode == 0, listed_too.stderr


def test_out_and_explain(run, friends, tmp_path):
    done = release(run, "friends.csv", "--query", "edges", "--out", "r.json", "--explain")
    assert done.returncode == 0, done.stderr
    assert "What it promises" in done.stdout
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["releases"][0]["query"] == "edges"


WRONG = {
    "missing file": (("nowhere.csv", "--query", "edges"), {}, "nowhere.csv"),
    "epsilon 0": (("friends.csv", "--query", "edges"), {"epsilon": "0"}, "epsilon"),
    "epsilon negative": (("friends.csv", "--query", "edges"), {"epsilon": "-1"}, "epsilon"),
    "epsilon nan": (("friends.csv", "--query", "edges"), {"epsilon": "nan"}, "epsilon"),
    "epsilon infinite": (("friends.csv", "--query", "edges"), {"epsilon": "inf"}, "epsilon"),
    "epsilon rubbish": (("friends.csv", "--query", "edges"), {"epsilon": "1,0"}, "epsilon"),
    "unknown query": (("friends.csv", "--query", "edgse"), {}, "edgse"),
    "query twice": (("friends.csv", "--query", "edges,edges"), {}, "twice"),
    "no query": (("friends.csv", "--query", ","), {}, "query"),
    "unknown unit": (("friends.csv", "--query", "edges"), {"unit": "people"}, "people"),
    "unknown option": (("friends.csv", "--query", "edges", "--seed", "1"), {}, "--seed"),
    "unwritable output": (("friends.csv", "--query", "edges", "--out", "no/such/dir/x.json"), {}, "x.json"),
    "output is a folder": (("friends.csv", "--query", "edges", "--out", "."), {}, "directory"),
    "unwritable ledger": (
        ("friends.csv", "--query", "edges", "--ledger", "no/such/l", "--budget", "1"),
        {},
        "no/such/l",
    ),
    "budget without ledger": (("friends.csv", "--query", "edges", "--budget", "1"), {}, "--ledger"),
    "ledger without budget": (("friends.csv", "--query", "edges", "--ledger", "l"), {}, "--budget"),
    "request id without ledger": (("friends.csv", "--query", "edges", "--request-id", "r"), {}, "--ledger"),
    "ledger is a graph": (
        ("friends.csv", "--query", "edges", "--ledger", "friends.csv", "--budget", "1"),
        {},
        "friends.csv",
    ),
    "new ledger, unknown query": (
        ("friends.csv", "--query", "edgse", "--ledger", "l", "--budget", "1"),
        {},
        "edgse",
    ),
    "new ledger, request id of two lines": (
        ("friends.csv", "--query", "edges", "--ledger", "l", "--budget", "1", "--request-id", "a\nb"),
        {},
        "request id",
    ),
    "dataset without a name": (
        ("friends.csv", "--query", "edges", "--ledger", "l", "--budget", "1", "--dataset", ""),
        {},
        "name of a dataset",
    ),
    "bound that serves nothing": (("friends.csv", "--query", "edges", "--max-degree", "5"), {}, "--max-degree"),
    "enormous max degree": (
        ("listed.npz", "--query", "edges", "--max-degree", "9" * 30, "--ledger", "l", "--budget", "1"),
        {"unit": "node"},
        "max_degree",
    ),
    "wrong share": (("friends.csv", "--query", "edges", "--share", "edgse=1"), {}, "edgse"),
    "share of 0": (("friends.csv", "--query", "edges", "--share", "edges=0"), {}, "above 0"),
    "wrong max degree": (("listed.npz", "--query", "edges", "--max-degree", "0"), {"unit": "node"}, "max_degree"),
    "missing people": (("friends.csv", "--query", "edges", "--people", "nobody.txt"), {}, "nobody.txt"),
}


@pytest.mark.parametrize("case", WRONG)
def test_bad_input_is_one_line_status_2_and_leaves_nothing(run, friends, listed, tmp_path, case):
    words, options, named = WRONG[case]
    before = sorted(tmp_path.rglob("*"))
    done = release(run, *words, **options)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("graphveil: ")
    assert named in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.rglob("*")) == before


BAD_TABLES = {
    "no digit": "²,A\n",
    "two signs": "--5,A\n",
    "more digits than Python reads": "9" * 5000 + ",A\n",
    "a field without end": "0," + "x" * 140_000 + "\n",
    "a quotation mark without end": '0,"' + "x\n" * 70_000,
}


@pytest.mark.parametrize("case", BAD_TABLES)
@pytest.mark.parametrize("words", [("edges", "--groups"), ("best-partition", "--partitions")], ids=" ".join)
def test_a_bad_table_of_people_is_one_line_and_leaves_nothing(run, friends, tmp_path, words, case):
    (tmp_path / "t.csv").write_text(BAD_TABLES[case], encoding="utf-8")
    done = release(run, "friends.csv", "--query", *words, "t.csv", "--ledger", "l", "--budget", "1")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("graphveil: t.csv, ")
    assert not (tmp_path / "l").exists()


def test_a_plan_refuses_a_field_without_end_in_one_line(run, tmp_path):
    (tmp_path / "t.csv").write_text(BAD_TABLES["a field without end"])
    words = ("--query", "best-partition", "--unit", "edge", "--nodes", "4", "--epsilon", "1", "--partitions", "t.csv")
    done = run("plan", *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "t.csv, after line 0: field larger than field limit" in done.stderr


@pytest.mark.parametrize("value", ["²", "--5", "9" * 5000])
def test_a_parameter_that_is_no_number_is_one_line(run, friends, value):
    plan = ("plan", "--query", "top-people", "--unit", "edge", "--nodes", "60", "--epsilon", "1")
    for done in (
        run(*plan, "--option", f"k={value}"),
        release(run, "friends.csv", "--query", "top-people", "--option", f"k={value}"),
    ):
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "k must be a whole number from 0 to 2,147,483,647" in done.stderr


def test_an_epsilon_too_small_for_the_noise_leaves_no_ledger(run, friends, tmp_path):
    words = ("friends.csv", "--query", "joint-degrees", "--ledger", "l", "--budget", "1")
    refused = release(run, *words, epsilon="1e-12")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "joint-degrees of 60 people needs an epsilon of 3.28e-11 or more for one edge, not 1e-12" in refused.stderr
    assert not (tmp_path / "l").exists()
    assert release(run, *words, "--accept-noise", epsilon="3.28e-11").returncode == 0


BAD_FILES = {
    "empty.txt": b"",
    "rubbish.txt": bytes(range(256)) * 20,
    "ragged.txt": b"1 2\n3\n4 5\n",
    "cut.txt.gz": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48",
    "no.graphml": b"<graphml><graph>",
    "no.gml": b"graph [ node [",
    "no.npz": b"PK\x03\x04rubbish",
    "no.parquet": b"PAR1rubbish",
    "what.xyz": b"1 2\n",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_named_and_spend_nothing(run, tmp_path, name):
    (tmp_path / name).write_bytes(BAD_FILES[name])
    done = release(run, name, "--query", "edges", "--ledger", "l", "--budget", "1")
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert not (tmp_path / "l").exists()


def test_a_request_over_a_new_budget_declares_nothing(run, friends, tmp_path):
    done = release(run, "friends.csv", "--query", "edges", "--ledger", "l", "--budget", "0.25", epsilon="0.5")
    assert done.returncode == 3
    assert "epsilon 0.25 or less would fit" in done.stderr
    assert not (tmp_path / "l").exists()


def test_delta_is_declared_once_like_the_budget(run, friends):
    first = ("friends.csv", "--query", "edges", "--ledger", "l", "--budget", "1", "--delta", "1e-6")
    assert release(run, *first, epsilon="0.1").returncode == 0
    again = release(run, "friends.csv", "--query", "edges", "--ledger", "l", "--json", epsilon="0.1")
    assert again.returncode == 0, again.stderr


def test_ctrl_c_is_no_success(friends, tmp_path):
    code = """if True:
    import os, signal
    from graphveil.cli import main
    from graphveil.graph.files import read
    signal.signal(signal.SIGINT, signal.default_int_handler)
    read.read_with_report = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT)
    main()"""
    words = ("release", "friends.csv", "--query", "edges", "--unit", "edge", "--epsilon", "1", "--out", "o.json")
    call = [sys.executable, "-c", code, *words]
    done = subprocess.run(call, cwd=tmp_path, text=True, check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (
        130,
        "graphveil: stopped; what a ledger has on record stays paid, and the same command again does not pay twice\n",
    )
    assert sorted(tmp_path.iterdir()) == [friends]


def test_a_full_disk_is_one_line(run, friends):
    with Path("/dev/full").open("w") as full:
        done = run("algorithms", "--json", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr == "graphveil: the output cannot be written: No space left on device\n"


def test_the_ledger_is_a_plain_database(run, friends, tmp_path):
    release(run, "friends.csv", "--query", "edges", "--ledger", "f.ledger", "--budget", "1")
    connection = sqlite3.connect(tmp_path / "f.ledger")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.parametrize(("unit", "complaint"), [("edge", "not among the people"), ("node", "edge privacy only")])
def test_refused_groups_leave_no_ledger_behind(run, friends, tmp_path, unit, complaint):
    names = {name for line in (tmp_path / "friends.csv").read_text().splitlines() for name in line.split(",")}
    (tmp_path / "all.txt").write_text("\n".join(sorted(names)))
    (tmp_path / "groups.csv").write_text("987654321,a\n")
    words = ("friends.csv", "--query", "edges", "--people", "all.txt", "--groups", "groups.csv")
    refused = release(run, *words, "--ledger", "new.ledger", "--budget", "3", unit=unit)
    assert refused.returncode == 2
    assert complaint in refused.stderr
    assert not (tmp_path / "new.ledger").exists()


def test_a_plan_for_candidate_partitions_asks_for_their_file(run, tmp_path):
    words = ("plan", "--query", "best-partition", "--unit", "edge", "--nodes", "4", "--epsilon", "1")
    assert "--partitions FILE" in run(*words).stderr
    errors = []
    for candidates in ("a,0,1\nb,1,1\n", "a,0,1,0,1\nb,1,1,0,0\n"):
        (tmp_path / "candidates.csv").write_text(candidates)
        planned = run(*words, "--partitions", "candidates.csv", "--json")
        errors.append(json.loads(planned.stdout)["plans"][0]["error"])
    assert errors[0] < errors[1]


def test_a_query_that_is_not_offered_says_why_whatever_its_options(run, listed, tmp_path):
    (tmp_path / "q.csv").write_text("0,a\n")
    partitions = ("--query", "best-partition", "--partitions", "q.csv")
    planned = run("plan", *partitions, "--unit", "node", "--epsilon", "1", "--nodes", "60")
    for done in (release(run, "listed.npz", *partitions, unit="node"), planned):
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "best-partition is not offered under node privacy: one person can bring edges into" in done.stderr
    assert "did you mean edges?" in release(run, "listed.npz", "--query", "edgse", "--option", "k=1").stderr


@pytest.mark.parametrize("name", ["partitions", "max-degree"])
def test_what_has_an_option_of_its_own_is_no_parameter_of_a_method(run, friends, name):
    refused = release(run, "friends.csv", "--query", "best-partition", "--option", f"{name}=3")
    assert (refused.returncode, refused.stderr) == (2, f"graphveil: {name} is no --option: give it as --{name}\n")


def test_people_known_by_position_are_refused_under_node_privacy(run, tmp_path):
    """A row of a matrix is no name: when one person leaves, all rows after it move up."""
    scipy.sparse.save_npz(tmp_path / "matrix.npz", scipy.sparse.random_array((50, 50), density=0.1, rng=1))
    words = ("matrix.npz", "--query", "edges", "--max-degree", "5", "--ledger", "l", "--budget", "1")
    done = release(run, *words, unit="node")
    assert (done.returncode, done.stdout) == (2, "")
    assert "names that stay with people" in done.stderr
    assert not (tmp_path / "l").exists()
    (tmp_path / "people.txt").write_text("".join(f"{i}\n" for i in range(50)), encoding="utf-8")
    listed = release(run, *words, "--people", "people.txt", unit="node")
    assert listed.returncode == 2
    assert "names that stay with people" in listed.stderr


def test_the_command_says_what_it_read_and_counts_nothing(run, tmp_path):
    """Beside a release no exact count may stand: a log of it may be handed on with the release."""
    (tmp_path / "friends.csv").write_text(
        "from,to,weight\nann,bob,2\nbob,ann,1\nbob,bob,1\nbob,cem,7\n", encoding="utf-8"
    )
    done = release(run, "friends.csv", "--query", "edges", "--json", epsilon="5")
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("read ")]
    assert "the first line was taken as a header; columns from and to of 3 were read, the others left out" in line
    assert "directions, repeated edges and self-loops dropped" in line
    assert "exact counts: graphveil stats" in line
    counted = run("stats", "friends.csv")
    assert "3 people (as the data names them), 2 edges; 4 listed, 1 self-loop and 1 repeat dropped" in counted.stderr
    kept = run("stats", "friends.csv", "--no-header")
    assert "5 people" in kept.stderr
