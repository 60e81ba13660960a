"""Other packages add algorithms: the template does, and whatever is wrong with one never breaks a command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import graphveil as gv

ROOT = Path(__file__).parent.parent
ODD = """
from dataclasses import dataclass, replace
from fractions import Fraction
from graphveil.audit.subjects.controls import half_scale_laplace
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.central.edge.edges import EdgeCount
from graphveil.local.degrees.frequency import BinNumber, KaryDegrees
from graphveil.mechanisms.response import KaryResponse
from graphveil.papers.peers.dp_1k import DpDegrees

@dataclass(frozen=True, slots=True, kw_only=True)
class Kary(KaryDegrees):
    name = "my-grr"

@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees(DpDegrees):
    pass

@dataclass(frozen=True, slots=True)
class Hiding(EdgeCount):
    query = "hidden"
    @property
    def guarantee(self):
        return replace(EdgeCount.guarantee.fget(self), package="", status="proved")

@dataclass(frozen=True, slots=True)
class Tripled(EdgeCount):
    query = "tripled"
    def measure(self, graph):
        return (replace(EdgeCount.measure(self, graph)[0], epsilon=3 * self.epsilon),)

GRAPHS = []

@dataclass(frozen=True, slots=True)
class Reaching(EdgeCount):
    query = "reaching"
    def measure(self, graph):
        GRAPHS.append(graph)
        return EdgeCount.measure(self, graph)
    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [GRAPHS[-1].n_edges], facts)

@dataclass(frozen=True, slots=True, kw_only=True)
class TwiceKary(KaryDegrees):
    name = "twice-grr"
    @property
    def randomizer(self):
        return BinNumber(KaryResponse(epsilon=2 * self.epsilon, n_values=self.bins.n_bins))

SUBJECT = Subject("mine", SubjectKind.MECHANISM, "mine", half_scale_laplace, lambda: [Pair(0, 1)])
NOTHING = 3
"""
ENTRY_POINTS = """
[graphveil.central]
gone = not_there.query:Mine
odd = odd_plugin:NOTHING
edge-count = odd_plugin:EdgeCount
hiding = odd_plugin:Hiding
tripled = odd_plugin:Tripled
reaching = odd_plugin:Reaching
[graphveil.local]
my-grr = odd_plugin:Kary
twice-grr = odd_plugin:TwiceKary
[graphveil.synthetic]
my-degrees = odd_plugin:Degrees
[graphveil.audit]
my-laplace = odd_plugin:SUBJECT
"""
DRIVER = """
import contextlib, io, json, sys, warnings
from graphveil.cli import app
warnings.showwarning = app._warn
told = []
for command in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["graphveil", *command]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            app.run()
        except SystemExit:
            pass
    told.append((out.getvalue(), err.getvalue()))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a graph, and `site` beside it with the template and an odd package."""
    folder = tmp_path_factory.mktemp("plugged")
    install = ["install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder / "site")]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    made = subprocess.run(
        [sys.executable, "-m", "pip", *install, str(ROOT / "examples" / "plugin")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    (folder / "site" / "odd_plugin.py").write_text(ODD)
    about = folder / "site" / "odd_plugin-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-plugin\nVersion: 1\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    gv.write_graph(gv.power_law_cluster(80, 4, 0.5, seed=1), folder / "friends.csv")
    gv.write_graph(gv.power_law_cluster(300, 4, 0.5, seed=1), folder / "friends.txt.gz")
    return folder


def _environment(installed: Path) -> dict[str, str]:
    """The packages of `site` before whatever else is on the path."""
    path = os.pathsep.join(filter(None, (str(installed / "site"), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


@pytest.fixture
def plugged(installed: Path):
    """Run commands there: [(stdout, stderr)]."""

    def run(*commands: str) -> list[tuple[str, str]]:
        words = [command.split() for command in commands]
        done = subprocess.run(
            [sys.executable, "-c", DRIVER, json.dumps(words)],
            cwd=installed, env=_environment(installed), capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [tuple(pair) for pair in json.loads(done.stdout)]

    return run


def test_a_plug_in_is_listed_released_audited_and_compared_and_marked_everywhere(plugged):
    listed, shown, released, text, audited, compared = plugged(
        "algorithms --json",
        "algorithms popular-people",
        "release friends.csv --query popular-people --unit edge --epsilon 1 --json",
        "release friends.csv --query popular-people,edges --unit edge --epsilon 1",
        "audit popular-people my-laplace --samples 500 --json",
        "benchmark friends.csv --query popular-people --unit edge --epsilon 1 --json",
    )
    rows = {row["name"]: row for row in json.loads(listed[0])["algorithms"]}
    assert rows["popular-people"]["status"] == rows["my-grr"]["status"] == rows["my-degrees"]["status"] == "unreviewed"
    assert rows["edge-count"]["package"] is None
    assert "unreviewed (package graphveil_popular)" in shown[0]
    (release,) = json.loads(released[0])["releases"]
    assert (release["guarantee"]["status"], release["guarantee"]["package"]) == ("unreviewed", "graphveil_popular")
    assert "unreviewed (package graphveil_popular)" in text[0]
    found = {row["name"]: (row["verdict"], row["package"]) for row in json.loads(audited[0])["audits"]}
    assert found == {"popular-people": ("consistent", "graphveil_popular"), "my-laplace": ("refuted", "odd_plugin")}
    (score,) = json.loads(compared[0])["benchmarks"]
    assert score["package"] == "graphveil_popular"
    assert score["metrics"]["mae"] < 20


def test_the_commands_of_the_tutorial_run(plugged):
    """Copying, installing and testing the template is what the other tests do."""
    page = (ROOT / "docs" / "tutorials" / "add-your-own-algorithm.md").read_text(encoding="utf-8")
    shown = re.findall(r"^graphveil (.+)$", page, flags=re.MULTILINE)
    assert len(shown) >= 9
    for command, (out, err) in zip(shown, plugged(*shown), strict=True):
        assert any(name in out for name in ("popular-people", "one-bit", "random-edges")), (command, err)


def test_protocols_and_synthesizers_of_plug_ins_run_and_are_marked(plugged):
    simulate = "collect simulate friends.csv --statistic degree-distribution --unit node --epsilon 1 --json"
    asked, collected, drawn = plugged(
        f"{simulate} --protocol one-bit",
        f"{simulate} --protocol my-grr",
        "synthesize friends.csv --method my-degrees --epsilon 1 --out made.csv --json",
    )
    assert json.loads(asked[0])["guarantee"]["package"] == "graphveil_popular"
    for document in (json.loads(collected[0]), json.loads(drawn[0])):
        assert document["guarantee"]["package"] == "odd_plugin"
    assert json.loads(drawn[0])["guarantee"]["status"] == "unreviewed"


def test_a_guarantee_that_is_not_what_is_drawn_is_refused_in_one_line(plugged):
    refusals = {
        "hidden": "Hiding states a guarantee of its own",
        "tripled": "Tripled claims epsilon 1, but its measurements cost epsilon 3",
        "reaching": "Reaching.conclude gives different results for the same outcomes",
    }
    found = plugged(*(f"release friends.csv --query {query} --unit edge --epsilon 1" for query in refusals))
    for words, (out, err) in zip(refusals.values(), found, strict=True):
        assert out == ""
        (refusal,) = [line for line in err.splitlines() if "left out" not in line]
        assert words in refusal


def test_what_cannot_be_used_is_left_out_with_one_line_each(plugged):
    ((out, err),) = plugged("release friends.csv --query edges --unit edge --epsilon 1 --json")
    (release,) = json.loads(out)["releases"]
    assert release["guarantee"]["status"] == "proved"
    assert sorted(line for line in err.splitlines() if "plug-in" in line) == [
        "graphveil: plug-in edge-count of package odd_plugin is left out: that name is taken",
        "graphveil: plug-in gone = not_there.query:Mine is left out: ModuleNotFoundError: No module named 'not_there'",
        "graphveil: plug-in odd of package odd_plugin is left out: the group graphveil.central wants a Query",
    ]  # fmt: skip


def test_a_plug_in_that_is_refused_stops_no_list_and_no_comparison(plugged):
    benchmark = "benchmark friends.csv --query degree-distribution --unit node --epsilon 1 --runs 1"
    (listed, said), (table, err) = plugged("algorithms", benchmark)
    assert "my-grr" in listed
    assert "twice-grr" not in listed
    assert "plug-in twice-grr of package odd_plugin is left out" in said
    assert "my-grr" in table
    assert "twice-grr" not in table
    assert "plug-in" in said + err


def test_the_template_s_own_tests_pass(installed):
    """They are the conformance suite and a brute-force test."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(installed), "-c", os.devnull,
         str(ROOT / "examples" / "plugin" / "tests")],
        cwd=installed, env=_environment(installed), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 20
